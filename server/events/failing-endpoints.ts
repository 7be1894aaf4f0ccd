import { numbers } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import type { EndpointKind } from './types.ts';

/* Endpoints of all accounts that take no events, for operators: their list, their metric and the alerts about them. */

/** Endpoints in one list. */
const MAX_LISTED = 500;

/** An endpoint of an account that takes no events. Times are milliseconds since the epoch. */
export interface FailingEndpoint {
  readonly id: number;
  readonly accountId: number;
  readonly username: string;
  readonly kind: EndpointKind;
  /** Host and port: path and query often have the receiver's key. */
  readonly host: string;
  /** `failing`: no attempt has succeeded since `since`; `off`: disabled since then, and nothing is sent. */
  readonly state: EndpointState;
  readonly since: number | null;
  readonly offReason: string | null;
  /** Events that wait to be sent again. */
  readonly waiting: number;
  /** The last failed attempt: the HTTP status, if there was an answer, and the error. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastFailureAt: number | null;
  readonly lastSuccessAt: number | null;
}

export const endpointStates = ['active', 'failing', 'off'] as const;
export type EndpointState = (typeof endpointStates)[number];

type EndpointRow = Omit<FailingEndpoint, 'host' | 'waiting'> & { readonly url: string };

/** Returns the endpoints that fail, longest first, then the disabled ones, newest first: 500 at most. Throws what the database throws. */
export async function listFailingEndpoints(sql: Sql): Promise<FailingEndpoint[]> {
  const rows = await sql<EndpointRow[]>`
    SELECT ${endpointColumns(sql)} FROM event_endpoints e JOIN accounts a ON a.id = e.account_id
    WHERE e.state = 'off' OR e.failing_since IS NOT NULL
    ORDER BY e.state = 'off', CASE WHEN e.state = 'off' THEN -e.off_at ELSE e.failing_since END, e.id LIMIT ${MAX_LISTED}`;
  return withWaiting(sql, rows);
}

/** Returns an endpoint as the list shows it, whatever its state; undefined when there is none. Throws what the database throws. */
export async function findEndpoint(sql: Sql, id: number): Promise<FailingEndpoint | undefined> {
  const rows = await sql<EndpointRow[]>`
    SELECT ${endpointColumns(sql)} FROM event_endpoints e JOIN accounts a ON a.id = e.account_id WHERE e.id = ${id}`;
  return (await withWaiting(sql, rows))[0];
}

const endpointColumns = (sql: Sql) => sql`e.id, e.account_id AS "accountId", a.username, e.kind, e.url,
  CASE WHEN e.state = 'off' THEN 'off' WHEN e.failing_since IS NULL THEN 'active' ELSE 'failing' END AS state,
  coalesce(e.off_at, e.failing_since) AS since, e.off_reason AS "offReason", e.last_failure_status AS "lastStatus",
  e.last_failure_error AS "lastError", e.last_failure_at AS "lastFailureAt", e.last_success_at AS "lastSuccessAt"`;

async function withWaiting(sql: Sql, rows: readonly EndpointRow[]): Promise<FailingEndpoint[]> {
  const waiting = await sql<{ id: number; count: number }[]>`
    SELECT endpoint_id AS id, count(*)::int AS count FROM deliveries
    WHERE account_id = ANY(${numbers([...new Set(rows.map(({ accountId }) => accountId))])}::bigint[])
      AND endpoint_id = ANY(${numbers(rows.map(({ id }) => id))}::bigint[]) AND state = 'retrying'
    GROUP BY endpoint_id`;
  const counts = new Map(waiting.map(({ id, count }) => [id, count]));
  return rows.map(({ url, ...row }) => ({
    ...row,
    host: new URL(url).host,
    waiting: counts.get(row.id) ?? 0,
  }));
}

/** Returns how many endpoints have failed since `before` or longer, and how many are disabled. Throws what the database throws. */
export async function countFailingEndpoints(
  sql: Sql,
  before: number,
): Promise<{ readonly failing: number; readonly off: number }> {
  const [row] = await sql<{ failing: number; off: number }[]>`
    SELECT count(*) FILTER (WHERE state <> 'off' AND failing_since <= ${before})::int AS failing,
      count(*) FILTER (WHERE state = 'off')::int AS off FROM event_endpoints`;
  return row!;
}
