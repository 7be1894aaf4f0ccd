import { harmlessText, type SealedText } from './sealed-text.ts';

/*
 * Array parameters written as PostgreSQL's array literals. The driver would go through every element with a type
 * look-up; for the statements that carry thousands of values this is 4 times as fast.
 */

/** `{1,2,NULL}` */
export function numbers(values: readonly (number | null)[]): string {
  let literal = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) literal += ',';
    literal += values[i] ?? 'NULL';
  }
  return `${literal}}`;
}

/** The different accounts of rows, for `account_id = ANY(${accountsOf(rows)}::bigint[])`. */
export const accountsOf = (rows: readonly { readonly accountId: number }[]): string =>
  numbers([...new Set(rows.map(({ accountId }) => accountId))]);

/**
 * The smallest and the largest of the ids of rows, for `id >= ${first}` beside `id = u.id`: PostgreSQL otherwise reads every
 * index entry of the accounts, those of rows that are gone too, since it expects few of them (7,200 entries for 100 batches
 * of as many accounts). Both bounds are for partitioned tables, whose other partitions are left out by them; elsewhere it
 * expects one row between them, and joins in loops (22,000 comparisons for 149 batches).
 */
export function rangeOf(ids: readonly number[]): { readonly first: number; readonly last: number } {
  let first = ids[0] ?? 0;
  let last = first;
  for (const id of ids) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  return { first, last };
}

const special = /["\\]/;
const specials = /["\\]/g;

/** `{"a","say \"b\"",NULL}` */
export function texts(values: readonly (string | SealedText | null)[]): string {
  let literal = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) literal += ',';
    const given = values[i];
    const value = typeof given === 'string' ? harmlessText(given) : given?.text;
    if (value === undefined) literal += 'NULL';
    else literal += special.test(value) ? `"${value.replace(specials, '\\$&')}"` : `"${value}"`;
  }
  return `${literal}}`;
}

/** Rows of one statement: worth its trip, and its parameters are written within a slice of the event loop. */
export const ROWS_A_STATEMENT = 5_000;

/** Parts of an array for one statement each. */
export function* inStatements<T>(values: readonly T[], size = ROWS_A_STATEMENT): Generator<readonly T[]> {
  if (values.length <= size) yield values;
  else for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}
