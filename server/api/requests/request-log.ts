import { accountsOf, texts } from '../../database/arrays.ts';
import { bigints, ints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import type { Placements } from '../../database/placements.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import { OwnerStuck } from '../../kit/owners.ts';
import { WriteBehind } from '../../kit/write-behind.ts';
import { requestsDropped } from './metrics.ts';

/** APIs whose requests are recorded. */
export const apiNames = ['sms', 'chat', 'mail', 'v1', 'kannel', 'jasmin', 'twilio'] as const;
export type ApiName = (typeof apiNames)[number];

/** An answered request. */
interface AnsweredRequest {
  /** The account of its token or password. */
  readonly accountId: number;
  readonly api: ApiName;
  readonly operation: string;
  /** Status of the response, in the API's own codes. */
  readonly status: string;
  /** Whether the request was refused. */
  readonly refused: boolean;
  /** Whether it got the response of an earlier request with the same send key, and nothing was done. */
  readonly repeated: boolean;
  readonly httpStatus: number;
  /** Microseconds. */
  readonly duration: number;
  /** Address of the client. */
  readonly address: string;
  readonly requestId: string;
  /** Ids of the shipments that it made, if any. */
  readonly shipments?: readonly number[] | undefined;
}

/** A stored request; `at` is the time of the response, milliseconds since the epoch. */
export interface LoggedRequest extends Omit<AnsweredRequest, 'accountId' | 'shipments'> {
  readonly id: number;
  readonly at: number;
  readonly shipments: readonly number[] | null;
}

type StoredRequest = Omit<LoggedRequest, 'at'>;

/** Filter of requests. Times are milliseconds since the epoch, `from` inclusive, `to` exclusive. */
interface RequestFilter {
  readonly accountId: number;
  readonly api?: ApiName | undefined;
  readonly operation?: string | undefined;
  readonly status?: string | undefined;
  readonly refused?: boolean | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly requestId?: string | undefined;
  /** Only requests with a smaller id: the last one of the previous page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Requests are written after WAIT_MS milliseconds, or once ENOUGH of them wait. */
const WAIT_MS = 500;
const ENOUGH = 2_000;
/** Requests beyond this number are dropped: while the database is unavailable, memory is for messages. */
const MAX_WAITING = 20_000;
/** Maximum time from the shipment of a request to its response, in milliseconds. */
const ANSWERED_WITHIN_MS = 60_000;

interface Waiting extends AnsweredRequest {
  readonly id: number;
}

interface RequestLogDeps extends Pick<Context, 'sql' | 'asyncCommitSql' | 'ids' | 'log'> {
  readonly placements: Placements;
}

/**
 * The requests of the last days. Added requests are written a moment later, many per statement, on an async-commit
 * connection: no response waits for the write, and a crash may lose the last second.
 */
export class RequestLog {
  readonly #deps: RequestLogDeps;
  readonly #buffer: WriteBehind<Waiting>;

  constructor(deps: RequestLogDeps) {
    this.#deps = deps;
    this.#buffer = new WriteBehind({
      owner: 'request log',
      log: deps.log,
      store: (_placement, requests) => this.#insert(requests),
      waitMs: WAIT_MS,
      enough: ENOUGH,
      max: MAX_WAITING,
      retryMs: null,
      dropped: (count) => requestsDropped.inc(count),
    });
  }

  /** Records a request. The caller only appends to an array. Drops the request if too many wait already. */
  add(request: AnsweredRequest): void {
    const { ids, placements } = this.#deps;
    this.#buffer.add(placements.of(request.accountId), { ...request, id: ids.next() });
  }

  /** Writes the waiting requests, and accepts no more. */
  stop(): Promise<void> {
    return this.#buffer.stop();
  }

  /** Returns requests of an account, newest first. */
  async find(filter: RequestFilter): Promise<LoggedRequest[]> {
    const sql = this.#deps.sql;
    const { accountId, api, operation, status, refused, from, to, requestId, before, limit } = filter;
    const below = Math.min(before ?? Infinity, to === undefined ? Number.MAX_SAFE_INTEGER : idFloor(to));
    const rows = await sql<StoredRequest[]>`
      SELECT ${columns(sql)} FROM request_log
      WHERE account_id = ${accountId} AND id >= ${from === undefined ? 0 : idFloor(from)} AND id < ${below}
        ${api === undefined ? sql`` : sql`AND door = ${api}`}
        ${operation === undefined ? sql`` : sql`AND operation = ${operation}`}
        ${status === undefined ? sql`` : sql`AND status = ${status}`}
        ${refused === undefined ? sql`` : sql`AND refused = ${refused}`}
        ${requestId === undefined ? sql`` : sql`AND request_id = ${requestId}`}
      ORDER BY id DESC LIMIT ${limit}`;
    return rows.map(withTime);
  }

  /** Returns the request that made a shipment, or undefined without an entry of it. */
  async findOf(accountId: number, shipmentId: number): Promise<LoggedRequest | undefined> {
    const sql = this.#deps.sql;
    const last = idFloor(timeOfId(shipmentId) + ANSWERED_WITHIN_MS);
    const [row] = await sql<StoredRequest[]>`
      SELECT ${columns(sql)} FROM request_log
      WHERE account_id = ${accountId} AND id > ${shipmentId} AND id < ${last} AND ${shipmentId} = ANY(shipments)
      ORDER BY id LIMIT 1`;
    return row && withTime(row);
  }

  /** Inserts requests of accounts of one placement. If one of them is rejected, the others are still stored. */
  async #insert(requests: readonly Waiting[]): Promise<void> {
    try {
      await this.#insertTogether(requests);
    } catch (error) {
      if (requests.length === 1 || isDatabaseTrouble(error) || error instanceof OwnerStuck) throw error;
      const half = Math.ceil(requests.length / 2);
      const parts = [requests.slice(0, half), requests.slice(half)];
      const tried = await Promise.allSettled(parts.map((part) => this.#insert(part)));
      for (const one of tried) if (one.status === 'rejected') throw one.reason;
    }
  }

  async #insertTogether(requests: readonly Waiting[]): Promise<void> {
    const accounts = accountsOf(requests);
    const { placements, asyncCommitSql } = this.#deps;
    await placements.sqlOf(requests[0]!.accountId, asyncCommitSql)`
      INSERT INTO request_log (account_id, id, door, operation, status, refused, repeated, http_status, duration,
        address, request_id, shipments)
      SELECT r.account_id, r.id, r.door, r.operation, r.status, r.refused, r.repeated, r.http_status, r.duration, r.address,
        r.request_id, r.shipments::bigint[]
      FROM wallets w, unnest(
        ${bigints(requests.map(({ accountId }) => accountId))}::bigint[],
        ${bigints(requests.map(({ id }) => id))}::bigint[], ${textArray(requests.map(({ api }) => api))}::text[],
        ${textArray(requests.map(({ operation }) => operation))}::text[],
        ${textArray(requests.map(({ status }) => status))}::text[],
        ${texts(requests.map(({ refused }) => (refused ? 't' : 'f')))}::boolean[],
        ${texts(requests.map(({ repeated }) => (repeated ? 't' : 'f')))}::boolean[],
        ${smallints(requests.map(({ httpStatus }) => httpStatus))}::smallint[],
        ${ints(requests.map(({ duration }) => duration))}::integer[],
        ${textArray(requests.map(({ address }) => address))}::text[],
        ${textArray(requests.map(({ requestId }) => requestId))}::text[],
        ${textArray(requests.map(({ shipments }) => (shipments ? `{${shipments.join(',')}}` : null)))}::text[]
      ) AS r (account_id, id, door, operation, status, refused, repeated, http_status, duration, address, request_id, shipments)
      WHERE w.account_id = r.account_id AND w.account_id = ANY(${accounts}::bigint[])`;
  }
}

const columns = (sql: Queryable) => sql`
  id, door AS api, operation, status, refused, repeated, http_status AS "httpStatus", duration, address,
  request_id AS "requestId", shipments`;

const withTime = (row: StoredRequest): LoggedRequest => ({ ...row, at: timeOfId(row.id) });
