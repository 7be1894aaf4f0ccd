import type { Queryable, Sql } from '../../server/database/connection.ts';
import { isDistributed } from '../../server/database/distribution.ts';

/*
 * Sessions that wait for a lock, from PostgreSQL's own views. On a distributed database (`npm run test:cluster`) it reads
 * the views of every node, because the sessions that hold or wait for rows of an account are on the node with its shard.
 */

/**
 * Returns the statements that wait for a lock; on a distributed database they name the tables of shards. Do not call it in a
 * transaction, which would always see the state of its first query.
 */
export async function waitingStatements(sql: Sql): Promise<string[]> {
  const waiting = `
    SELECT coalesce(json_agg(query), '[]')::text FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const rows = await ((await isDistributed(sql))
    ? sql<{ found: string }[]>`SELECT result AS found FROM run_command_on_all_nodes(${waiting})`
    : sql.unsafe<{ found: string }[]>(`SELECT (${waiting}) AS found`));
  return rows.flatMap(({ found }) => JSON.parse(found) as string[]);
}

/** Returns the sessions that wait for a lock held by `connection` (one session): numbers for `cancelStatement`. */
export async function waitersFor(connection: Queryable): Promise<number[]> {
  const rows = await ((await isDistributed(connection))
    ? connection<{ session: number }[]>`
        SELECT waiting_gpid AS session FROM citus_lock_waits WHERE blocking_gpid = citus_backend_gpid()`
    : connection<{ session: number }[]>`
        SELECT pid AS session FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`);
  return rows.map(({ session }) => session);
}

/** Cancels what a session runs. */
export async function cancelStatement(sql: Queryable, session: number): Promise<void> {
  // Citus has a second function of the name, for numbers of the cluster.
  if (await isDistributed(sql)) await sql`SELECT pg_cancel_backend(${session}::bigint)`;
  else await sql`SELECT pg_cancel_backend(${session}::integer)`;
}
