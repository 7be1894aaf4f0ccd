import { texts } from '../../database/arrays.ts';
import type { Query, Queryable, Row, Sql, TransactionSql } from '../../database/connection.ts';
import { type IdSource, idFloor } from '../../kit/ids.ts';
import type { Failure } from './attempt.ts';
import type { Event, Item } from './types.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** How long an event is attempted (decisions, section 4). */
export const GIVE_UP_AFTER = 24 * HOUR;
const PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR];
const PAGE = 1_000;

/**
 * Returns the time of the next try after `attempts` failed ones, delayed randomly by up to a fifth of the pause; null
 * after a final failure, and when the time has ended.
 */
function nextAttempt(attempts: number, { at: now, isFinal }: Failure, giveUpAt: number): number | null {
  if (isFinal) return null;
  const pause = PAUSES[Math.min(attempts, PAUSES.length) - 1]!;
  const at = Math.round(now + pause * (1 + Math.random() / 5));
  return at < giveUpAt ? at : null;
}

export type DeliveryState = 'retrying' | 'failed' | 'done';

/** A delivery for the console and the command line. Times are milliseconds since the epoch. */
export interface Delivery {
  readonly id: number;
  readonly endpoint_id: number;
  readonly event_key: string;
  readonly event: Event;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next_at: number;
  readonly give_up_at: number;
  readonly last_at: number | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly last_answer: string | null;
}

/** An item that one endpoint has not accepted; `failure` is null when it was not attempted. */
export interface Undelivered {
  readonly item: Item;
  readonly failure: Failure | null;
  readonly giveUpAt: number;
  /** Whether another event was recorded in its place. */
  readonly isReplaced?: boolean;
}

/** A due delivery. */
export interface Due {
  readonly id: number;
  readonly item: Item;
  readonly attempts: number;
  readonly giveUpAt: number;
}

/**
 * Stores items that one endpoint has not accepted, and schedules its backlog: at the first retry, or at `restAt` for
 * items that were not attempted.
 */
export async function storeDeliveries(
  tx: TransactionSql,
  ids: IdSource,
  accountId: number,
  endpointId: number,
  all: readonly Undelivered[],
  restAt: number,
): Promise<void> {
  const rows = all.map(({ item, failure, giveUpAt, isReplaced }) => ({
    item,
    failure,
    giveUpAt,
    nextAt: isReplaced ? null : failure ? nextAttempt(1, failure, giveUpAt) : restAt,
    error: failure?.error ?? (isReplaced ? 'the host is down' : null),
  }));
  // Without a waiting delivery, the backlog is removed when it is due.
  const soonest = rows.reduce(
    (least, { nextAt }) => Math.min(least, nextAt ?? restAt),
    Number.MAX_SAFE_INTEGER,
  );
  await tx`
    INSERT INTO event_backlogs AS b (account_id, endpoint_id, next_at) VALUES (${accountId}, ${endpointId}, ${soonest})
    ON CONFLICT (account_id, endpoint_id) DO UPDATE SET next_at = least(b.next_at, excluded.next_at)`;
  for (let from = 0; from < rows.length; from += PAGE) {
    const page = rows.slice(from, from + PAGE);
    // Selects from the backlog's row, so that the statement uses one shard; plain unnest would not
    // (docs/decisions/0005-sql-that-can-be-distributed.md).
    await tx`
      INSERT INTO deliveries (account_id, id, endpoint_id, event_key, event, state, attempts, next_at, give_up_at,
        last_at, last_status, last_error, last_answer)
      SELECT b.account_id, r.id, b.endpoint_id, r.event_key, r.event, r.state, r.attempts, r.next_at, r.give_up_at,
        r.last_at, r.last_status, r.last_error, r.last_answer
      FROM event_backlogs b, unnest(${page.map(() => ids.next())}::bigint[], ${page.map((row) => row.item.key)}::text[],
        ${page.map((row) => tx.waitingText(accountId, JSON.stringify(row.item.event)))}::text[],
        ${page.map((row) => (row.nextAt === null ? 'failed' : 'retrying'))}::text[],
        ${page.map((row) => (row.failure ? 1 : 0))}::smallint[], ${page.map((row) => row.nextAt ?? 0)}::bigint[],
        ${page.map((row) => row.giveUpAt)}::bigint[], ${page.map((row) => row.failure?.at ?? null)}::bigint[],
        ${page.map((row) => row.failure?.status ?? null)}::smallint[],
        ${page.map((row) => row.error)}::text[],
        ${page.map((row) => tx.waitingText(accountId, row.failure?.answer ?? null))}::text[])
        AS r (id, event_key, event, state, attempts, next_at, give_up_at, last_at, last_status, last_error, last_answer)
      WHERE b.account_id = ${accountId} AND b.endpoint_id = ${endpointId}`;
  }
}

/** Reads waiting deliveries of an endpoint; `which` has further conditions and the order. */
async function readDue(sql: Sql, accountId: number, endpointId: number, which: Query<Row[]>): Promise<Due[]> {
  const rows = await sql<(Pick<Due, 'id' | 'attempts' | 'giveUpAt'> & { key: string; event: string })[]>`
    SELECT id, event_key AS key, event, attempts, give_up_at AS "giveUpAt" FROM deliveries
    WHERE account_id = ${accountId} AND endpoint_id = ${endpointId} AND state = 'retrying' ${which}`;
  return rows.map(({ key, event, ...due }) => ({ ...due, item: { key, event: JSON.parse(event) as Event } }));
}

/** Returns due deliveries of an endpoint, the oldest events first. */
export async function dueDeliveries(
  sql: Sql,
  accountId: number,
  endpointId: number,
  now: number,
  most: number,
): Promise<Due[]> {
  return readDue(
    sql,
    accountId,
    endpointId,
    sql`AND next_at <= ${now} ORDER BY give_up_at, id LIMIT ${most}`,
  );
}

/**
 * Returns the delivery that probes an endpoint that is down: the one with the fewest delays, so that an event that the
 * endpoint cannot accept does not block all others.
 */
export async function probeDelivery(
  sql: Sql,
  accountId: number,
  endpointId: number,
): Promise<Due | undefined> {
  return (await readDue(sql, accountId, endpointId, sql`ORDER BY next_at, id LIMIT 1`))[0];
}

/** Returns the time at which the next delivery of an endpoint is due, or null when no delivery waits. */
export async function nextDue(sql: Sql, accountId: number, endpointId: number): Promise<number | null> {
  const [row] = await sql<{ next: number | null }[]>`
    SELECT min(next_at) AS next FROM deliveries
    WHERE account_id = ${accountId} AND endpoint_id = ${endpointId} AND state = 'retrying'`;
  return row!.next;
}

/** Stores attempts; a null failure means success. */
export async function recordAttempts(
  sql: Queryable,
  accountId: number,
  now: number,
  results: readonly { due: Due; failure: Failure | null }[],
): Promise<void> {
  if (results.length === 0) return;
  const rows = results.map(({ due, failure }) => ({
    id: due.id,
    failure,
    nextAt: failure ? nextAttempt(due.attempts + 1, failure, due.giveUpAt) : 0,
  }));
  await sql`
    UPDATE deliveries d SET state = r.state, attempts = d.attempts + 1, next_at = r.next_at, last_at = r.last_at,
      last_status = r.last_status, last_error = r.last_error, last_answer = r.last_answer
    FROM unnest(${rows.map((row) => row.id)}::bigint[],
      ${rows.map((row) => (row.failure === null ? 'done' : row.nextAt === null ? 'failed' : 'retrying'))}::text[],
      ${rows.map((row) => row.nextAt ?? 0)}::bigint[], ${rows.map((row) => row.failure?.at ?? now)}::bigint[],
      ${rows.map((row) => row.failure?.status ?? null)}::smallint[],
      ${rows.map((row) => row.failure?.error ?? null)}::text[],
      ${rows.map((row) => sql.waitingText(accountId, row.failure?.answer ?? null))}::text[])
      AS r (id, state, next_at, last_at, last_status, last_error, last_answer)
    WHERE d.account_id = ${accountId} AND d.id = r.id`;
}

/** Makes all waiting deliveries of an endpoint due now. */
export async function wakeDeliveries(
  sql: Sql,
  accountId: number,
  endpointId: number,
  now: number,
): Promise<void> {
  await sql`
    UPDATE deliveries SET next_at = ${now}
    WHERE account_id = ${accountId} AND endpoint_id = ${endpointId} AND state = 'retrying' AND next_at > ${now}`;
}

/**
 * Abandons up to a page of deliveries: those whose time ended before `before`, or all waiting ones for null. Returns
 * their number; call again until it is below a page (1,000).
 */
export async function giveUpPage(
  sql: Sql,
  accountId: number,
  endpointId: number,
  before: number | null,
  reason: string,
): Promise<boolean> {
  const { count } = await sql`
    UPDATE deliveries SET state = 'failed', last_error = coalesce(last_error, ${reason})
    WHERE account_id = ${accountId} AND id = ANY (ARRAY(
      SELECT id FROM deliveries
      WHERE account_id = ${accountId} AND endpoint_id = ${endpointId} AND state = 'retrying'
        AND give_up_at <= ${before ?? Number.MAX_SAFE_INTEGER}
      ORDER BY give_up_at LIMIT ${PAGE}))`;
  return count === PAGE;
}

/** Selects deliveries to repeat: one, or the failed ones of an endpoint or account between two times. */
export interface FailedSelection {
  readonly accountId: number;
  readonly endpointId?: number | undefined;
  readonly deliveryId?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * Returns up to a page of the deliveries for a replay at `now`, by ascending id after `after`. A delivery that is being
 * retried is included only while it waits.
 */
export function replayable(
  sql: Sql,
  { accountId, endpointId, deliveryId, from, to }: FailedSelection,
  after: number,
  now: number,
): Promise<{ id: number; endpoint_id: number }[]> {
  const which =
    deliveryId === undefined
      ? sql`state = 'failed'`
      : sql`id = ${deliveryId} AND (state <> 'retrying' OR next_at > ${now})`;
  const endpoint = endpointId === undefined ? sql`` : sql`AND endpoint_id = ${endpointId}`;
  const since = from === undefined ? sql`` : sql`AND id >= ${idFloor(from)}`;
  const until = to === undefined ? sql`` : sql`AND id < ${idFloor(to)}`;
  return sql<{ id: number; endpoint_id: number }[]>`
    SELECT id, endpoint_id FROM deliveries
    WHERE account_id = ${accountId} AND id > ${after} AND ${which} ${endpoint} ${since} ${until}
    ORDER BY id LIMIT ${PAGE}`;
}

/** Resets deliveries: they have a day from `now`, and those being retried become due. */
export async function restart(
  tx: TransactionSql,
  accountId: number,
  endpointId: number,
  deliveryIds: readonly number[],
  now: number,
): Promise<void> {
  await tx`
    INSERT INTO event_backlogs AS b (account_id, endpoint_id, next_at) VALUES (${accountId}, ${endpointId}, ${now})
    ON CONFLICT (account_id, endpoint_id) DO UPDATE SET next_at = least(b.next_at, excluded.next_at)`;
  await tx`
    UPDATE deliveries SET state = 'retrying', next_at = ${now},
      attempts = CASE WHEN state = 'retrying' THEN attempts ELSE 0 END,
      give_up_at = CASE WHEN state = 'retrying' THEN give_up_at ELSE ${now + GIVE_UP_AFTER}::bigint END
    WHERE account_id = ${accountId} AND id = ANY (${deliveryIds as number[]}::bigint[])`;
}

/** Filter for listed deliveries. */
export interface DeliveryFilter {
  readonly accountId: number;
  readonly endpointId?: number;
  /** By default `retrying` and `failed`. */
  readonly states?: readonly DeliveryState[];
  /** Only deliveries with a smaller id: the last one of the previous page. */
  readonly before?: number;
  /** Default 100. */
  readonly most?: number;
}

/** Returns deliveries of an account, newest first. */
export async function listDeliveries(sql: Sql, filter: DeliveryFilter): Promise<Delivery[]> {
  const { accountId, endpointId, states = ['retrying', 'failed'], before, most = 100 } = filter;
  const endpoint = endpointId === undefined ? sql`` : sql`AND endpoint_id = ${endpointId}`;
  const older = before === undefined ? sql`` : sql`AND id < ${before}`;
  return readDeliveries(
    sql,
    accountId,
    sql`AND state = ANY (${states as string[]}::text[]) ${endpoint} ${older} ORDER BY id DESC LIMIT ${most}`,
  );
}

/** Returns deliveries of events by their keys, oldest first. All ids must be at least `first`. */
export function deliveriesOfEvents(
  sql: Sql,
  accountId: number,
  keys: readonly string[],
  first: number,
): Promise<Delivery[]> {
  return readDeliveries(
    sql,
    accountId,
    sql`AND id > ${first} AND event_key = ANY(${texts(keys)}::text[]) ORDER BY id`,
  );
}

/** Returns deliveries of an account; `which` has further conditions and the order. */
async function readDeliveries(sql: Sql, accountId: number, which: Query<Row[]>): Promise<Delivery[]> {
  const rows = await sql<(Omit<Delivery, 'event'> & { event: string })[]>`
    SELECT id, endpoint_id, event_key, event, state, attempts, next_at, give_up_at, last_at, last_status, last_error,
      last_answer
    FROM deliveries WHERE account_id = ${accountId} ${which}`;
  return rows.map((row) => ({ ...row, event: JSON.parse(row.event) as Event }));
}
