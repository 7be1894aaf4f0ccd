import { DateTime } from 'luxon';
import { idFloor } from '../kit/ids.ts';
import type { Logger } from '../kit/observability/log.ts';
import type { Sql, TransactionSql } from './connection.ts';
import type { KeepingTimes, Partitioned, PartitionUnit } from './define-tables.ts';
import type { PostgresError } from './errors.ts';
import { GIVE_WAY_MS, givingWay } from './give-way.ts';
import { lacksPartition } from './trouble.ts';

/*
 * Growing tables are partitioned by id, or by another key that grows with time. When its retention ends, a whole
 * partition is dropped, since deleting rows by the million is PostgreSQL's slowest operation.
 */

const nameFormats: Readonly<Record<PartitionUnit, string>> = {
  month: 'yyyy_MM',
  week: "kkkk_'w'WW",
  day: 'yyyy_MM_dd',
};

// Number of units for which partitions are created in advance, so that a process that cannot create them for a while
// causes no failure.
const AHEAD = 2;
const LOCK = 20_25_01_03;
// Milliseconds; another process may be changing partitions.
const DEADLINE_MS = 600_000;

/** One partition: its name and its keys from `from` (inclusive) to `to` (exclusive). */
interface Partition {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the partition of `table` for `time`, or the one `units` later. */
export function partitionAt(
  table: string,
  unit: PartitionUnit,
  time: number,
  units = 0,
  floor = idFloor,
): Partition {
  const start = DateTime.fromMillis(time, { zone: 'utc' })
    .startOf(unit)
    .plus({ [unit]: units });
  const name = `${table}_${start.toFormat(nameFormats[unit])}`;
  return { name, from: floor(start.toMillis()), to: floor(start.plus({ [unit]: 1 }).toMillis()) };
}

/**
 * Creates the partition missing for a row, according to the error of its statement; the caller repeats the statement.
 * Such rows result from a clock that is ahead, or from a program that could not create partitions for weeks.
 */
async function makeLackingPartition(
  sql: Sql,
  tables: readonly Partitioned[],
  error: PostgresError,
): Promise<void> {
  // Citus adds the shard to the name.
  const table = /"(\w+?)(?:_\d+)?"/.exec(error.message)?.[1];
  const key = Number(/\((\d{1,16})\)/.exec(error.detail ?? '')?.[1] ?? Number.NaN);
  const known = tables.find((one) => one.table === table);
  if (!known || Number.isNaN(key)) return;
  const partition = partitionAt(known.table, known.unit, known.key.timeOf(key), 0, known.key.floor);
  await changePartitions(sql, known, [partition]);
}

/**
 * Creates and drops partitions of one table in a separate transaction. Creating and dropping a partition both lock the whole table.
 * A transaction that changed several tables would hold locks that senders need, while it waits for tables that they have
 * locked.
 */
async function changePartitions(
  sql: Sql,
  one: Partitioned,
  missing: readonly Partition[],
  expired: readonly string[] = [],
): Promise<void> {
  if (missing.length === 0 && expired.length === 0) return;
  await givingWay(() =>
    sql.begin({ deadlineMs: DEADLINE_MS }, async (tx) => {
      await tx`SELECT pg_advisory_xact_lock(${LOCK})`;
      await tx.unsafe(`SET LOCAL lock_timeout = ${GIVE_WAY_MS}`);
      for (const partition of missing) await makePartition(tx, one, partition);
      // Another process may have dropped it.
      for (const name of expired) await tx.unsafe(`DROP TABLE IF EXISTS ${name}`);
    }),
  );
}

async function makePartition(
  tx: TransactionSql,
  { table, fillfactor }: Partitioned,
  { name, from, to }: Partition,
): Promise<void> {
  await tx.unsafe(
    `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to})`,
  );
  if (fillfactor !== undefined) await tx.unsafe(`ALTER TABLE ${name} SET (fillfactor = ${fillfactor})`);
}

/** Makes partitions of these tables that rows lack, from now on, when a statement on this database has failed for it. */
export function makePartitionsOnDemand(
  { sql, asyncCommitSql }: { sql: Sql; asyncCommitSql: Sql },
  tables: readonly Partitioned[],
  log: Logger,
): void {
  const making = new Set<string>();
  const refused = (error: PostgresError) => {
    if (!lacksPartition(error) || making.has(error.message)) return;
    making.add(error.message);
    makeLackingPartition(sql, tables, error)
      .then(
        () => log.warn({ reason: error.message }, 'created a partition for a row with an unexpected time'),
        (reason: unknown) => log.error({ err: reason }, 'a partition could not be made'),
      )
      .finally(() => making.delete(error.message));
  };
  sql.options.refused = refused;
  asyncCommitSql.options.refused = refused;
}

/**
 * Makes the partitions of now and of the time ahead, and drops those whose keeping time is over.
 * Run at start, every hour, and when the sandbox's clock is moved. Safe when several processes run it at once.
 *
 * @param tables those of the newest schema, or of an earlier one for a database that has it
 */
export async function maintainPartitions(
  sql: Sql,
  now: number,
  keep: KeepingTimes,
  tables: readonly Partitioned[],
): Promise<void> {
  const existing = await readNames(sql);
  for (const one of tables) {
    const { table, unit, keepDays } = one;
    const days = typeof keepDays === 'number' ? keepDays : keep[keepDays];
    const oldest = partitionAt(table, unit, now - days * 86_400_000).name;
    const pattern = new RegExp(`^${table}_\\d{4}_`);
    const expired = existing.filter((name) => pattern.test(name) && name < oldest);
    await changePartitions(sql, one, missingOf(one, now, existing), expired);
  }
}

/** Creates the partitions of now and of the time ahead, for a command whose rows need them. Drops none of them. */
export async function makePartitions(sql: Sql, now: number, tables: readonly Partitioned[]): Promise<void> {
  const existing = await readNames(sql);
  for (const one of tables) await changePartitions(sql, one, missingOf(one, now, existing));
}

async function readNames(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relkind = 'r'`;
  return rows.map(({ name }) => name);
}

/** Returns the partitions of now and of the time ahead that do not exist. */
function missingOf(one: Partitioned, now: number, existing: readonly string[]): Partition[] {
  const missing: Partition[] = [];
  for (let unit = -1; unit <= AHEAD; unit++) {
    const partition = partitionAt(one.table, one.unit, now, unit, one.key.floor);
    if (!existing.includes(partition.name)) missing.push(partition);
  }
  return missing;
}
