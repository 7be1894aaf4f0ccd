import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import type { EndpointKind } from './types.ts';

/*
 * Endpoints of all accounts that accept no events, for operators: their list, their metric and the alerts about them.
 */

/** Maximum endpoints in a list. */
const MAX_LISTED = 500;

/** An endpoint that accepts no events. Times are milliseconds since the epoch. */
export interface FailingEndpoint {
  readonly id: number;
  readonly accountId: number;
  readonly username: string;
  readonly kind: EndpointKind;
  /** Host and port only: path and query often contain the receiver's key. */
  readonly host: string;
  /** `failing`: no attempt has succeeded since `since`; `off`: disabled since then. */
  readonly state: EndpointState;
  readonly since: number | null;
  readonly offReason: string | null;
  /** Number of events waiting for a retry. */
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

/**
 * Returns the failing endpoints, longest first, then the disabled ones, newest first, at most 500. Rejects with errors
 * of the database.
 */
export async function listFailingEndpoints(sql: Sql): Promise<FailingEndpoint[]> {
  const rows = await sql<EndpointRow[]>`
    SELECT ${endpointColumns(sql)} FROM event_endpoints e JOIN accounts a ON a.id = e.account_id
    WHERE e.state = 'off' OR e.failing_since IS NOT NULL
    ORDER BY e.state = 'off', CASE WHEN e.state = 'off' THEN -e.off_at ELSE e.failing_since END, e.id LIMIT ${MAX_LISTED}`;
  return withWaiting(sql, rows);
}

/**
 * Returns one endpoint as in the list, in any state; undefined when it does not exist. Rejects with errors of the
 * database.
 */
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

/**
 * Returns the number of endpoints that have failed since `before` or longer, and of disabled ones. Rejects with errors
 * of the database.
 */
export async function countFailingEndpoints(
  sql: Sql,
  before: number,
): Promise<{ readonly failing: number; readonly off: number }> {
  const [row] = await sql<{ failing: number; off: number }[]>`
    SELECT count(*) FILTER (WHERE state <> 'off' AND failing_since <= ${before})::int AS failing,
      count(*) FILTER (WHERE state = 'off')::int AS off FROM event_endpoints`;
  return row!;
}
