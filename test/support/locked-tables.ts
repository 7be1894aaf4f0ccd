import { texts } from '../../server/database/arrays.ts';
import { connect, type Sql, type TransactionSql } from '../../server/database/connection.ts';
import { serversOf } from './database.ts';

/** Milliseconds for the work; more than a test waits for a condition. */
const WORK_MS = 180_000;

/**
 * Does `work` while these tables are locked in `mode`, in the transaction that has the locks; of a distributed database the
 * shards of the tables as well, on every node.
 */
export async function withLockedTables<T>(
  sql: Sql,
  tables: readonly string[],
  mode: 'EXCLUSIVE' | 'ACCESS EXCLUSIVE',
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  const lock = async (tx: TransactionSql, names: readonly string[]) => {
    // With the longer time-out here, PostgreSQL aborts the service's transaction in a deadlock, not this one.
    await tx`SET LOCAL deadlock_timeout = '120s'`;
    if (names.length > 0) await tx.unsafe(`LOCK TABLE ${names.join(', ')} IN ${mode} MODE`);
  };
  const [, ...workers] = await serversOf(sql);
  const connections = workers.map((worker) => connect(worker, { max: 1, application: 'locks' }));
  const lockShards = (tx: TransactionSql, [next, ...others]: readonly Sql[]): Promise<T> =>
    next === undefined
      ? work(tx)
      : next.begin({ deadlineMs: WORK_MS }, async (shards) => {
          await shards`SET LOCAL citus.enable_manual_changes_to_shards = on`;
          await lock(shards, await shardsOf(shards, tables));
          return lockShards(tx, others);
        });
  try {
    return await sql.begin({ deadlineMs: WORK_MS }, async (tx) => {
      await lock(tx, tables);
      return lockShards(tx, connections);
    });
  } finally {
    await Promise.all(connections.map((connection) => connection.end({ timeout: 1 })));
  }
}

/** The shards of tables that are on this node. */
async function shardsOf(tx: TransactionSql, tables: readonly string[]): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    SELECT shard_name(s.logicalrelid, s.shardid) AS name
    FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid
    WHERE p.groupid = (SELECT groupid FROM pg_dist_local_group)
      AND s.logicalrelid::text = ANY(${texts(tables)}::text[])`;
  return rows.map(({ name }) => name);
}
