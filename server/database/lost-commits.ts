import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionError } from './errors.ts';
import type { Sql } from './sql.ts';
import { isDatabaseTrouble } from './trouble.ts';

/*
 * The outcome of work whose connection was lost before the server's answer. If a caller were asked to retry work that
 * was stored, it would be done twice, so the server is asked on another connection. The lost session may still be
 * working, or may later read statements sent to it, so it is ended first; then the outcome is final.
 */

/** Milliseconds for which the server is asked; afterwards the outcome stays unknown. */
const LIMIT_MS = 5_000;
const PAUSE_MS = 50;
/**
 * Another session may have the process id by now: a session older than the lost one by this many milliseconds is not
 * it.
 */
const SLACK_MS = 1_000;

/** The server on which a session was lost, if it may differ from the caller's (shard-nodes.ts). */
const servers = new WeakMap<ConnectionError, Sql>();

/** Records that a failed statement had been sent to this server. */
export function noteServer(error: unknown, sql: Sql): void {
  if (error instanceof ConnectionError) servers.set(error, sql);
}

/**
 * Waits until the session that was lost with `error` has ended on the server, at most 5 s; returns immediately for
 * errors of another kind. Returns true when the session can no longer store anything.
 */
export async function endLostSession(sql: Sql, error: unknown): Promise<boolean> {
  const backend = error instanceof ConnectionError ? error.backend : undefined;
  if (!backend) return true;
  const { pid, openedAt } = backend;
  const server = servers.get(error as ConnectionError) ?? sql;
  return (
    (await ask(async () => {
      const age = performance.now() - openedAt;
      const rows = await server`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid = ${pid} AND usename = current_user
          AND backend_start <= clock_timestamp() - make_interval(secs => ${Math.max(0, age - SLACK_MS) / 1_000}::float8)`;
      return rows.length === 0 ? true : undefined;
    })) ?? false
  );
}

/** A transaction, as reported by the server at its beginning. */
export interface Begun {
  readonly xid: string;
  /** Time of the server's clock, in PostgreSQL's format. */
  readonly at: string;
}

/**
 * Returns whether a transaction was certainly committed, after its COMMIT was lost with `error`. Undefined when the
 * database did not answer within 10 s. False after a crash, because the transaction's number is then unreliable: if
 * none of its WAL had been written, the recovery gives the number to another transaction. A crash shows in the time of
 * the statistics, which the recovery or an operator resets, and an orderly stop keeps.
 */
export async function wasCommitted(
  sql: Sql,
  { xid, at }: Begun,
  error: unknown,
): Promise<boolean | undefined> {
  if (!(await endLostSession(sql, error))) return undefined;
  return ask(async () => {
    const [row] = await sql<{ status: string | null; hasCrashed: boolean }[]>`
      SELECT pg_xact_status(${xid}::text::xid8) AS status,
        coalesce(stats_reset >= ${at}::text::timestamptz, false) AS "hasCrashed"
      FROM pg_stat_bgwriter`;
    const { status, hasCrashed } = row!;
    return status === 'in progress' ? undefined : status === 'committed' && !hasCrashed;
  });
}

/** Asks until there is an answer, or the time has ended. Throws errors other than database failures. */
async function ask<T>(question: () => Promise<T | undefined>): Promise<T | undefined> {
  for (const until = performance.now() + LIMIT_MS; performance.now() < until; await pause(PAUSE_MS)) {
    try {
      const answer = await question();
      if (answer !== undefined) return answer;
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error;
    }
  }
  return undefined;
}
