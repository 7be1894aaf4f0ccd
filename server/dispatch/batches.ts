import type { OutgoingMessage } from '../carriers/carrier.ts';
import type { Channel } from '../channels/contract.ts';
import { channelOf, channels } from '../channels/index.ts';
import { numbers, texts } from '../database/arrays.ts';
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
  account_id: number;
  id: number;
  channel: number;
  route: string;
  due_at: number;
  attempt: number;
  first_id: number;
  last_id: number;
  count: number;
  message_ids: number[] | null;
  copies: number[] | null;
  rings: number[] | null;
  held_shipment_id: number | null;
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
    RETURNING b.account_id, b.id, b.channel, b.route, b.due_at, b.attempt, b.first_id, b.last_id, b.count, b.message_ids,
      b.copies, b.rings, b.held_shipment_id`;
  return rows.map((row) => ({ ...row, lane })).sort((a, b) => a.due_at - b.due_at || a.id - b.id);
}

interface MessageRow {
  /** Index of its batch among those that are read. */
  batch: number;
  account_id: number;
  id: number;
  shipment_id: number;
  recipient: string;
  source: string;
  payload: string | null;
  secret_text: Uint8Array | null;
}

/** Reads the messages of leased batches, of accounts of one placement, that have no result and were not submitted. */
export async function loadBatches(
  sql: Sql,
  claimed: readonly ClaimedBatch[],
  reader: PayloadReader,
): Promise<LoadedBatch[]> {
  const loaded = claimed.map((row) =>
    emptyBatch({
      accountId: row.account_id,
      id: row.id,
      channel: row.channel,
      lane: row.lane,
      route: row.route,
      attempt: row.attempt,
      dueAt: row.due_at,
      heldShipmentId: row.held_shipment_id,
    }),
  );
  const rows = await readMessages(sql, claimed);
  const shipments = await readShipments(sql, rows);
  const byBatch = Map.groupBy(rows, ({ batch }) => batch);
  for (const [index, batch] of loaded.entries()) {
    const { message_ids, ...counts } = claimed[index]!;
    const copies = byId(message_ids, counts.copies);
    const rings = byId(message_ids, counts.rings);
    const channel = channelOf(batch.channel);
    batch.messages = (byBatch.get(index) ?? []).map((row) => {
      const shipment = shipments.get(row.shipment_id)!;
      const { account_id: accountId, id, payload: own, secret_text: secretText } = row;
      const payload = readPayload(reader, channel, { accountId, id, own, secretText }, shipment);
      return {
        accountId,
        id,
        shipmentId: row.shipment_id,
        source: row.source,
        destination: row.recipient,
        payload,
        validUntil: shipment.valid_until,
        isUnreadable: payload === undefined,
        ...(secretText !== null && { isSecret: true }),
        batch,
        copies: copies.get(row.id) ?? 0,
        rings: rings.get(row.id) ?? 0,
      };
    });
    batch.outstanding = batch.messages.length;
  }
  return loaded;
}

/** A batch whose messages are still to be added. */
export const emptyBatch = (
  fields: Omit<LoadedBatch, 'messages' | 'outstanding' | 'retries' | 'notBefore'>,
): LoadedBatch => ({ ...fields, messages: [], outstanding: 0, retries: [], notBefore: 0 });

/** What payloads are read with. */
export interface PayloadReader {
  readonly secretTexts: SecretTexts;
  readonly log: Logger;
}

/** What a message says; undefined when it cannot be read, or its secret not be opened. */
export function readPayload(
  { secretTexts, log }: PayloadReader,
  { codec }: Channel,
  message: {
    readonly accountId: number;
    readonly id: number;
    readonly own: string | null;
    readonly secretText: Uint8Array | null;
  },
  { payload: shared, call }: { readonly payload: string | null; readonly call: CallInput | null },
) {
  const { accountId, id, secretText } = message;
  try {
    const own = secretText === null ? message.own : secretTexts.open(accountId, id, secretText);
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
  const listed = entries.filter(({ batch }) => batch.message_ids !== null);
  const first = entries.filter(({ batch }) => batch.message_ids === null);
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

const accountsOf = (rows: readonly { readonly account_id: number }[]) =>
  numbers([...new Set(rows.map(({ account_id }) => account_id))]);

/** Messages of first attempts: those of a batch lie in a range of the primary key. */
async function readRanges(sql: Sql, entries: readonly ClaimEntry[]): Promise<MessageRow[]> {
  const batches = entries.map(({ batch }) => batch);
  // Bounds on the id cut the partitions; OFFSET keeps PostgreSQL from joining in another way than a range for each batch.
  return sql<MessageRow[]>`
    SELECT b.index AS batch, m.* FROM unnest(
      ${numbers(entries.map(({ index }) => index))}::integer[],
      ${numbers(batches.map((batch) => batch.account_id))}::bigint[], ${numbers(batches.map(({ id }) => id))}::bigint[],
      ${numbers(batches.map((batch) => batch.first_id))}::bigint[],
      ${numbers(batches.map((batch) => batch.last_id))}::bigint[]
    ) AS b (index, account_id, id, first_id, last_id), LATERAL (
      SELECT account_id, id, shipment_id, recipient, source, payload, secret_text FROM messages
      WHERE account_id = b.account_id AND account_id = ANY(${accountsOf(batches)}::bigint[])
        AND id >= b.first_id AND id <= b.last_id AND batch_id = b.id
        AND id >= ${Math.min(...batches.map((batch) => batch.first_id))}
        AND id <= ${Math.max(...batches.map((batch) => batch.last_id))}
        AND final_at IS NULL AND handed_at IS NULL
      OFFSET 0
    ) m
    ORDER BY m.id`;
}

/** Messages of later attempts, which their batches list. */
async function readListed(sql: Sql, entries: readonly ClaimEntry[]): Promise<MessageRow[]> {
  const listed = entries.flatMap(({ batch, index }) =>
    batch.message_ids!.map((id) => ({ index, account_id: batch.account_id, id })),
  );
  const batches = entries.map(({ batch }) => batch);
  return sql<MessageRow[]>`
    SELECT b.index AS batch, m.account_id, m.id, m.shipment_id, m.recipient, m.source, m.payload, m.secret_text
    FROM unnest(
      ${numbers(listed.map(({ index }) => index))}::integer[],
      ${numbers(listed.map(({ account_id }) => account_id))}::bigint[], ${numbers(listed.map(({ id }) => id))}::bigint[]
    ) AS b (index, account_id, id)
    JOIN messages m ON m.account_id = b.account_id AND m.id = b.id
    WHERE m.account_id = ANY(${accountsOf(batches)}::bigint[])
      AND m.id >= ${Math.min(...batches.map((batch) => batch.first_id))}
      AND m.id <= ${Math.max(...batches.map((batch) => batch.last_id))}
      AND m.final_at IS NULL AND m.handed_at IS NULL
    ORDER BY m.id`;
}

interface ShipmentRow {
  id: number;
  payload: string | null;
  valid_until: number;
  call: CallInput | null;
}

async function readShipments(sql: Sql, rows: readonly MessageRow[]): Promise<Map<number, ShipmentRow>> {
  const owners = new Map(rows.map((row) => [row.shipment_id, row.account_id]));
  if (owners.size === 0) return new Map();
  const ids = [...owners.keys()];
  const found = await sql<ShipmentRow[]>`
    SELECT s.* FROM unnest(${numbers([...owners.values()])}::bigint[], ${numbers(ids)}::bigint[]) AS u (account_id, id),
    LATERAL (
      SELECT id, payload, valid_until, call FROM shipments
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
      AND w.account_id = ANY(${numbers([...new Set(batches.map(({ accountId }) => accountId))])}::bigint[])
    ON CONFLICT (account_id, id) DO NOTHING`;
}

/** Accounts and lanes with batches that are due and not leased. */
export async function findDue(sql: Sql, now: number): Promise<{ account_id: number; lane: Lane }[]> {
  return sql<{ account_id: number; lane: Lane }[]>`
    SELECT account_id, lane FROM dispatch_batches WHERE due_at <= ${now} AND lease_until < ${now}
    GROUP BY account_id, lane ORDER BY min(due_at) LIMIT 10000`;
}
