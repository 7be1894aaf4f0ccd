import type { Queryable, Sql } from './connection.ts';
import { FIRST_TABLE, type TablePlacement } from './define-tables.ts';
import { livingProcesses } from './processes.ts';
import { HOLD_FUNCTION } from './shard-nodes.ts';

/*
 * A database distributed by Citus: `carillon database distribute` moves the tables by account into shards, once;
 * tables that migrations bring later follow when they are made, and partitions follow their table.
 */

/** The database cannot be distributed; the message says what to do. */
export class DistributionError extends Error {}

/** Milliseconds; a table may have a hundred million rows. */
const DEADLINE_MS = 6 * 3_600_000;
const OLDEST_CITUS = 13;
/**
 * Minimum number of shards, and minimum two per worker. Single messages are stored in groups by shard, so more shards
 * make them more expensive.
 */
const DEFAULT_SHARDS = 8;

/** A table that was distributed now or earlier. */
export interface DistributedTable {
  readonly table: string;
  readonly column: string;
  readonly rows: number;
  readonly took: number;
  /** Whether it had been distributed before. */
  readonly wasDone: boolean;
}

/** Whether the tables by account are in shards. Rejects with errors of the database. */
export async function isDistributed(sql: Queryable): Promise<boolean> {
  return (await distributedTables(sql)).has(FIRST_TABLE);
}

/** Throws DistributionError when only some of the tables that should be in shards are. */
export async function refusePartlyDistributed(
  sql: Queryable,
  placements: readonly TablePlacement[],
): Promise<void> {
  const missing = await missingTables(sql, placements);
  if (missing.length === 0) return;
  throw new DistributionError(
    `the database is distributed in part (${missing[0]!.table} is not): run \`carillon database distribute\` to its end first`,
  );
}

/**
 * Distributes tables of new migrations in a distributed database, on a connection with a long timeout. Rejects with
 * errors of the database.
 */
export async function distributeNewTables(
  connection: Queryable,
  placements: readonly TablePlacement[],
): Promise<void> {
  for (const { table, column } of await missingTables(connection, placements))
    await createShards(connection, table, column);
}

/**
 * Distributes the database into `shards` shards, table by table, each in a transaction, and reports each table.
 * Continues an interrupted earlier run. Throws DistributionError when a precondition is not met, and rejects with
 * errors of the database.
 */
export async function distribute(
  sql: Sql,
  placements: readonly TablePlacement[],
  shards: number | undefined,
  tell: (table: DistributedTable) => void,
): Promise<void> {
  const connection = await sql.reserve({ deadlineMs: DEADLINE_MS });
  try {
    const count = await checkDistributable(connection, shards);
    const done = await distributedTables(connection);
    for (const { table, column } of placements) {
      if (column === undefined) continue;
      const began = performance.now();
      const wasDone = done.has(table);
      if (!wasDone) await createShards(connection, table, column, count);
      // The copied rows still exist, invisibly, until they are truncated; a run may have ended between the two steps.
      await connection`SELECT truncate_local_data_after_distributing_table(${table}::regclass)`;
      const [row] = await connection<{ rows: number }[]>`SELECT count(*) AS rows FROM ${connection(table)}`;
      tell({ table, column, rows: row!.rows, took: performance.now() - began, wasDone });
    }
    await makeHoldFunction(connection);
    await configureSessions(connection);
  } finally {
    connection.release();
  }
}

/** Tables by account are colocated, shard by shard; a table by another column has separate shards. */
async function createShards(
  connection: Queryable,
  table: string,
  column: string,
  shards?: number,
): Promise<void> {
  if (table === FIRST_TABLE || column !== 'account_id') {
    await connection`
      SELECT create_distributed_table(${table}::regclass, ${column}, colocate_with => 'none',
        shard_count => ${shards ?? (await shardsOf(connection))})`;
  } else {
    await connection`
      SELECT create_distributed_table(${table}::regclass, ${column}, colocate_with => ${FIRST_TABLE})`;
  }
}

/** Creates the function on every node, including nodes added later. */
async function makeHoldFunction(connection: Queryable): Promise<void> {
  await connection.unsafe(HOLD_FUNCTION);
  await connection`SELECT create_distributed_function('carillon_hold_shard(bigint)')`;
}

/**
 * Sets what every session of this database needs: statements over several shards run through them sequentially, on one
 * connection to each node. Parallel ones would open a connection per shard.
 */
async function configureSessions(sql: Queryable): Promise<void> {
  const [row] = await sql<{ name: string }[]>`SELECT quote_ident(current_database()) AS name`;
  await sql.unsafe(`ALTER DATABASE ${row!.name} SET citus.multi_shard_modify_mode = 'sequential'`);
  await sql.unsafe(`ALTER DATABASE ${row!.name} SET citus.max_adaptive_executor_pool_size = 1`);
}

/** Checks the preconditions of the distribution. Returns the number of shards. Throws DistributionError. */
export async function checkDistributable(sql: Queryable, shards: number | undefined): Promise<number> {
  const [citus] = await sql<{ version: string }[]>`
    SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`;
  if (!citus) {
    throw new DistributionError(
      'this database has no Citus: run CREATE EXTENSION citus in it, on the coordinator and on every worker, and add the workers with citus_add_node',
    );
  }
  if (Number.parseInt(citus.version, 10) < OLDEST_CITUS) {
    throw new DistributionError(`Citus ${OLDEST_CITUS} or later is needed; this is ${citus.version}`);
  }
  const nodes = await sql<{ name: string; isActive: boolean }[]>`
    SELECT nodename || ':' || nodeport AS name, isactive AS "isActive" FROM pg_dist_node
    WHERE groupid <> 0 AND shouldhaveshards`;
  if (nodes.length === 0) throw new DistributionError('no worker exists: add one with citus_add_node');
  const inactive = nodes.find(({ isActive }) => !isActive);
  if (inactive) {
    throw new DistributionError(
      `the worker ${inactive.name} is not active: activate it with citus_activate_node`,
    );
  }
  const others = (await livingProcesses(sql)).length - 1;
  if (others > 0) {
    throw new DistributionError(
      `${others} other process${others === 1 ? ' runs' : 'es run'} on this database: stop the service first (one that was killed counts for a minute)`,
    );
  }
  const known = await shardsOf(sql);
  if (known > 0 && shards !== undefined && known !== shards) {
    throw new DistributionError(`the database has ${known} shards already: leave --shards out`);
  }
  return known > 0 ? known : (shards ?? Math.max(DEFAULT_SHARDS, 2 * nodes.length));
}

/** Returns the number of shards of the tables by account; 0 when they are not distributed. */
async function shardsOf(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*) AS count FROM pg_dist_shard WHERE logicalrelid = ${FIRST_TABLE}::regclass`;
  return row!.count;
}

async function missingTables(
  sql: Queryable,
  placements: readonly TablePlacement[],
): Promise<{ table: string; column: string }[]> {
  const done = await distributedTables(sql);
  if (!done.has(FIRST_TABLE)) return [];
  return placements.filter(
    (one): one is { table: string; column: string } => one.column !== undefined && !done.has(one.table),
  );
}

/** Returns the tables in shards; empty without Citus. */
async function distributedTables(sql: Queryable): Promise<Set<string>> {
  const [found] = await sql<
    { catalog: string | null }[]
  >`SELECT to_regclass('pg_dist_partition')::text AS catalog`;
  if (found!.catalog === null) return new Set();
  const rows = await sql<{ table: string }[]>`
    SELECT c.relname AS table FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE p.partmethod = 'h' AND NOT c.relispartition`;
  return new Set(rows.map(({ table }) => table));
}
