import type { OutgoingMessage } from '../carriers/carrier.ts';
import type { Channel } from '../channels/contract.ts';
import { channelOf, channels } from '../channels/index.ts';
import { accountsOf, numbers, texts } from '../database/arrays.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import type { IdSource } from '../ids.ts';
import type { CallInput } from '../messages/calls.ts';
import type { Lane } from '../messages/lanes.ts';
import type { SecretTexts } from '../messages/secret-text.ts';
import type { Logger } from '../observability/log.ts';

/** A message that was read for sending, with the batch that it belongs to. */
export interface DueMessage extends OutgoingMessage {
  readonly shipmentId: number;
  readonly batch: LoadedBatch;
  /** Its payload cannot be read, mostly since the key of its secret is lost: it fails. */
  readonly isUnreadable: boolean;
  /** How many times it was submitted without an answer: each may be a copy at the recipient. */
  copies: number;
  /** How many times it rang at somebody without an answer. */
  rings: number;
}

/** A batch that this process has leased. */
export interface LoadedBatch {
  readonly accountId: number;
  readonly id: number;
  /** Of all its messages. */
  readonly channel: number;
  readonly lane: Lane;
  readonly route: string;
  readonly attempt: number;
  readonly dueAt: number;
  /** Of a shipment that may be held back as a whole: scheduled, or a campaign that can be paused. */
  readonly heldShipmentId: number | null;
  messages: DueMessage[];
  /** Messages without a result. At 0 the batch has ended. */
  outstanding: number;
  /** Messages to try again later. */
  readonly retries: DueMessage[];
  /** None of them before this, in milliseconds since the epoch. */
  notBefore: number;
  /** Id of the batch that they go into: given once, so that an end that is stored again stores nothing twice. */
  retryId?: number;
}

/** How long a batch is leased; renewed at a third of it. What a killed process held is sent again after this. */
export const LEASE_MS = 30_000;

interface BatchRow {
  accountId: number;
  id: number;
  channel: number;
  route: string;
  dueAt: number;
  attempt: number;
  firstId: number;
  lastId: number;
  count: number;
  messageIds: number[] | null;
  copies: number[] | null;
  rings: number[] | null;
  heldShipmentId: number | null;
}

/** A leased batch whose messages are not read yet. */
export interface ClaimedBatch extends BatchRow {
  readonly lane: Lane;
}

/** What is looked for in a claim. */
export interface Claim {
  /** Whose batches: of one placement. */
  readonly accountIds: readonly number[];
  readonly lane: Lane;
  readonly routes: readonly string[];
  /** Batches of an account, at most. */
  readonly each: number;
  /** Messages of all together; the last batch may go beyond it. */
  readonly messages: number;
}

/** Leases due batches of some accounts, accounts in turns, of each the longest due first. */
export async function claimBatches(
  sql: Sql,
  owner: string,
  now: number,
  { accountIds, lane, routes, each, messages }: Claim,
): Promise<ClaimedBatch[]> {
  const accounts = numbers(accountIds);
  const rows = await sql<BatchRow[]>`
    UPDATE dispatch_batches b SET lease_owner = ${owner}, lease_until = ${now + LEASE_MS}
    FROM (
      SELECT account_id, id, sum(count) OVER (ORDER BY turn, due_at, id) - count AS before FROM (
        SELECT d.*, row_number() OVER (PARTITION BY d.account_id ORDER BY d.due_at, d.id) AS turn
        FROM unnest(${accounts}::bigint[]) AS a (id), LATERAL (
          SELECT account_id, id, due_at, count FROM dispatch_batches
          WHERE account_id = a.id AND account_id = ANY(${accounts}::bigint[]) AND lane = ${lane} AND due_at <= ${now}
            AND lease_until < ${now} AND route = ANY(${texts(routes)}::text[])
          ORDER BY due_at, id LIMIT ${each} FOR UPDATE SKIP LOCKED
        ) d
      ) t
    ) c
    WHERE b.account_id = ANY(${accounts}::bigint[]) AND b.account_id = c.account_id AND b.id = c.id
      AND c.before < ${messages}
    RETURNING b.account_id AS "accountId", b.id, b.channel, b.route, b.due_at AS "dueAt", b.attempt,
      b.first_id AS "firstId", b.last_id AS "lastId", b.count, b.message_ids AS "messageIds", b.copies, b.rings,
      b.held_shipment_id AS "heldShipmentId"`;
  return rows.map((row) => ({ ...row, lane })).sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
}

/** What a message is dispatched by. */
interface StoredMessage extends Pick<OutgoingMessage, 'accountId' | 'id' | 'source' | 'destination'> {
  readonly shipmentId: number;
  /** Its own payload; null: that of the shipment. */
  readonly own: string | null;
  readonly secretText: Uint8Array | null;
}

/** What messages have of their shipment. */
interface SharedByShipment {
  readonly payload: string | null;
  readonly call: CallInput | null;
  readonly validUntil: number;
}

interface MessageRow extends StoredMessage {
  /** Index of its batch among those that are read. */
  readonly batch: number;
}

/** Reads the messages of leased batches, of accounts of one placement, that have no result and were not submitted. */
export async function loadBatches(
  sql: Sql,
  claimed: readonly ClaimedBatch[],
  reader: PayloadReader,
): Promise<LoadedBatch[]> {
  const loaded = claimed.map(emptyBatch);
  const rows = await readMessages(sql, claimed);
  const shipments = await readShipments(sql, rows);
  const counts = claimed.map(({ messageIds, copies, rings }) => ({
    copies: byId(messageIds, copies),
    rings: byId(messageIds, rings),
  }));
  for (const row of rows) {
    const { copies, rings } = counts[row.batch]!;
    addMessage(reader, loaded[row.batch]!, row, shipments.get(row.shipmentId)!, {
      copies: copies.get(row.id) ?? 0,
      rings: rings.get(row.id) ?? 0,
    });
  }
  return loaded;
}

/** A batch whose messages are still to be added. */
export const emptyBatch = ({
  accountId,
  id,
  channel,
  lane,
  route,
  attempt,
  dueAt,
  heldShipmentId,
}: Omit<LoadedBatch, 'messages' | 'outstanding' | 'retries' | 'notBefore'>): LoadedBatch => ({
  ...{ accountId, id, channel, lane, route, attempt, dueAt, heldShipmentId },
  ...{ messages: [], outstanding: 0, retries: [], notBefore: 0 },
});

/** What payloads are read with. */
export interface PayloadReader {
  readonly secretTexts: SecretTexts;
  readonly log: Logger;
}

/** Puts a message at the end of its batch. */
export function addMessage(
  reader: PayloadReader,
  batch: LoadedBatch,
  message: StoredMessage,
  shipment: SharedByShipment,
  { copies = 0, rings = 0 } = {},
): void {
  const { accountId, id, shipmentId, source, destination, secretText } = message;
  const payload = readPayload(reader, channelOf(batch.channel), message, shipment);
  batch.messages.push({
    accountId,
    id,
    shipmentId,
    source,
    destination,
    payload,
    validUntil: shipment.validUntil,
    isUnreadable: payload === undefined,
    ...(secretText !== null && { isSecret: true }),
    batch,
    copies,
    rings,
  });
  batch.outstanding++;
}

/** What a message says; undefined when it cannot be read, or its secret not be opened. */
function readPayload(
  { secretTexts, log }: PayloadReader,
  { codec }: Channel,
  { accountId, id, own: stored, secretText }: StoredMessage,
  { payload: shared, call }: SharedByShipment,
) {
  try {
    const own = secretText === null ? stored : secretTexts.open(accountId, id, secretText);
    return codec.decode({ own, shared, call });
  } catch (error) {
    log.error({ err: error, accountId, messageId: id }, 'the payload of a message cannot be read');
    return undefined;
  }
}

/** Counts of a row by the messages that they are of. */
const byId = (ids: readonly number[] | null, counts: readonly number[] | null) =>
  new Map(counts?.map((count, at) => [ids![at]!, count]));

/** In the order of their ids. */
async function readMessages(sql: Sql, claimed: readonly ClaimedBatch[]): Promise<MessageRow[]> {
  const entries = claimed.map((batch, index) => ({ batch, index }));
  const listed = entries.filter(({ batch }) => batch.messageIds !== null);
  const first = entries.filter(({ batch }) => batch.messageIds === null);
  const rows = await Promise.all([
    first.length > 0 ? readRanges(sql, first) : [],
    listed.length > 0 ? readListed(sql, listed) : [],
  ]);
  return rows.flat();
}

interface ClaimEntry {
  readonly batch: ClaimedBatch;
  readonly index: number;
}

/** The columns of a StoredMessage, of the table `m`. */
const messageColumns = (sql: Sql) => sql`
  m.account_id AS "accountId", m.id, m.shipment_id AS "shipmentId", m.recipient AS destination, m.source,
  m.payload AS own, m.secret_text AS "secretText"`;

/** Messages of first attempts: those of a batch lie in a range of the primary key. */
async function readRanges(sql: Sql, entries: readonly ClaimEntry[]): Promise<MessageRow[]> {
  const batches = entries.map(({ batch }) => batch);
  // Bounds on the id cut the partitions; OFFSET keeps PostgreSQL from joining in another way than a range for each batch.
  return sql<MessageRow[]>`
    SELECT b.index AS batch, m.* FROM unnest(
      ${numbers(entries.map(({ index }) => index))}::integer[],
      ${numbers(batches.map(({ accountId }) => accountId))}::bigint[], ${numbers(batches.map(({ id }) => id))}::bigint[],
      ${numbers(batches.map(({ firstId }) => firstId))}::bigint[],
      ${numbers(batches.map(({ lastId }) => lastId))}::bigint[]
    ) AS b (index, account_id, id, first_id, last_id), LATERAL (
      SELECT ${messageColumns(sql)} FROM messages m
      WHERE account_id = b.account_id AND account_id = ANY(${accountsOf(batches)}::bigint[])
        AND id >= b.first_id AND id <= b.last_id AND batch_id = b.id
        AND id >= ${Math.min(...batches.map(({ firstId }) => firstId))}
        AND id <= ${Math.max(...batches.map(({ lastId }) => lastId))}
        AND final_at IS NULL AND handed_at IS NULL
      OFFSET 0
    ) m
    ORDER BY m.id`;
}

/** Messages of later attempts, which their batches list. */
async function readListed(sql: Sql, entries: readonly ClaimEntry[]): Promise<MessageRow[]> {
  const listed = entries.flatMap(({ batch, index }) =>
    batch.messageIds!.map((id) => ({ index, accountId: batch.accountId, id })),
  );
  const batches = entries.map(({ batch }) => batch);
  return sql<MessageRow[]>`
    SELECT b.index AS batch, ${messageColumns(sql)}
    FROM unnest(
      ${numbers(listed.map(({ index }) => index))}::integer[],
      ${numbers(listed.map(({ accountId }) => accountId))}::bigint[], ${numbers(listed.map(({ id }) => id))}::bigint[]
    ) AS b (index, account_id, id)
    JOIN messages m ON m.account_id = b.account_id AND m.id = b.id
    WHERE m.account_id = ANY(${accountsOf(batches)}::bigint[])
      AND m.id >= ${Math.min(...batches.map(({ firstId }) => firstId))}
      AND m.id <= ${Math.max(...batches.map(({ lastId }) => lastId))}
      AND m.final_at IS NULL AND m.handed_at IS NULL
    ORDER BY m.id`;
}

interface ShipmentRow extends SharedByShipment {
  readonly id: number;
}

async function readShipments(sql: Sql, rows: readonly MessageRow[]): Promise<Map<number, ShipmentRow>> {
  const owners = new Map(rows.map(({ shipmentId, accountId }) => [shipmentId, accountId]));
  if (owners.size === 0) return new Map();
  const ids = [...owners.keys()];
  const found = await sql<ShipmentRow[]>`
    SELECT s.* FROM unnest(${numbers([...owners.values()])}::bigint[], ${numbers(ids)}::bigint[]) AS u (account_id, id),
    LATERAL (
      SELECT id, payload, valid_until AS "validUntil", call FROM shipments
      WHERE account_id = u.account_id AND account_id = ANY(${accountsOf(rows)}::bigint[]) AND id = u.id
        AND id >= ${Math.min(...ids)} AND id <= ${Math.max(...ids)}
      OFFSET 0
    ) s`;
  return new Map(found.map((row) => [row.id, row]));
}

/** A batch by its key. */
type BatchKey = Pick<LoadedBatch, 'accountId' | 'id'>;

/** Renews the leases of batches of accounts of one placement. Returns the ids of those still ours. */
export async function renewLeases(
  sql: Queryable,
  owner: string,
  now: number,
  batches: readonly BatchKey[],
): Promise<Set<number>> {
  const accounts = numbers(batches.map(({ accountId }) => accountId));
  const rows = await sql<{ id: number }[]>`
    UPDATE dispatch_batches b SET lease_until = ${now + LEASE_MS}
    FROM unnest(${accounts}::bigint[], ${numbers(batches.map(({ id }) => id))}::bigint[]) AS u (account_id, id)
    WHERE b.account_id = ANY(${accounts}::bigint[]) AND b.account_id = u.account_id AND b.id = u.id
      AND b.lease_owner = ${owner}
    RETURNING b.id`;
  return new Set(rows.map((row) => row.id));
}

/**
 * Gives batches of accounts of one placement back, so that another process (or this one after a restart) goes on with what
 * has no result, from when it may.
 */
export async function releaseLeases(
  sql: Sql,
  owner: string,
  batches: readonly (BatchKey & Pick<LoadedBatch, 'notBefore'>)[],
): Promise<void> {
  const accounts = numbers(batches.map(({ accountId }) => accountId));
  await sql`
    UPDATE dispatch_batches AS b SET lease_until = u.until, lease_owner = NULL
    FROM unnest(
      ${accounts}::bigint[], ${numbers(batches.map(({ id }) => id))}::bigint[],
      ${numbers(batches.map(({ notBefore }) => notBefore))}::bigint[]
    ) AS u (account_id, id, until)
    WHERE b.account_id = ANY(${accounts}::bigint[]) AND b.account_id = u.account_id AND b.id = u.id
      AND b.lease_owner = ${owner}`;
}

/**
 * Gives back every lease there is: only for the one process of an embedded database, when it starts. Batches of a channel
 * whose network tells which messages it took rest for that time (`settleMs`).
 */
export async function releaseAllLeases(sql: Sql, now: number): Promise<void> {
  for (const { id, connectors } of channels) {
    await sql`
      UPDATE dispatch_batches SET lease_owner = NULL,
        lease_until = ${connectors.settleMs === 0 ? 0 : now + connectors.settleMs}::bigint
      WHERE channel = ${id} AND lease_until > 0`;
  }
  await sql`UPDATE links SET lease_until = 0 WHERE lease_until > 0`;
}

/** What the end of a batch is made of. */
export type EndedBatch = Pick<
  LoadedBatch,
  'accountId' | 'id' | 'channel' | 'lane' | 'route' | 'attempt' | 'heldShipmentId' | 'retryId'
> & { readonly retries: readonly Pick<DueMessage, 'id' | 'copies' | 'rings'>[] };

/** A batch whose messages all have a result or are to be tried again at `retryAt`. */
export interface BatchEnd {
  readonly batch: EndedBatch;
  readonly retryAt: number;
}

/** A batch with this due time waits in quarantine for an operator: the last time that a Date can have. */
const QUARANTINED_AT = 8_640_000_000_000_000;

/** Takes a batch out of dispatching, in the transaction that puts its end into quarantine. */
export async function setAside(
  tx: Queryable,
  { accountId, id }: Pick<LoadedBatch, 'accountId' | 'id'>,
): Promise<void> {
  await tx`
    UPDATE dispatch_batches SET due_at = ${QUARANTINED_AT}, lease_owner = NULL, lease_until = 0
    WHERE account_id = ${accountId} AND id = ${id}`;
}

/** Puts what is to be tried again into new batches, in the transaction that removes the old ones. */
export async function queueRetries(tx: Queryable, ids: IdSource, ends: readonly BatchEnd[]): Promise<void> {
  if (ends.length === 0) return;
  const batches = ends.map(({ batch, retryAt }) => {
    batch.retryId ??= ids.next();
    const messageIds = batch.retries.map(({ id }) => id);
    const countsOf = (counter: 'copies' | 'rings') =>
      batch.retries.some((message) => message[counter] > 0)
        ? numbers(batch.retries.map((message) => message[counter]))
        : null;
    return {
      ...batch,
      retryId: batch.retryId,
      retryAt,
      first: Math.min(...messageIds),
      last: Math.max(...messageIds),
      messageIds,
      copies: countsOf('copies'),
      rings: countsOf('rings'),
    };
  });
  // Lists of different lengths: each goes as the text of one.
  await tx`
    INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, attempt, first_id, last_id, message_ids,
      copies, rings, count, held_shipment_id)
    SELECT w.account_id, u.id, u.channel, u.lane, u.route, u.due_at, u.attempt, u.first_id, u.last_id,
      u.message_ids::bigint[], u.copies::smallint[], u.rings::smallint[], u.count, u.held_shipment_id
    FROM wallets w, unnest(
      ${numbers(batches.map(({ accountId }) => accountId))}::bigint[],
      ${numbers(batches.map(({ retryId }) => retryId))}::bigint[],
      ${numbers(batches.map(({ channel }) => channel))}::smallint[],
      ${numbers(batches.map(({ lane }) => lane))}::smallint[],
      ${texts(batches.map(({ route }) => route))}::text[],
      ${numbers(batches.map(({ retryAt }) => retryAt))}::bigint[],
      ${numbers(batches.map(({ attempt }) => attempt + 1))}::smallint[],
      ${numbers(batches.map(({ first }) => first))}::bigint[],
      ${numbers(batches.map(({ last }) => last))}::bigint[],
      ${texts(batches.map(({ messageIds }) => numbers(messageIds)))}::text[],
      ${texts(batches.map(({ copies }) => copies))}::text[],
      ${texts(batches.map(({ rings }) => rings))}::text[],
      ${numbers(batches.map(({ messageIds }) => messageIds.length))}::integer[],
      ${numbers(batches.map(({ heldShipmentId }) => heldShipmentId))}::bigint[]
    ) AS u (account_id, id, channel, lane, route, due_at, attempt, first_id, last_id, message_ids, copies, rings, count,
      held_shipment_id)
    WHERE w.account_id = u.account_id
      AND w.account_id = ANY(${accountsOf(batches)}::bigint[])
    ON CONFLICT (account_id, id) DO NOTHING`;
}

/** Accounts and lanes with batches that are due and not leased. */
export async function findDue(sql: Sql, now: number): Promise<{ accountId: number; lane: Lane }[]> {
  return sql<{ accountId: number; lane: Lane }[]>`
    SELECT account_id AS "accountId", lane FROM dispatch_batches WHERE due_at <= ${now} AND lease_until < ${now}
    GROUP BY account_id, lane ORDER BY min(due_at) LIMIT 10000`;
}
