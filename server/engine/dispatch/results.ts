import { CALL_CHANNEL, type Channels, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import { accountsOf, numbers, rangeOf } from '../../database/arrays.ts';
import { bigints, ints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import { isOfAccounts, isWithin, rowsByKey } from '../../database/rows-by-key.ts';
import type { IdSource } from '../../kit/ids.ts';
import { invariant } from '../../kit/observability/invariant.ts';
import { CANCELLED, status as statuses } from '../../kit/statuses.ts';
import { parseAmount } from '../../modules/accounts/money.ts';
import { isOverdraft, lockWallets, moveWallet, moveWallets } from '../../modules/accounts/wallets.ts';
import { type BatchEnd, endedRows, isEnded } from './batch-ends.ts';

/** Updates of a message since it was last stored, merged into one. */
export interface MessageResult {
  readonly accountId: number;
  readonly messageId: number;
  /** Time at which a carrier accepted it; null if none did. */
  handedAt: number | null;
  connector: string | null;
  /** Set when a carrier accepted it, which is an event on some channels. */
  shipmentId: number | null;
  channel: number | null;
  /** The carrier's ids (as keys, see protocols/smpp/message-id.ts): one per part, or one for all. */
  carrierKeys: readonly string[] | null;
  phone: string;
  /** Bits of the delivered parts; -1 for all parts. */
  delivered: number;
  /** A final status other than delivered. */
  failure: number | null;
  code: string | null;
  /** Time of the update, in milliseconds since the epoch. */
  at: number;
  /** It was never submitted to a carrier, or counts as such, so its price is refunded. */
  refund: boolean;
  /** The carrier accepted it, and it counts as never submitted. */
  isReversed: boolean;
  /** It ended without a carrier's answer; the price list decides whether its price is refunded. */
  isUnanswered: boolean;
  /** Trace context, if a carrier accepted it. */
  trace: string | null;
}

/** A message that got its final status. */
export interface FinalMessage {
  readonly account_id: number;
  readonly id: number;
  readonly shipment_id: number;
  readonly status: number;
  readonly final_at: number;
  readonly price: string;
  readonly phone: string;
  readonly external_id: string | null;
  readonly source: string;
  readonly code: string | null;
  readonly channel: number;
  /** Trace context; not read when tracing is off. */
  readonly trace?: string | null;
}

/** `handed_at` of a result that removes the time of the message. */
const REVERSED = 0;

/** Result of storing results. */
export interface StoredResults {
  /** Messages that became final. */
  readonly final: FinalMessage[];
  /** Number of results that were not stored because their messages were already final. */
  readonly missed: number;
}

/**
 * Stores results of messages and removes the batches that ended with them, if their leases are still valid. The
 * accounts have one placement, and it is one statement. A message keeps the first final status that is stored. Carrier
 * ids are stored, except together with a final status, after which no receipt is expected. With `isTraced` the trace
 * contexts are read too.
 */
export async function storeResults(
  sql: Queryable,
  channels: Channels,
  results: readonly MessageResult[],
  ended: readonly BatchEnd[],
  isTraced: boolean,
): Promise<StoredResults> {
  const withoutTexts = sql.withoutTexts([...new Set(results.map(({ accountId }) => accountId))]);
  const of = rangeOf(results.map(({ messageId }) => messageId));
  const carrier = carrierRows(channels, results);
  // The last row is the count: another column in every row would cost more.
  const rows = await sql<FinalMessage[]>`
    WITH stored AS (
      UPDATE messages m SET
        handed_at = nullif(coalesce(u.handed_at, m.handed_at), ${REVERSED}),
        link = coalesce(u.link, m.link),
        code = coalesce(u.code, m.code),
        delivered_parts = m.delivered_parts | u.delivered,
        ${withoutTexts.length > 0 ? withoutPayload(sql, withoutTexts) : sql``}
        secret_text = CASE
          WHEN coalesce(u.handed_at, m.handed_at) IS NULL AND u.failure IS NULL
            AND (m.delivered_parts | u.delivered) & ((1 << m.parts) - 1) <> (1 << m.parts) - 1
          THEN m.secret_text END,
        status = CASE
          WHEN u.failure IS NOT NULL THEN u.failure
          WHEN (m.delivered_parts | u.delivered) & ((1 << m.parts) - 1) = (1 << m.parts) - 1 THEN 102
          ELSE m.status END,
        final_at = CASE
          WHEN u.failure IS NOT NULL OR (m.delivered_parts | u.delivered) & ((1 << m.parts) - 1) = (1 << m.parts) - 1
          THEN u.at END
      FROM ${resultRows(sql, results)}
      WHERE ${isOfAccounts(sql, sql`m.account_id`, results)} AND m.account_id = u.account_id AND m.id = u.id
        AND ${isWithin(sql, sql`m.id`, of)} AND m.final_at IS NULL
      RETURNING m.account_id, m.id, m.shipment_id, m.status, m.final_at, m.price, m.recipient AS phone, m.external_id,
        m.source, m.code, m.channel${isTraced ? sql`, m.trace` : sql``}
    ), remembered AS (
      INSERT INTO carrier_messages (carrier_id, link, message_id, part, account_id, phone)
      SELECT u.carrier_id, u.link, u.message_id, u.part, u.account_id, u.phone FROM wallets w, unnest(
        ${textArray(carrier.keys)}::text[], ${textArray(carrier.connectors)}::text[], ${bigints(carrier.messages)}::bigint[],
        ${smallints(carrier.parts)}::smallint[], ${bigints(carrier.accounts)}::bigint[], ${textArray(carrier.phones)}::text[]
      ) AS u (carrier_id, link, message_id, part, account_id, phone)
      WHERE w.account_id = ANY(${accountsOf(results)}::bigint[]) AND w.account_id = u.account_id
      ON CONFLICT (carrier_id, link, message_id, part, account_id) DO NOTHING
    ), ended AS (
      DELETE FROM dispatch_batches r USING ${endedRows(sql, ended)} WHERE ${isEnded(sql, ended)}
    )
    (SELECT * FROM stored WHERE final_at IS NOT NULL)
    UNION ALL SELECT 0, count(*), 0, 0, 0, 0, '', NULL, '', NULL, 0${isTraced ? sql`, NULL` : sql``} FROM stored`;
  const { id: count } = rows.pop()!;
  invariant(count <= results.length && rows.length <= count, 'status', () => ({
    count,
    results: results.length,
  }));
  invariant(rows.every(isOver), 'status', () => {
    return { messages: rows.filter((row) => !isOver(row)).map(({ id }) => id) };
  });
  return { final: rows, missed: results.length - count };
}

/** Returns results as rows `u`. */
const resultRows = (sql: Queryable, results: readonly MessageResult[]) =>
  rowsByKey(
    sql,
    results.length,
    sql`account_id, id, handed_at, link, code, delivered, failure, at`,
    sql`
      ${bigints(results.map((result) => result.accountId))}::bigint[],
      ${bigints(results.map((result) => result.messageId))}::bigint[],
      ${bigints(results.map((result) => (result.isReversed ? REVERSED : result.handedAt)))}::bigint[],
      ${textArray(results.map((result) => result.connector))}::text[],
      ${textArray(results.map((result) => result.code))}::text[],
      ${ints(results.map((result) => result.delivered))}::integer[],
      ${smallints(results.map((result) => result.failure))}::smallint[],
      ${bigints(results.map((result) => result.at))}::bigint[]`,
  );

/** Channels that no longer need the text of a submitted message. */
const SAID_AT_ONCE = numbers([TEXT_CHANNEL, CALL_CHANNEL]);

/** Clears the payload of submitted or final messages, for accounts that do not store texts. */
function withoutPayload(sql: Queryable, accountIds: readonly number[]) {
  const isSaid = sql`m.account_id = ANY(${bigints(accountIds)}::bigint[]) AND m.payload IS NOT NULL
    AND m.channel = ANY(${SAID_AT_ONCE}::smallint[]) AND (u.handed_at IS NOT NULL OR m.handed_at IS NOT NULL
      OR u.failure IS NOT NULL OR (m.delivered_parts | u.delivered) & ((1 << m.parts) - 1) = (1 << m.parts) - 1)`;
  return sql`payload = CASE WHEN ${isSaid} THEN NULL ELSE m.payload END,
    text_removed = CASE WHEN ${isSaid} THEN true ELSE m.text_removed END,`;
}

/** Whether a message reported as final has a final status and time. */
const isOver = ({ status, final_at }: FinalMessage) => status !== statuses.sent && final_at > 0;

/** Returns the carrier ids to store, as columns. */
function carrierRows(channels: Channels, results: readonly MessageResult[]) {
  const keys: string[] = [];
  const connectors: (string | null)[] = [];
  const messages: number[] = [];
  const parts: number[] = [];
  const accounts: number[] = [];
  const phones: string[] = [];
  for (const result of results) {
    if (!result.carrierKeys) continue;
    const isKept = result.channel !== null && channels.of(result.channel).connectors.keepsIds;
    if (!isKept && (result.failure !== null || result.delivered === -1)) continue;
    for (const [index, key] of result.carrierKeys.entries()) {
      keys.push(key);
      connectors.push(result.connector);
      messages.push(result.messageId);
      accounts.push(result.accountId);
      parts.push(result.carrierKeys.length === 1 ? 0 : index + 1);
      phones.push(result.phone);
    }
  }
  return { keys, connectors, messages, parts, accounts, phones };
}

/** A message whose cancellation was reversed. */
export interface Reinstated {
  readonly account_id: number;
  readonly id: number;
  readonly shipment_id: number;
  readonly price: string;
  readonly channel: number;
}

/**
 * Reverses the cancellation of messages that a carrier accepted because they were already being submitted, so that
 * reports and charges match the facts. Runs in the transaction that then stores their results, and finally charges for
 * them (`moveCredit`).
 */
export async function reinstate(
  tx: TransactionSql,
  messages: readonly Pick<MessageResult, 'accountId' | 'messageId'>[],
): Promise<Reinstated[]> {
  const ids = messages.map(({ messageId }) => messageId);
  const keys = tx`${bigints(messages.map(({ accountId }) => accountId))}::bigint[], ${bigints(ids)}::bigint[]`;
  return tx<Reinstated[]>`
    UPDATE messages m SET status = -1, final_at = NULL, code = NULL
    FROM ${rowsByKey(tx, ids.length, tx`account_id, id`, keys)}
    WHERE ${isOfAccounts(tx, tx`m.account_id`, messages)} AND m.account_id = u.account_id AND m.id = u.id
      AND ${isWithin(tx, tx`m.id`, rangeOf(ids))} AND m.code = ${CANCELLED} AND m.handed_at IS NULL
    RETURNING m.account_id, m.id, m.shipment_id, m.price, m.channel`;
}

/**
 * Refunds messages that no carrier accepted, and charges for reinstated ones: one ledger row per shipment, in the
 * caller's transaction. Reinstated messages are free if the wallet can no longer pay for them.
 */
export async function moveCredit(
  tx: TransactionSql,
  ids: IdSource,
  now: number,
  { refunds, reinstated }: { refunds: readonly FinalMessage[]; reinstated: readonly Reinstated[] },
): Promise<void> {
  const charges = byShipment(reinstated);
  const credits = byShipment(refunds).map((refund) => ({
    ...refund,
    entry: {
      kind: 'refund',
      amount: refund.amount,
      shipmentId: refund.shipmentId,
      note: 'not delivered',
    } as const,
  }));
  if (charges.length > 0) await lockWallets(tx, [...charges, ...credits]);
  for (const [accountId, mine] of Map.groupBy(charges, (charge) => charge.accountId)) {
    const entries = mine.map(
      ({ amount, shipmentId }) =>
        ({
          kind: 'charge',
          amount: -amount,
          shipmentId,
          note: 'submitted while it was cancelled',
        }) as const,
    );
    try {
      await tx.savepoint((inner) => moveWallet(inner, ids, now, accountId, entries));
    } catch (error) {
      if (!isOverdraft(error)) throw error;
    }
  }
  if (credits.length > 0) await moveWallets(tx, ids, now, credits);
}

interface ShipmentPrice {
  readonly accountId: number;
  readonly shipmentId: number;
  /** In ten-thousandths of a credit. */
  readonly amount: number;
}

/** Sums the prices of messages by shipment; omits shipments without cost. */
function byShipment(
  rows: readonly Pick<Reinstated, 'account_id' | 'shipment_id' | 'price'>[],
): ShipmentPrice[] {
  const sums = new Map<number, ShipmentPrice>();
  for (const { account_id: accountId, shipment_id: shipmentId, price } of rows) {
    const amount = (sums.get(shipmentId)?.amount ?? 0) + parseAmount(price);
    sums.set(shipmentId, { accountId, shipmentId, amount });
  }
  return [...sums.values()].filter(({ amount }) => amount > 0);
}
