import { accountsOf, texts } from '../../database/arrays.ts';
import { bigints, ints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { Sql } from '../../database/connection.ts';
import type { Placements } from '../../database/placements.ts';
import { type IdSource, timeOfId } from '../../kit/ids.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { Rate } from '../../kit/rate.ts';
import { WriteBehind } from '../../kit/write-behind.ts';
import { placeOf } from './listening.ts';
import * as metrics from './metrics.ts';

/**
 * Recorded attempts per second of this process. Each endpoint has a lower limit (webhook-queue.ts), but 1,000 busy endpoints
 * together would write more rows than the events themselves.
 */
const PER_SECOND = 500;
/** Milliseconds that an attempt waits for others before it is written. */
const WAIT_MS = 500;
/** Attempts that wait for the database, each with up to 1,000 characters; later ones are dropped. */
const MAX_WAITING = 5_000;
/** Attempts of one page of events; an event has about 14 in its 24 hours. */
const MAX_READ = 2_000;

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly accountId: number;
  readonly endpointId: number;
  readonly eventKey: string;
  /** Microseconds. */
  readonly duration: number;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Null if the event was accepted. */
  readonly error: string | null;
  /** First 1,000 characters of the response. */
  readonly answer: string | null;
}

/** A stored attempt; `at` is its end, in milliseconds since the epoch. */
export interface RecordedAttempt extends Omit<EndedAttempt, 'accountId'> {
  readonly id: number;
  readonly at: number;
}

interface AttemptLogDeps {
  readonly sql: Sql;
  readonly asyncCommitSql: Sql;
  readonly placements: Placements;
  readonly ids: IdSource;
  readonly log: Logger;
}

/**
 * The log of attempts of the last week: time, duration and response. It includes successful first attempts. Rows are written in
 * groups on an async-commit connection, and never delay a delivery.
 */
export class AttemptLog {
  readonly #deps: AttemptLogDeps;
  readonly #rate = new Rate();
  readonly #buffer: WriteBehind<EndedAttempt & { readonly id: number }>;

  constructor(deps: AttemptLogDeps) {
    this.#deps = deps;
    this.#buffer = new WriteBehind({
      owner: 'webhook attempts',
      log: deps.log,
      store: (_placement, attempts) => this.#insert(attempts),
      waitMs: WAIT_MS,
      max: MAX_WAITING,
      retryMs: null,
      dropped: (count) => metrics.attemptsDropped.inc(count),
    });
  }

  /** Whether this process may record one more attempt in this second. */
  take(): boolean {
    return this.#rate.take(PER_SECOND);
  }

  /** Records an attempt. Drops it if too many wait for the database. */
  add(attempt: EndedAttempt): void {
    const { ids, placements } = this.#deps;
    this.#buffer.add(placements.of(attempt.accountId), { ...attempt, id: ids.next() });
  }

  /** Returns a function for the recorded attempts of events at endpoints, newest first. */
  async of(
    accountId: number,
    keys: readonly string[],
  ): Promise<(key: string, endpointId: number) => readonly RecordedAttempt[]> {
    if (keys.length === 0) return () => [];
    // An event is recorded before its first attempt, so its id skips earlier partitions.
    const first = Math.min(...keys.map((key) => placeOf(key)?.batchId ?? 0));
    const rows = await this.#deps.sql<Omit<RecordedAttempt, 'at'>[]>`
      SELECT id, endpoint_id AS "endpointId", event_key AS "eventKey", duration, http_status AS status, error, answer
      FROM webhook_attempts
      WHERE account_id = ${accountId} AND id >= ${first} AND event_key = ANY(${texts(keys)}::text[])
      ORDER BY id DESC LIMIT ${MAX_READ}`;
    const found = Map.groupBy(rows, ({ eventKey, endpointId }) => `${eventKey}/${endpointId}`);
    return (key, endpointId) =>
      (found.get(`${key}/${endpointId}`) ?? []).map((row) => ({ ...row, at: timeOfId(row.id) }));
  }

  /** Writes the waiting attempts. */
  stop(): Promise<void> {
    return this.#buffer.stop();
  }

  async #insert(attempts: readonly (EndedAttempt & { readonly id: number })[]): Promise<void> {
    const { placements, asyncCommitSql } = this.#deps;
    const sql = placements.sqlOf(attempts[0]!.accountId, asyncCommitSql);
    await sql`
      INSERT INTO webhook_attempts (account_id, id, endpoint_id, event_key, duration, http_status, error, answer)
      SELECT r.* FROM wallets w, unnest(
        ${bigints(attempts.map(({ accountId }) => accountId))}::bigint[],
        ${bigints(attempts.map(({ id }) => id))}::bigint[],
        ${bigints(attempts.map(({ endpointId }) => endpointId))}::bigint[],
        ${textArray(attempts.map(({ eventKey }) => eventKey))}::text[],
        ${ints(attempts.map(({ duration }) => duration))}::integer[],
        ${smallints(attempts.map(({ status }) => status))}::smallint[],
        ${textArray(attempts.map(({ error }) => error))}::text[],
        ${textArray(attempts.map(({ accountId, answer }) => sql.waitingText(accountId, answer)))}::text[]
      ) AS r (account_id, id, endpoint_id, event_key, duration, http_status, error, answer)
      WHERE w.account_id = r.account_id AND w.account_id = ANY(${accountsOf(attempts)}::bigint[])`;
  }
}
