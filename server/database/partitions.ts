import { DateTime } from 'luxon';
import { idFloor, timeOfId } from '../ids.ts';
import type { Logger } from '../observability/log.ts';
import type { Sql, TransactionSql } from './connection.ts';
import type { PostgresError } from './errors.ts';
import { lacksPartition } from './trouble.ts';

/*
 * The tables that grow are cut by id, or by another key that grows with time: a partition is dropped whole when its
 * keeping time is over, since deleting rows by the million is the slowest thing that PostgreSQL does.
 */

type Unit = 'month' | 'week' | 'day';

/** How many days are kept of what the settings decide. */
interface KeepingTimes {
  readonly KEEP_DAYS: number;
  readonly REQUEST_LOG_DAYS: number;
}

interface Partitioned {
  readonly table: string;
  readonly unit: Unit;
  /** How many days are kept, or the setting that says it; undefined: KEEP_DAYS. */
  readonly keepDays?: number | keyof KeepingTimes;
  /** The smallest key that can have been made at a time; undefined: that of ids. */
  readonly floor?: (time: number) => number;
}

// Of the 62⁷ codes of links each month has so many: enough for 1,600 a second all month, and for 68 years.
export const CODES_A_MONTH = 2 ** 32;
const CODES_EPOCH = 2025 * 12;

/** The first number of the codes of the month (UTC) that `time` is in (server/links/code-numbers.ts). */
export function codeFloor(time: number): number {
  const date = new Date(time);
  return (date.getUTCFullYear() * 12 + date.getUTCMonth() - CODES_EPOCH) * CODES_A_MONTH;
}

/** Tables with partitions. */
export const partitioned: readonly Partitioned[] = [
  { table: 'shipments', unit: 'month' },
  { table: 'messages', unit: 'month' },
  { table: 'incoming', unit: 'month' },
  { table: 'chat_incoming', unit: 'month' },
  // A receipt that comes after three weeks is of no use to anyone; validity is a week at most.
  { table: 'carrier_messages', unit: 'week', keepDays: 21 },
  { table: 'short_links', unit: 'month' },
  { table: 'link_codes', unit: 'month', floor: codeFloor },
  { table: 'clicks', unit: 'month' },
  { table: 'audit_log', unit: 'month' },
  { table: 'mail_returns', unit: 'month' },
  { table: 'mail_incoming', unit: 'month' },
  // For 90 days a phone that used a code is a known one (server/fraud-guard/measure.ts).
  { table: 'otp_sends', unit: 'month', keepDays: 90 },
  // What was pushed or failed can be replayed for a month (docs/events.md).
  { table: 'event_batches', unit: 'week', keepDays: 30 },
  { table: 'deliveries', unit: 'week', keepDays: 30 },
  { table: 'request_log', unit: 'day', keepDays: 'REQUEST_LOG_DAYS' },
];

const nameFormats: Readonly<Record<Unit, string>> = {
  month: 'yyyy_MM',
  week: "kkkk_'w'WW",
  day: 'yyyy_MM_dd',
};

// Partitions are made this many units ahead, so that a process that cannot make them for a while does no harm.
const AHEAD = 2;
const LOCK = 20_25_01_03;
// A partition is dropped when no statement uses it any more.
const DEADLINE_MS = 600_000;

/** One partition: its name and the keys it takes, from `from` to before `to`. */
interface Partition {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The partition of `table` that holds `time`, `units` later. */
export function partitionAt(table: string, unit: Unit, time: number, units = 0, floor = idFloor): Partition {
  const start = DateTime.fromMillis(time, { zone: 'utc' })
    .startOf(unit)
    .plus({ [unit]: units });
  const name = `${table}_${start.toFormat(nameFormats[unit])}`;
  return { name, from: floor(start.toMillis()), to: floor(start.plus({ [unit]: 1 }).toMillis()) };
}

/**
 * Makes the partition that a row had lacked, as the error of its statement names it; the statement is made again by whoever
 * made it. A clock that is ahead makes such rows, and so does a program that could not make partitions for weeks.
 */
async function makeLackingPartition(sql: Sql, error: PostgresError): Promise<void> {
  // On Citus it is named with its shard.
  const table = /"(\w+?)(?:_\d+)?"/.exec(error.message)?.[1];
  const key = Number(/\((\d{1,16})\)/.exec(error.detail ?? '')?.[1] ?? Number.NaN);
  const known = partitioned.find((one) => one.table === table);
  if (!known || Number.isNaN(key)) return;
  const { unit, floor } = known;
  const time = floor === codeFloor ? timeOfCode(key) : timeOfId(key);
  const { name, from, to } = partitionAt(known.table, unit, time, 0, floor);
  await sql.begin({ deadlineMs: DEADLINE_MS }, async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${LOCK})`;
    await tx.unsafe(
      `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to})`,
    );
    if (table === 'messages') await tx.unsafe(`ALTER TABLE ${name} SET (fillfactor = 60)`);
  });
}

/** Makes partitions that rows lack, from now on, when a statement on this database has failed for it. */
export function makePartitionsOnDemand(
  { sql, asyncCommitSql }: { sql: Sql; asyncCommitSql: Sql },
  log: Logger,
): void {
  const making = new Set<string>();
  const refused = (error: PostgresError) => {
    if (!lacksPartition(error) || making.has(error.message)) return;
    making.add(error.message);
    makeLackingPartition(sql, error)
      .then(
        () => log.warn({ reason: error.message }, 'created a partition for a row with an unexpected time'),
        (reason: unknown) => log.error({ err: reason }, 'a partition could not be made'),
      )
      .finally(() => making.delete(error.message));
  };
  sql.options.refused = refused;
  asyncCommitSql.options.refused = refused;
}

/** When the month of a code of links begins. */
function timeOfCode(code: number): number {
  return Date.UTC(0, Math.floor(code / CODES_A_MONTH) + CODES_EPOCH - 1900 * 12);
}

/**
 * Makes the partitions of now and of the time ahead, and drops those whose keeping time is over.
 * Run at start, every hour, and when the sandbox's clock is moved. Safe when several processes run it at once.
 *
 * @param tables those of the newest schema; others for a schema of an earlier version
 */
export async function maintainPartitions(
  sql: Sql,
  now: number,
  keep: KeepingTimes,
  tables: readonly Partitioned[] = partitioned,
): Promise<void> {
  await sql.begin({ deadlineMs: DEADLINE_MS }, async (tx) => {
    const existing = await makeIn(tx, now, tables);
    for (const { table, unit, keepDays = 'KEEP_DAYS' } of tables) {
      const days = typeof keepDays === 'number' ? keepDays : keep[keepDays];
      const oldest = partitionAt(table, unit, now - days * 86_400_000).name;
      const pattern = new RegExp(`^${table}_\\d{4}_`);
      for (const name of existing) {
        if (pattern.test(name) && name < oldest) await tx.unsafe(`DROP TABLE ${name}`);
      }
    }
  });
}

/** Makes the partitions of now and of the time ahead, for a command whose rows need them. It drops none. */
export async function makePartitions(sql: Sql, now: number): Promise<void> {
  await sql.begin({ deadlineMs: DEADLINE_MS }, async (tx) => {
    await makeIn(tx, now, partitioned);
  });
}

/** Makes the partitions that are missing. Returns the names of those that existed before. */
async function makeIn(
  tx: TransactionSql,
  now: number,
  tables: readonly Partitioned[],
): Promise<ReadonlySet<string>> {
  await tx`SELECT pg_advisory_xact_lock(${LOCK})`;
  const rows = await tx<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relkind = 'r'`;
  const existing = new Set(rows.map((row) => row.name));
  for (const { table, unit, floor } of tables) {
    const wanted = Array.from({ length: AHEAD + 2 }, (_, i) => partitionAt(table, unit, now, i - 1, floor));
    for (const { name, from, to } of wanted) {
      if (existing.has(name)) continue;
      await tx.unsafe(`CREATE TABLE ${name} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to})`);
      // Room on the page for the second version of a row: updates of results then touch no index.
      if (table === 'messages') await tx.unsafe(`ALTER TABLE ${name} SET (fillfactor = 60)`);
    }
  }
  return existing;
}
