import { numbers, texts } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { type IdSource, idFloor, timeOfId } from '../ids.ts';
import type { Logger } from '../observability/log.ts';
import { requestsDropped } from './metrics.ts';

/** The doors whose requests are kept. */
export const doorNames = ['sms', 'chat', 'v1'] as const;
export type DoorName = (typeof doorNames)[number];

/** A request that was answered. */
export interface AnsweredRequest {
  /** The account whose token or password it came with. */
  readonly accountId: number;
  readonly door: DoorName;
  readonly operation: string;
  /** What the answer says, in the door's own words. */
  readonly status: string;
  /** That it was not done. */
  readonly refused: boolean;
  readonly httpStatus: number;
  /** Microseconds. */
  readonly duration: number;
  /** The client's. */
  readonly address: string;
  readonly requestId: string;
}

/** A request as it is found again; `at` is when it was answered, milliseconds since the epoch. */
export interface LoggedRequest extends Omit<AnsweredRequest, 'accountId'> {
  readonly id: number;
  readonly at: number;
}

/** Which requests to show. Times are milliseconds since the epoch, `from` inclusive, `to` exclusive. */
export interface RequestFilter {
  readonly accountId: number;
  readonly door?: DoorName | undefined;
  readonly operation?: string | undefined;
  readonly status?: string | undefined;
  readonly refused?: boolean | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly requestId?: string | undefined;
  /** Only those with a smaller id: the last of the page before. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** What waits is written this often, or when so many wait. */
const WRITE_EVERY_MS = 500;
const WRITE_AT = 2_000;
/** Beyond this the log gives way: while the database is away, memory is for messages. */
const KEPT_MOST = 20_000;

interface Waiting extends AnsweredRequest {
  readonly id: number;
}

/**
 * The last days of requests. What is added is written a moment later, many in one statement, on a connection that does
 * not wait for the disk: no answer waits for it, and a crash may cost its last second.
 */
export class RequestLog {
  readonly #sql: Sql;
  readonly #relaxed: Sql;
  readonly #ids: IdSource;
  readonly #log: Logger;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: { sql: Sql; relaxed: Sql; ids: IdSource; log: Logger }) {
    this.#sql = parts.sql;
    this.#relaxed = parts.relaxed;
    this.#ids = parts.ids;
    this.#log = parts.log;
  }

  /** Begins to write what is added. */
  start(): void {
    this.#timer = setInterval(() => void this.#write(), WRITE_EVERY_MS);
  }

  /** Keeps a request. Costs the caller an array's place; dropped when too many wait already. */
  add(request: AnsweredRequest): void {
    if (this.#waiting.length >= KEPT_MOST) {
      requestsDropped.inc();
      return;
    }
    this.#waiting.push({ ...request, id: this.#ids.next() });
    if (this.#waiting.length === WRITE_AT) void this.#write();
  }

  /** Writes what waits, and no more after that. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#write();
  }

  /** Requests of an account, the newest first. */
  async find(filter: RequestFilter): Promise<LoggedRequest[]> {
    const sql = this.#sql;
    const { accountId, door, operation, status, refused, from, to, requestId, before, limit } = filter;
    const below = Math.min(before ?? Infinity, to === undefined ? Number.MAX_SAFE_INTEGER : idFloor(to));
    const rows = await sql<Omit<LoggedRequest, 'at'>[]>`
      SELECT id, door, operation, status, refused, http_status AS "httpStatus", duration, address, request_id AS "requestId"
      FROM request_log
      WHERE account_id = ${accountId} AND id >= ${from === undefined ? 0 : idFloor(from)} AND id < ${below}
        ${door === undefined ? sql`` : sql`AND door = ${door}`}
        ${operation === undefined ? sql`` : sql`AND operation = ${operation}`}
        ${status === undefined ? sql`` : sql`AND status = ${status}`}
        ${refused === undefined ? sql`` : sql`AND refused = ${refused}`}
        ${requestId === undefined ? sql`` : sql`AND request_id = ${requestId}`}
      ORDER BY id DESC LIMIT ${limit}`;
    return rows.map((row) => ({ ...row, at: timeOfId(row.id) }));
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const all = this.#waiting;
    if (all.length === 0) return;
    this.#waiting = [];
    // Account by account, so that each is a statement of one shard (docs/architecture.md).
    for (const [accountId, requests] of Map.groupBy(all, (request) => request.accountId)) {
      try {
        await this.#insert(accountId, requests);
      } catch (error) {
        requestsDropped.inc(requests.length);
        this.#log.warn({ err: error, requests: requests.length }, 'requests are not in the request log');
      }
    }
  }

  async #insert(accountId: number, requests: readonly Waiting[]): Promise<void> {
    await this.#relaxed`
      INSERT INTO request_log (account_id, id, door, operation, status, refused, http_status, duration, address,
        request_id)
      SELECT w.account_id, r.* FROM wallets w, unnest(
        ${numbers(requests.map(({ id }) => id))}::bigint[], ${texts(requests.map(({ door }) => door))}::text[],
        ${texts(requests.map(({ operation }) => operation))}::text[],
        ${texts(requests.map(({ status }) => status))}::text[],
        ${texts(requests.map(({ refused }) => (refused ? 't' : 'f')))}::boolean[],
        ${numbers(requests.map(({ httpStatus }) => httpStatus))}::smallint[],
        ${numbers(requests.map(({ duration }) => duration))}::integer[],
        ${texts(requests.map(({ address }) => address))}::text[],
        ${texts(requests.map(({ requestId }) => requestId))}::text[]
      ) AS r (id, door, operation, status, refused, http_status, duration, address, request_id)
      WHERE w.account_id = ${accountId}`;
  }
}
