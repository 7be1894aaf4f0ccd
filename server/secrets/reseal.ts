import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../database/connection.ts';
import type { SealedColumn } from '../database/define-tables.ts';
import type { Logger } from '../kit/observability/log.ts';
import type { SecretBox } from './secret-box.ts';

/** Rows per transaction: few enough that nobody waits long for their locks. */
const BATCH = 200;
/** The row of `state` that migration 0022 writes if there are values to encrypt. */
const PLAIN_ROW = 'secrets-plain';
/** First byte of a value that is not encrypted yet. */
const PLAIN = Buffer.from([0]);
/** Maximum wait for the table lock of VACUUM FULL. */
const LOCK_TIMEOUT = '10s';
/**
 * Milliseconds to wait for transactions that began before everything was encrypted: VACUUM FULL keeps the rows that
 * they may see.
 */
const SNAPSHOTS_MS = 10_000;

type Row = Record<string, unknown> & { v: Buffer };

/**
 * Encrypts values that an older version had stored unencrypted. Several processes may run it in parallel, and after a
 * crash the next start does the rest. Afterwards the tables are rewritten, because PostgreSQL keeps old versions of
 * rows in their pages.
 */
export async function sealPlainValues(
  sql: Sql,
  columns: readonly SealedColumn[],
  box: SecretBox,
  log: Logger,
): Promise<void> {
  const rows = await sql`SELECT 1 FROM state WHERE key = ${PLAIN_ROW}`;
  if (rows.length === 0) return;
  let count = 0;
  const plain = columns.filter(({ wasPlain }) => wasPlain);
  for (const column of plain) {
    count += await replaceValues(
      sql,
      column,
      ['substring(v FROM 1 FOR 1) = $1', PLAIN],
      (value, purpose, row) => box.seal(value.subarray(1), purpose, row),
    );
  }
  await waitForSnapshots(sql);
  // Migration 0022 took keys from `state`.
  for (const table of new Set(['state', ...plain.map(({ table }) => table)])) {
    await rewrite(sql, table).catch((error: unknown) => {
      log.warn(
        { err: error, table },
        'table not rewritten: run VACUUM FULL on it, old versions of rows may hold secrets',
      );
    });
  }
  await sql`DELETE FROM state WHERE key = ${PLAIN_ROW}`;
  log.info({ values: count }, 'secrets in the database are encrypted');
}

/**
 * Encrypts all values with the first key that are encrypted with another one. Returns their number. Safe while other
 * processes run.
 */
export async function resealAll(sql: Sql, columns: readonly SealedColumn[], box: SecretBox): Promise<number> {
  let count = 0;
  for (const column of columns) {
    count += await replaceValues(
      sql,
      column,
      // A discarded value is empty.
      ['octet_length(v) > 0 AND substring(v FROM 2 FOR 8) <> $1', Buffer.from(box.keyId, 'hex')],
      (value, purpose, row) => box.seal(box.open(value, purpose, row), purpose, row),
    );
  }
  return count;
}

/** Number of values of a column that are encrypted with a key. */
interface SealedCount {
  readonly column: string;
  readonly keyId: string;
  readonly count: number;
}

/** Counts encrypted values by column and key. */
export async function countSealed(sql: Sql, columns: readonly SealedColumn[]): Promise<SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const { table, column } of columns) {
    const rows = await sql<{ key_id: string; count: number }[]>`
      SELECT encode(substring(${sql(column)} FROM 2 FOR 8), 'hex') AS key_id, count(*)::int AS count
      FROM ${sql(table)}
      WHERE ${sql(column)} IS NOT NULL AND octet_length(${sql(column)}) > 0 GROUP BY 1 ORDER BY 1`;
    counts.push(
      ...rows.map((row) => ({ column: `${table}.${column}`, keyId: row.key_id, count: row.count })),
    );
  }
  return counts;
}

/**
 * Replaces the values of a column that fulfil a condition (SQL with the value as `v`, and `argument` as $1), in batches
 * ordered by primary key. Skips values that somebody changed in the meantime. Returns the number of replaced values.
 */
async function replaceValues(
  sql: Sql,
  { table, column, key, purpose }: SealedColumn,
  [condition, argument]: readonly [string, Buffer],
  replace: (value: Buffer, purpose: string, row: string) => Buffer,
): Promise<number> {
  const names = key.join(', ');
  const placeholders = (first: number) => key.map((_, index) => `$${first + index}`).join(', ');
  const select = (after: string) => `
    SELECT ${names}, v FROM (SELECT ${names}, ${column} AS v FROM ${table}) AS t
    WHERE v IS NOT NULL AND ${condition} ${after} ORDER BY ${names} LIMIT ${BATCH}`;
  const update = `UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND (${names}) = (${placeholders(3)})`;
  const keyOf = (row: Row) => key.map((name) => row[name] as string | number);
  let count = 0;
  for (let last: Row | undefined; ; ) {
    const rows: Row[] = last
      ? await sql.unsafe<Row[]>(select(`AND (${names}) > (${placeholders(2)})`), [argument, ...keyOf(last)])
      : await sql.unsafe<Row[]>(select(''), [argument]);
    count += await sql.begin(async (tx) => {
      let replaced = 0;
      for (const row of rows) {
        const value = replace(row.v, purpose, keyOf(row).join('/'));
        replaced += (await tx.unsafe(update, [value, row.v, ...keyOf(row)])).count;
      }
      return replaced;
    });
    if (rows.length < BATCH) return count;
    last = rows.at(-1);
  }
}

/**
 * Waits until no transaction of the database can see rows from before now, or `SNAPSHOTS_MS` are over. A transaction
 * can see them by its snapshot or, between two statements, by the transaction id of its first write. A later
 * transaction also counts while it overlaps an older open one.
 */
async function waitForSnapshots(sql: Sql): Promise<void> {
  const deadline = performance.now() + SNAPSHOTS_MS;
  const [{ now }] = await sql<[{ now: string }]>`SELECT pg_current_xact_id()::xid::text AS now`;
  for (;;) {
    const [{ open }] = await sql<[{ open: boolean }]>`
      SELECT EXISTS (
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND greatest(age(backend_xmin), age(backend_xid)) > age(${now}::text::xid)
      ) AS open`;
    if (!open || performance.now() > deadline) return;
    await pause(50);
  }
}

async function rewrite(sql: Sql, table: string): Promise<void> {
  const connection = await sql.reserve();
  try {
    await connection`SELECT set_config('lock_timeout', ${LOCK_TIMEOUT}, false)`;
    await connection.unsafe(`VACUUM (FULL) ${table}`);
  } finally {
    await connection`RESET lock_timeout`;
    connection.release();
  }
}
