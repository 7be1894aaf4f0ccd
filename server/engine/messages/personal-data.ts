import { numbers, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { isSealed } from '../../database/is-sealed.ts';
import type { Context } from '../../kit/context.ts';
import { timeOfId } from '../../kit/ids.ts';
import { CANCELLED, status } from '../../kit/statuses.ts';
import { parseAmount, toNumeric } from '../../modules/accounts/money.ts';
import { type LedgerEntry, moveWallet } from '../../modules/accounts/wallets.ts';
import type {
  Counts,
  Erasure,
  ExportedRow,
  PersonalDataPart,
  Search,
} from '../../modules/personal-data/part.ts';
import { identifiersOf, PSEUDONYM } from '../../modules/personal-data/subject.ts';
import { isoOf, ROWS_AT_ONCE } from '../../modules/personal-data/table-parts.ts';
import { openedCall } from './calls.ts';
import type { Unrendered } from './cancel.ts';
import { shipmentStates } from './shipment-states.ts';
import { stateOf } from './states.ts';

interface MessagesPartDeps extends Pick<Context, 'ids' | 'clock' | 'channels'> {
  readonly unrendered: Pick<Unrendered, 'reverse'>;
  /** Tells the dispatchers to drop these messages from memory. */
  readonly messagesCancelled: (cancelled: {
    readonly accountId: number;
    readonly messageIds: readonly number[];
  }) => void;
}

interface MessageRow {
  readonly id: number;
  readonly shipment_id: number;
  readonly channel: number;
  readonly payload: string | null;
  readonly code: string | null;
}

interface ErasedMessage extends MessageRow {
  readonly is_sealed: boolean;
}

interface ExportedMessage extends MessageRow {
  readonly recipient: string;
  readonly source: string;
  readonly external_id: string | null;
  readonly parts: number;
  readonly price: string;
  readonly status: number;
  readonly handed_at: number | null;
  readonly final_at: number | null;
  readonly read_at: number | null;
  readonly campaign_name: string | null;
  readonly shared: string | null;
  readonly call: { readonly text?: string } | null;
}

/**
 * Personal data in sent messages of all channels, with the content of their shipments. An erasure cancels and refunds
 * waiting messages. Others stay for statistics and bills, with a pseudonym for the recipient and without content.
 */
export function messagesPart(deps: MessagesPartDeps): PersonalDataPart {
  return {
    tables: ['messages', 'shipments', 'waits', 'carrier_messages', 'kept_requests', 'short_links', 'clicks'],
    count: countMessages,
    rows: (search) => exportMessages(search, deps),

    async erase(erasure) {
      let messages = 0;
      for (const identifier of identifiersOf(erasure.subject)) {
        messages += await eraseRecipient(erasure, deps, identifier);
      }
      return { messages };
    },

    async cancelWaiting(search) {
      for (const identifier of identifiersOf(search.subject)) await cancelRecipient(search, deps, identifier);
    },

    async emptyShipments(tx, accountId, shipmentIds) {
      const ids = numbers(shipmentIds);
      await tx`
        UPDATE shipments SET payload = NULL, call = call || '{"text": ""}'::jsonb, text_removed = true
        WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])`;
      await tx`DELETE FROM kept_requests WHERE account_id = ${accountId} AND shipment_id = ANY(${ids}::bigint[])`;
      await tx`DELETE FROM short_links WHERE account_id = ${accountId} AND shipment_id = ANY(${ids}::bigint[])`;
    },
  };
}

async function countMessages({ sql, accountId, subject, keepLease }: Search): Promise<Counts> {
  const recipients = texts(identifiersOf(subject));
  await keepLease();
  const [row] = await sql<{ messages: number; clicks: number }[]>`
    SELECT count(*)::int AS messages, coalesce(sum((
      SELECT count(*) FROM clicks c
      WHERE c.account_id = ${accountId} AND c.shipment_id = m.shipment_id AND c.message_id = m.id)), 0)::int AS clicks
    FROM messages m WHERE m.account_id = ${accountId} AND m.recipient = ANY(${recipients}::text[])`;
  return { messages: row!.messages, clicks: row!.clicks };
}

async function* exportMessages(search: Search, { channels }: MessagesPartDeps): AsyncGenerator<ExportedRow> {
  const { sql, accountId, subject, keepLease } = search;
  const recipients = texts(identifiersOf(subject));
  for (let after = 0; ; ) {
    await keepLease();
    const rows = await sql<ExportedMessage[]>`
      SELECT m.id, m.shipment_id, m.channel, m.recipient, m.source, m.payload, m.external_id, m.parts, m.price, m.status,
        m.code, m.handed_at, m.final_at, m.read_at, s.campaign_name, s.payload AS shared, s.call
      FROM messages m LEFT JOIN shipments s ON s.account_id = ${accountId} AND s.id = m.shipment_id
      WHERE m.account_id = ${accountId} AND m.recipient = ANY(${recipients}::text[]) AND m.id > ${after}
      ORDER BY m.id LIMIT ${ROWS_AT_ONCE}`;
    for (const row of rows) yield { kind: 'messages', row: shown(row) };
    yield* clicksOn(search, rows);
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }

  function shown(row: ExportedMessage): Record<string, unknown> {
    const channel = channels.of(row.channel);
    const said = row.payload ?? openedCall(row.call)?.text ?? row.shared;
    return {
      id: String(row.id),
      at: isoOf(timeOfId(row.id)),
      channel: channel.name,
      from: row.source,
      to: row.recipient,
      text: channel.codec.summary(said),
      content: said,
      state: stateOf(row),
      submitted_at: row.handed_at && isoOf(row.handed_at),
      final_at: row.final_at && isoOf(row.final_at),
      read_at: row.read_at && isoOf(row.read_at),
      code: row.code,
      parts: row.parts,
      price: row.price,
      external_id: row.external_id,
      campaign: row.campaign_name,
      shipment_id: String(row.shipment_id),
    };
  }
}

async function* clicksOn(
  { sql, accountId }: Search,
  messages: readonly ExportedMessage[],
): AsyncGenerator<ExportedRow> {
  const rows = await sql<{ id: number; message_id: number; url: string | null }[]>`
    SELECT c.id, c.message_id, l.url
    FROM unnest(
      ${numbers(messages.map((row) => row.shipment_id))}::bigint[], ${numbers(messages.map(({ id }) => id))}::bigint[]
    ) AS u (shipment_id, message_id)
    JOIN clicks c ON c.shipment_id = u.shipment_id AND c.message_id = u.message_id
    LEFT JOIN short_links l ON l.account_id = ${accountId} AND l.id = c.link_id
    WHERE c.account_id = ${accountId} ORDER BY c.id`;
  for (const { id, message_id, url } of rows) {
    const row = { id: String(id), at: isoOf(timeOfId(id)), message_id: String(message_id), url };
    yield { kind: 'clicks', row };
  }
}

/** Erases the messages to one recipient, in batches. Returns their number. */
async function eraseRecipient(erasure: Erasure, deps: MessagesPartDeps, identifier: string): Promise<number> {
  const { sql, accountId, keepLease } = erasure;
  for (let erased = 0; ; ) {
    await keepLease();
    const { rows, count, cancelled } = await sql.begin(async (tx) => {
      const rows = await tx<ErasedMessage[]>`
        SELECT id, shipment_id, channel, payload, coalesce(${isSealed(tx, tx`payload`)}, false) AS is_sealed, code FROM messages
        WHERE account_id = ${accountId} AND recipient = ${identifier} ORDER BY id LIMIT ${ROWS_AT_ONCE}`;
      if (rows.length === 0) return { rows, count: 0, cancelled: [] };
      const cancelled = await cancelSome(tx, deps, accountId, rows);
      const count = await pseudonymise(tx, deps, erasure, identifier, rows);
      return { rows, count, cancelled };
    });
    if (cancelled.length > 0) deps.messagesCancelled({ accountId, messageIds: cancelled });
    erased += count;
    if (rows.length < ROWS_AT_ONCE) return erased;
  }
}

/** Cancels the messages to one recipient that were not submitted to a carrier, page by page. */
async function cancelRecipient(
  { sql, accountId }: Search,
  deps: MessagesPartDeps,
  identifier: string,
): Promise<void> {
  for (let after = 0; ; ) {
    const { rows, cancelled } = await sql.begin(async (tx) => {
      const rows = await tx<Pick<MessageRow, 'id' | 'shipment_id'>[]>`
        SELECT id, shipment_id FROM messages
        WHERE account_id = ${accountId} AND recipient = ${identifier} AND id > ${after}
          AND final_at IS NULL AND handed_at IS NULL
        ORDER BY id LIMIT ${ROWS_AT_ONCE}`;
      return { rows, cancelled: rows.length > 0 ? await cancelSome(tx, deps, accountId, rows) : [] };
    });
    if (cancelled.length > 0) deps.messagesCancelled({ accountId, messageIds: cancelled });
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}

interface CancelledRow {
  readonly id: number;
  readonly shipment_id: number;
  readonly channel: number;
  readonly price: string;
}

/** Cancels waiting messages like a cancelled campaign, under the locks of their shipments. Returns their ids. */
async function cancelSome(
  tx: TransactionSql,
  { ids, clock, unrendered }: MessagesPartDeps,
  accountId: number,
  rows: readonly Pick<MessageRow, 'id' | 'shipment_id'>[],
): Promise<number[]> {
  const now = clock.now();
  const shipments = await tx<{ id: number; state: number }[]>`
    SELECT id, state FROM shipments
    WHERE account_id = ${accountId} AND id = ANY(${numbers([...new Set(rows.map((row) => row.shipment_id))])}::bigint[])
    ORDER BY id FOR UPDATE`;
  const gone = await tx<CancelledRow[]>`
    UPDATE messages SET status = ${status.deleted}, final_at = ${now}, code = ${CANCELLED}, secret_text = NULL
    WHERE account_id = ${accountId} AND id = ANY(${numbers(rows.map(({ id }) => id))}::bigint[])
      AND final_at IS NULL AND handed_at IS NULL
    RETURNING id, shipment_id, channel, price`;
  if (gone.length === 0) return [];
  for (const [channel, mine] of Map.groupBy(gone, (row) => row.channel)) {
    const all = mine.map(({ id }) => id);
    await unrendered.reverse(tx, accountId, channel, {
      shipmentIds: [...new Set(mine.map((row) => row.shipment_id))],
      firstId: Math.min(...all),
      lastId: Math.max(...all),
      at: now,
    });
  }
  const entries: LedgerEntry[] = [];
  for (const [shipmentId, mine] of Map.groupBy(gone, (row) => row.shipment_id)) {
    const amount = mine.reduce((sum, { price }) => sum + parseAmount(price), 0);
    if (amount === 0) continue;
    const isHeld = shipments.find(({ id }) => id === shipmentId)?.state === shipmentStates.scheduled;
    entries.push({ kind: isHeld ? 'release' : 'refund', amount, shipmentId, note: 'cancelled' });
    // The cost of a scheduled shipment is reserved until it starts, and then released and charged as a whole.
    if (isHeld) {
      await tx`
        UPDATE messages SET price = 0
        WHERE account_id = ${accountId} AND id = ANY(${numbers(mine.map(({ id }) => id))}::bigint[])`;
      await tx`
        UPDATE shipments SET cost = cost - ${toNumeric(amount)}::numeric
        WHERE account_id = ${accountId} AND id = ${shipmentId}`;
    }
  }
  if (entries.length > 0) await moveWallet(tx, ids, now, accountId, entries);
  return gone.map(({ id }) => id);
}

/** Replaces the codes of the waits of messages. `ids` is an array of SQL. */
async function replaceInWaits(
  tx: TransactionSql,
  accountId: number,
  ids: string,
  replace: (code: string) => string,
): Promise<void> {
  const waits = await tx<{ id: number; code: string }[]>`
    SELECT w.id, w.code FROM waits w
    WHERE w.account_id = ${accountId} AND w.code IS NOT NULL AND w.subject_id IN (
      SELECT batch_id FROM messages WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[]))`;
  for (const { id, code } of waits) {
    const replaced = replace(code);
    if (replaced !== code)
      await tx`UPDATE waits SET code = ${replaced} WHERE account_id = ${accountId} AND id = ${id}`;
  }
}

/**
 * Replaces the recipient by the pseudonym, and removes the content and the carriers' ids of the messages. Returns their
 * number.
 */
async function pseudonymise(
  tx: TransactionSql,
  { channels }: MessagesPartDeps,
  { accountId, mentions, pseudonymOf, emptyShipments }: Erasure,
  identifier: string,
  rows: readonly ErasedMessage[],
): Promise<number> {
  const ids = numbers(rows.map(({ id }) => id));
  const payloads = rows.map(({ channel, payload, is_sealed }) => {
    // A sealed payload is empty when its key is lost.
    const rest = payload ? channels.of(channel).codec.withoutText?.(payload) : undefined;
    return rest === undefined ? null : tx.rewrittenText(accountId, rest, is_sealed);
  });
  // The rejection of a mail server may quote the address.
  const withoutAddress = (code: string) => mentions.replace(code, pseudonymOf);
  const codes = rows.map(({ code }) => code && withoutAddress(code));
  await replaceInWaits(tx, accountId, ids, withoutAddress);
  // Another erasure of the same person may have been faster.
  const { count } = await tx`
    UPDATE messages m SET recipient = ${pseudonymOf(identifier)}, payload = u.payload, text_removed = true, media_id = NULL, code = CASE
        WHEN m.code IS NULL OR u.code IS NULL THEN m.code ELSE u.code END, external_id = NULL
    FROM unnest(${ids}::bigint[], ${texts(payloads)}::text[], ${texts(codes)}::text[]) AS u (id, payload, code)
    WHERE m.account_id = ${accountId} AND m.id = u.id AND m.id = ANY(${ids}::bigint[])
      AND m.recipient = ${identifier}`;
  await tx`
    DELETE FROM carrier_messages c USING messages m
    WHERE c.account_id = ${accountId} AND c.message_id = ANY(${ids}::bigint[]) AND m.account_id = ${accountId}
      AND m.id = c.message_id AND m.id = ANY(${ids}::bigint[]) AND m.final_at IS NOT NULL`;
  await tx`
    UPDATE carrier_messages SET phone = ''
    WHERE account_id = ${accountId} AND message_id = ANY(${ids}::bigint[])`;
  const shipmentIds = numbers([...new Set(rows.map((row) => row.shipment_id))]);
  const emptied = await tx<{ id: number }[]>`
    SELECT s.id FROM shipments s
    WHERE s.account_id = ${accountId} AND s.id = ANY(${shipmentIds}::bigint[]) AND NOT EXISTS (
      SELECT 1 FROM messages m
      WHERE m.account_id = ${accountId} AND m.id >= s.first_id AND m.id <= s.last_id AND m.shipment_id = s.id
        AND m.recipient NOT LIKE ${`${PSEUDONYM}%`}
      OFFSET 0)`;
  if (emptied.length > 0)
    await emptyShipments(
      tx,
      emptied.map(({ id }) => id),
    );
  return count;
}
