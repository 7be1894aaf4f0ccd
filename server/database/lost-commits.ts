import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionError } from './errors.ts';
import type { Sql } from './sql.ts';
import { isDatabaseTrouble } from './trouble.ts';

/*
 * The outcome of work whose connection was lost before the server's answer came. A caller who is told "try again" of
 * something that was stored does it twice, so the server is asked, on another connection. The lost session may still be at
 * work, or read later what was sent to it: it is ended first, so that what is found stays true.
 */

/** The server is asked for so long; after that the outcome is not known. */
const LIMIT_MS = 5_000;
const PAUSE_MS = 50;
/** A process number may be another session's by now: one that is older than the lost session is none. */
const SLACK_MS = 1_000;

/** The server that a session was lost on, where it is another one than the caller may think (shard-nodes.ts). */
const servers = new WeakMap<ConnectionError, Sql>();

/** Remembers that a statement which failed had been sent to this server. */
export function noteServer(error: unknown, sql: Sql): void {
  if (error instanceof ConnectionError) servers.set(error, sql);
}

/**
 * Waits until the session that was lost with `error` is over on the server, 5 s at most; at once when `error` is of another
 * kind. True when nothing of it can be stored any more.
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

/** A transaction, as the server says when it begins. */
export interface Begun {
  readonly xid: string;
  /** The server's clock, as PostgreSQL writes it. */
  readonly at: string;
}

/**
 * Whether a transaction is known to be committed whose COMMIT was lost with `error`. Undefined when the database did not say
 * within 10 s. After a crash its number says nothing: where none of its WAL had been written, recovery gives the number to
 * another transaction. Statistics are reset by the recovery and by an operator, and kept when the server stops in order.
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

/** Asks until there is an answer, or the time is over. Throws what is no trouble of the database. */
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
