import { inOrderOfKeys, insertSendKeys } from '../../api/send-keys/store.ts';
import { TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import { numbers, ROWS_A_STATEMENT, texts } from '../../database/arrays.ts';
import { bigints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import { ofDebited } from '../../database/row-accounts.ts';
import { ctesBeside } from '../../database/rows-beside.ts';
import type { SealedText } from '../../database/sealed-text.ts';
import type { IdSource } from '../../kit/ids.ts';
import { TimeSlice } from '../../kit/time-slices.ts';
import { toNumeric } from '../../modules/accounts/money.ts';
import { storedCall } from './calls.ts';
import { insertShipments, type NewShipment } from './insert-shipments.ts';
import type { Plan, PlannedMessage, PlannedShipment, ShipmentRequest } from './plan.ts';
import { type BatchLease, ctesOfBatches, insertMessages } from './store-messages.ts';

/** Plan of the requests accepted together for one account. */
export interface AccountPlan {
  readonly accountId: number;
  readonly plan: Plan;
  /** Lease of its batches, when they are passed to this process's dispatcher. */
  readonly lease?: BatchLease | undefined;
}

interface StoreOptions {
  readonly now: number;
  readonly validityMs: number;
  /** Whether to wait for wallets locked by other transactions; otherwise their accounts are left out. */
  readonly waits: boolean;
}

/** Returns for how long delivery of a shipment is tried, in milliseconds. `validityMs` is that of the settings. */
export const validityOf = (request: Pick<ShipmentRequest, 'validityMs'>, validityMs: number): number =>
  request.validityMs === undefined ? validityMs : Math.min(request.validityMs, validityMs);

/** Counts the messages of plans. */
const countMessages = (plans: readonly AccountPlan[]): number =>
  plans.reduce(
    (sum, { plan }) => plan.shipments.reduce((more, { messages }) => more + messages.length, sum),
    0,
  );

/** Whether `storePlans` writes these plans in one statement, which needs no explicit transaction. */
export const isOneStatement = (plans: readonly AccountPlan[]): boolean =>
  countMessages(plans) <= ROWS_A_STATEMENT;

/**
 * Writes the plans of different accounts: debit, ledger, shipments, messages and batches, in ONE statement, which is a
 * transaction. With more than some thousand messages, the others follow in separate statements in the caller's
 * transaction. Seven statements between BEGIN and COMMIT took 6 ms for 25 messages on a busy machine, mostly for waking
 * two processes in turn; this takes 2 ms.
 *
 * Each account is stored completely or not at all, independently of the others. Returns for each account whether it
 * could pay. Absent are accounts without a wallet, with a send key that is already stored, or (without `waits`) with a
 * locked wallet. Wallets are locked in the order of their accounts. Rejects with a violation of `send_keys_pkey` when a
 * key was stored concurrently; then nothing is stored.
 */
export async function storePlans(
  sql: Queryable,
  ids: IdSource,
  plans: readonly AccountPlan[],
  { now, validityMs, waits }: StoreOptions,
): Promise<Map<number, boolean>> {
  const accounts = numbers(plans.map(({ accountId }) => accountId));
  const shipments = plans.flatMap(({ plan }) => plan.shipments);
  const batches = plans.flatMap(({ accountId, plan, lease }) =>
    plan.batches.map((batch) => ({ accountId, batch, lease })),
  );
  const passes = shipments.map(({ pass }) => pass);
  const paid = shipments.filter((shipment) => shipment.cost > 0);
  const statements = messagesOf(sql, shipments);
  const { value: first = noRows } = await statements.next();
  const keys = keysOf(plans);
  const rows = await sql<{ account_id: number; paid: boolean }[]>`
    WITH ${keys.length > 0 ? sql`known AS (${knownAccounts(sql, accounts, keys)}), ` : sql``}wallet AS (
      SELECT w.account_id, c.cost FROM (
        SELECT account_id FROM wallets WHERE account_id = ANY(${accounts}::bigint[])
          ${keys.length > 0 ? sql`AND account_id NOT IN (SELECT account_id FROM known)` : sql``}
        ORDER BY account_id FOR NO KEY UPDATE ${waits ? sql`` : sql`SKIP LOCKED`}
      ) w JOIN unnest(${accounts}::bigint[],
        ${texts(plans.map(({ plan }) => toNumeric(costOf(plan))))}::numeric[]) AS c (account_id, cost)
        ON c.account_id = w.account_id
    ), debit AS (
      UPDATE wallets w SET balance = w.balance - l.cost FROM wallet l
      WHERE w.account_id = l.account_id AND w.account_id = ANY(${accounts}::bigint[]) AND w.balance >= l.cost
      RETURNING w.account_id
    ), entries AS (
      INSERT INTO ledger (account_id, id, kind, amount, shipment_id, at)
      SELECT u.account_id, u.id, u.kind, -u.amount, u.shipment_id, ${now}::bigint
      FROM unnest(
        ${bigints(paid.map(({ request }) => request.accountId))}::bigint[],
        ${bigints(paid.map(() => ids.next()))}::bigint[],
        ${textArray(paid.map((s) => (s.scheduled ? 'hold' : 'charge')))}::text[],
        ${texts(paid.map((s) => toNumeric(s.cost)))}::numeric[],
        ${bigints(paid.map((s) => s.id))}::bigint[]
      ) AS u (account_id, id, kind, amount, shipment_id)
      WHERE (u.account_id IN (SELECT account_id FROM debit)) IS TRUE
    ), sent AS (${insertShipments(
      sql,
      ofDebited(
        sql,
        shipments.map(({ request }) => request.accountId),
      ),
      shipments.map((shipment) => newShipment(sql, shipment, validityMs)),
    )}
    ), written AS (${insertMessages(sql, passes, ofDebited(sql, first.accounts), first.messages, first.sources, first.own, now)}
    ), ${ctesOfBatches(sql, passes, batches)}${
      keys.length > 0
        ? sql`, keyed AS (${insertSendKeys(
            sql,
            ofDebited(
              sql,
              keys.map(({ accountId }) => accountId),
            ),
            keys,
            keys[0]!.aheadMs,
          )})`
        : sql``
    }${ctesBeside(sql, shipments)}
    SELECT account_id, account_id IN (SELECT account_id FROM debit) AS paid FROM wallet`;
  const stored = new Map(rows.map((row) => [row.account_id, row.paid]));
  for await (const { accounts, messages, sources, own } of statements) {
    if (stored.get(accounts[0]!))
      await insertMessages(sql, passes, accounts[0]!, messages, sources, own, now);
  }
  return stored;
}

const costOf = ({ shipments }: Plan) => shipments.reduce((sum, { cost }) => sum + cost, 0);

const keysOf = (plans: readonly AccountPlan[]) =>
  plans.flatMap(({ accountId, plan }) =>
    inOrderOfKeys(
      plan.shipments.flatMap(({ id, request: { sendKey } }) =>
        sendKey ? [{ accountId, ...sendKey.row(id) }] : [],
      ),
    ),
  );

/**
 * Finds the accounts with a key that is already stored, which would make their groups fail. Each key is looked up by
 * the primary key: a join planned while the table was empty read all of it, 280 µs of PostgreSQL per message with
 * 25,000 keys.
 */
const knownAccounts = (
  sql: Queryable,
  accounts: string,
  keys: readonly { readonly accountId: number; readonly key: string }[],
) => sql`
  SELECT u.account_id FROM unnest(
    ${bigints(keys.map(({ accountId }) => accountId))}::bigint[], ${textArray(keys.map(({ key }) => key))}::text[]
  ) AS u (account_id, key), LATERAL (
    SELECT FROM send_keys
    WHERE account_id = u.account_id AND account_id = ANY(${accounts}::bigint[]) AND key = u.key OFFSET 0
  ) k`;

function newShipment(sql: Queryable, shipment: PlannedShipment, validityMs: number): NewShipment {
  const { id, request, pass, scheduled: isScheduled, messages, cost, dueAt, lastDueAt } = shipment;
  const { accountId, lane, campaignName: name } = request;
  const payload = isLone(shipment) ? null : sql.waitingText(accountId, request.text);
  const call = storedCall(sql, accountId, request.call);
  const [first] = messages;
  const last = messages.at(-1);
  return {
    ...{
      id,
      lane,
      channel: TEXT_CHANNEL,
      isScheduled,
      name,
      payload,
      dueAt,
      validUntil: lastDueAt + validityOf(request, validityMs),
      call,
      pass,
      carrierOptions: request.carrierOptions,
      fallbackOf: request.fallbackOf,
    },
    ...(first && last && { messages: { count: messages.length, firstId: first.id, lastId: last.id, cost } }),
  };
}

/** Whether a shipment is one SMS and cannot get more messages. */
function isLone({ messages, listSends, request }: PlannedShipment): boolean {
  return messages.length === 1 && listSends.length === 0 && !request.call;
}

/** Rows of messages for one statement. */
interface MessageRows {
  readonly accounts: number[];
  readonly messages: PlannedMessage[];
  readonly sources: string[];
  /** Separate texts; always set for the only message of a shipment, so that its dispatch reads one table. */
  readonly own: (string | SealedText | null)[];
}

const noRows: MessageRows = { accounts: [], messages: [], sources: [], own: [] };

/**
 * Yields the rows of messages for each statement. They are created when needed, since there may be 100,000, and in
 * slices, since texts may have to be encrypted. The messages of several accounts share one statement.
 */
async function* messagesOf(
  sql: Queryable,
  shipments: readonly PlannedShipment[],
): AsyncGenerator<MessageRows, undefined> {
  const slice = new TimeSlice();
  let rows: MessageRows = { accounts: [], messages: [], sources: [], own: [] };
  for (const shipment of shipments) {
    const { request } = shipment;
    const shared = isLone(shipment) ? request.text : null;
    for (const message of shipment.messages) {
      rows.accounts.push(request.accountId);
      rows.messages.push(message);
      rows.sources.push(message.callerId ?? message.item.source ?? request.source);
      rows.own.push(sql.waitingText(request.accountId, message.text ?? shared));
      if (slice.isOver) await slice.rest();
      if (rows.messages.length < ROWS_A_STATEMENT) continue;
      yield rows;
      rows = { accounts: [], messages: [], sources: [], own: [] };
    }
  }
  if (rows.messages.length > 0) yield rows;
  return undefined;
}
