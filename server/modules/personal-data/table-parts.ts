import { numbers, texts } from '../../database/arrays.ts';
import type { Query, Queryable, Row } from '../../database/connection.ts';
import { isSealed } from '../../database/is-sealed.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { Kind } from './kinds.ts';
import { type Mentions, SEPARATORS } from './mentions.ts';
import type { Counts, Erasure, ExportedRow, PersonalDataPart, Search } from './part.ts';
import type { DataSubject, IdentifierKind } from './subject.ts';

/* Parts for tables whose rows name their person in a column, and for tables whose texts may mention people. */

/** Rows per statement. */
export const ROWS_AT_ONCE = 500;
/** Rows that one statement searches for a mention, if they are short. */
const SEARCHED_AT_ONCE = 2_000;
/** Encrypted rows that are decrypted and searched in this process at a time, which takes some milliseconds. */
const OPENED_AT_ONCE = 20;

/** A table by account with a column for a number, an address or an id. */
export interface NamedTable {
  readonly table: string;
  readonly kind: Kind;
  /** Columns that name a person, with the kinds of identifiers in them. */
  readonly by: Readonly<Record<string, readonly IdentifierKind[]>>;
  /** The primary key after `account_id`. */
  readonly key: readonly string[];
  /** Columns of an export. Ids that contain a time are followed by that time. */
  readonly shown: readonly string[];
  /** Columns of milliseconds among `shown`. */
  readonly times?: readonly string[];
  /** Values that an erasure writes in place of deleting the row; the named columns get the pseudonym. */
  readonly kept?: Readonly<Record<string, string | number | Buffer | null>>;
}

const identifiers = (subject: DataSubject, of: readonly IdentifierKind[]): string[] =>
  of.flatMap((kind) => subject[kind]);

/** Condition for the rows of a table that name the person in one of its columns; undefined if none can. */
function whereNamed(sql: Queryable, { by }: NamedTable, subject: DataSubject) {
  const conditions = Object.entries(by).flatMap(([column, of]) => {
    const values = identifiers(subject, of);
    return values.length === 0 ? [] : [sql`${sql(column)} = ANY(${texts(values)}::text[])`];
  });
  const [first, ...others] = conditions;
  return first && others.reduce((all, one) => sql`${all} OR ${one}`, first);
}

/** Counts the rows of tables that name the person. */
export async function countNamed(search: Search, tables: readonly NamedTable[]): Promise<Counts> {
  const { sql, accountId, subject, keepLease } = search;
  const counts: Counts = {};
  for (const table of tables) {
    const named = whereNamed(sql, table, subject);
    if (!named) continue;
    await keepLease();
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM ${sql(table.table)} WHERE account_id = ${accountId} AND (${named})`;
    counts[table.kind] = (counts[table.kind] ?? 0) + row!.count;
  }
  return counts;
}

/** Yields the rows of tables that name the person, as exported. */
export async function* rowsNamed(
  search: Search,
  tables: readonly NamedTable[],
): AsyncGenerator<ExportedRow & { readonly table: string; readonly source: Row }> {
  for (const table of tables) {
    for await (const source of pagesOf(search, table)) {
      yield { kind: table.kind, table: table.table, source, row: shownRow(table, source) };
    }
  }
}

/** Yields rows ordered by key, page by page. */
async function* pagesOf(
  { sql, accountId, subject, keepLease }: Search,
  table: NamedTable,
): AsyncGenerator<Row> {
  const named = whereNamed(sql, table, subject);
  if (!named) return;
  const columns = [...new Set([...table.key, ...table.shown])];
  let after: Row | undefined;
  for (;;) {
    await keepLease();
    const beyond: Query<Row[]> = after
      ? sql`AND (${sql(table.key)}) > (${keyOf(sql, table.key, after)})`
      : sql``;
    const rows: readonly Row[] = await sql`
      SELECT ${sql(columns)} FROM ${sql(table.table)}
      WHERE account_id = ${accountId} AND (${named}) ${beyond}
      ORDER BY ${sql(table.key)} LIMIT ${ROWS_AT_ONCE}`;
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1);
  }
}

/** Values of a key; PostgreSQL infers each type from the compared column. */
function keyOf(sql: Queryable, key: readonly string[], row: Row) {
  const [first, ...others] = key.map((column) => sql`${row[column]}`);
  return others.reduce((all, one) => sql`${all}, ${one}`, first!);
}

/** Formats a row for people: times as ISO 8601, and for an id also its time. */
function shownRow({ shown, times = [] }: NamedTable, row: Row): Record<string, unknown> {
  const isTime = new Set(times);
  return Object.fromEntries(
    shown.flatMap((column): [string, unknown][] => {
      const value: unknown = row[column];
      if (column === 'id')
        return [
          ['id', String(value)],
          ['at', isoOf(timeOfId(value as number))],
        ];
      if (isTime.has(column)) return [[column, value === null ? null : isoOf(value as number)]];
      if (Buffer.isBuffer(value)) return [[column, value.toString('base64')]];
      return [[column, typeof value === 'number' && column.endsWith('id') ? String(value) : value]];
    }),
  );
}

export const isoOf = (time: number): string => new Date(time).toISOString();

/** Deletes the rows of tables that name the person, or replaces their values with pseudonyms. */
export async function eraseNamed(erasure: Erasure, tables: readonly NamedTable[]): Promise<Counts> {
  const counts: Counts = {};
  for (const table of tables) {
    for (const [column, of] of Object.entries(table.by)) {
      for (const identifier of identifiers(erasure.subject, of)) {
        counts[table.kind] =
          (counts[table.kind] ?? 0) + (await eraseColumn(erasure, table, column, identifier));
      }
    }
  }
  return counts;
}

async function eraseColumn(
  { sql, accountId, pseudonymOf, keepLease }: Erasure,
  { table, key, kept }: NamedTable,
  column: string,
  identifier: string,
): Promise<number> {
  const mine = sql`account_id = ${accountId} AND ${sql(column)} = ${identifier}`;
  const some = sql`${mine} AND (${sql(key)}) IN (
    SELECT ${sql(key)} FROM ${sql(table)} WHERE ${mine} LIMIT ${ROWS_AT_ONCE})`;
  for (let erased = 0; ; ) {
    await keepLease();
    const { count } = await (kept
      ? sql`UPDATE ${sql(table)} SET ${sql({ ...kept, [column]: pseudonymOf(identifier) })} WHERE ${some}`
      : sql`DELETE FROM ${sql(table)} WHERE ${some}`);
    erased += count;
    if (count < ROWS_AT_ONCE) return erased;
  }
}

/** Creates a part for tables by account whose columns name people. */
export const partOf = (tables: readonly NamedTable[]): PersonalDataPart => ({
  tables: tables.map(({ table }) => table),
  count: (search) => countNamed(search, tables),
  rows: (search) => rowsNamed(search, tables),
  erase: (erasure) => eraseNamed(erasure, tables),
});

/** A table by account with texts that may mention anybody. Its key is `account_id` and one more column. */
export interface MentioningTable {
  readonly table: string;
  readonly kind: Kind;
  readonly key: string;
  /** Columns with texts and JSON, with the function that rewrites a text that names the person. */
  readonly columns: Readonly<Record<string, Rewrite>>;
  /** Rows that one statement searches, if they are long; 2,000 by default. */
  readonly searchedAtOnce?: number;
  /** `jsonb` columns among them. */
  readonly json?: readonly string[];
  /** Text columns among them that may be encrypted (database/sealed-text.ts). The key of such a table is a number. */
  readonly sealed?: readonly string[];
}

/** Returns the replacement of a text that names the person. */
export type Rewrite = (
  text: string,
  mentions: Mentions,
  pseudonymOf: (identifier: string) => string,
) => string;

/** A row whose texts name the person. */
interface Mention {
  readonly key: string | number;
  /** The columns that name them. */
  readonly told: readonly string[];
  readonly row: Row;
  readonly isSealed: boolean;
}

/** Yields rows of a table whose texts name the person. */
async function* mentionsIn(search: Search, table: MentioningTable): AsyncGenerator<Mention> {
  const { sql, accountId, mentions, keepLease } = search;
  const { key, columns, sealed = [], searchedAtOnce = SEARCHED_AT_ONCE } = table;
  const names = Object.keys(columns);
  const likely = anyOf(
    sql,
    names.map(
      (name) =>
        sql`translate(lower(${sql(name)}::text), ${SEPARATORS}, '') LIKE ANY(${texts(mentions.patterns)}::text[])`,
    ),
  );
  const mentionOf = (row: Row, isSealed: boolean): Mention[] => {
    const told = names.filter((name) => row[name] !== null && mentions.in(row[name] as string));
    return told.length > 0 ? [{ key: row.row_key as string | number, told, row, isSealed }] : [];
  };
  for (let after: string | number | null = null; ; ) {
    await keepLease();
    const beyond: Query<Row[]> = after === null ? sql`` : sql`AND ${sql(key)} > ${after}`;
    const [end]: readonly Row[] = await sql`
      SELECT max(page.key) AS last, count(*)::int AS count FROM (
        SELECT ${sql(key)} AS key FROM ${sql(table.table)} WHERE account_id = ${accountId} ${beyond}
        ORDER BY ${sql(key)} LIMIT ${searchedAtOnce}) page`;
    if (end!.count === 0) return;
    const page = sql`account_id = ${accountId} ${beyond} AND ${sql(key)} <= ${end!.last}`;
    const hasSealed =
      sealed.length > 0 &&
      anyOf(
        sql,
        sealed.map((name) => isSealed(sql, sql`${sql(name)}`)),
      );
    const rows: readonly Row[] = await sql`
      SELECT ${sql(key)} AS row_key, ${asTexts(sql, names)} FROM ${sql(table.table)}
      WHERE ${page} AND (${likely}) ${hasSealed ? sql`AND (${hasSealed}) IS NOT TRUE` : sql``}`;
    for (const row of rows) yield* mentionOf(row, false);
    // The database cannot search encrypted texts.
    const sealedKeys: readonly Row[] = hasSealed
      ? await sql`SELECT ${sql(key)} AS row_key FROM ${sql(table.table)} WHERE ${page} AND (${hasSealed})`
      : [];
    for (let from = 0; from < sealedKeys.length; from += OPENED_AT_ONCE) {
      await keepLease();
      const ids = numbers(sealedKeys.slice(from, from + OPENED_AT_ONCE).map((row) => row.row_key as number));
      const opened: readonly Row[] = await sql`
        SELECT ${sql(key)} AS row_key, ${asTexts(sql, names)} FROM ${sql(table.table)}
        WHERE account_id = ${accountId} AND ${sql(key)} = ANY(${ids}::bigint[])`;
      for (const row of opened) yield* mentionOf(row, true);
    }
    if (end!.count < searchedAtOnce) return;
    after = end!.last as string | number;
  }
}

/** Joins conditions with OR. */
function anyOf(sql: Queryable, [first, ...others]: readonly Query<Row[]>[]): Query<Row[]> {
  return others.reduce((all, one) => sql`${all} OR ${one}`, first!);
}

/** Selects columns as text. */
function asTexts(sql: Queryable, names: readonly string[]): Query<Row[]> {
  const [first, ...others] = names.map((name) => sql`${sql(name)}::text AS ${sql(name)}`);
  return others.reduce((all, column) => sql`${all}, ${column}`, first!);
}

/** Creates a part for tables whose texts may name people: an export shows where, an erasure rewrites the texts. */
export const partOfMentions = (tables: readonly MentioningTable[]): PersonalDataPart => ({
  tables: tables.map(({ table }) => table),

  async count(search) {
    const counts: Counts = {};
    for (const table of tables) {
      for await (const _ of mentionsIn(search, table)) counts[table.kind] = (counts[table.kind] ?? 0) + 1;
    }
    return counts;
  },

  /** Shows where the person is named, without the text, which may also be about others. */
  async *rows(search) {
    for (const table of tables) {
      for await (const { key, told } of mentionsIn(search, table)) {
        const at = table.key === 'id' ? { at: isoOf(timeOfId(key as number)) } : {};
        yield {
          kind: table.kind,
          row: { table: table.table, [table.key]: String(key), ...at, columns: told.join(', ') },
        };
      }
    }
  },

  async erase(erasure) {
    const { sql, accountId, mentions, pseudonymOf } = erasure;
    const counts: Counts = {};
    for (const table of tables) {
      const isJson = new Set(table.json);
      const maySeal = new Set(table.sealed);
      for await (const { key, told, row, isSealed: wasSealed } of mentionsIn(erasure, table)) {
        for (const name of told) {
          const text = table.columns[name]!(row[name] as string, mentions, pseudonymOf);
          const stored = maySeal.has(name) ? sql.rewrittenText(accountId, text, wasSealed) : text;
          const value = isJson.has(name) ? sql`${stored}::text::jsonb` : sql`${stored}`;
          await sql`
            UPDATE ${sql(table.table)} SET ${sql(name)} = ${value}
            WHERE account_id = ${accountId} AND ${sql(table.key)} = ${key}`;
        }
        counts[table.kind] = (counts[table.kind] ?? 0) + 1;
      }
    }
    return counts;
  },
});
