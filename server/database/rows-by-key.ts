import { accountsOf } from './arrays.ts';
import type { Query, Queryable, Row } from './connection.ts';

/*
 * Parts of a statement that updates or deletes rows by their primary key, (account_id, id): a join of the table and
 * rows `u` of array parameters.
 */

type SqlPart = Query<Row[]>;

/**
 * Returns `count` rows of arrays as `u`, with the columns `names`, for a join by primary key. The LIMIT changes no rows:
 * it makes PostgreSQL expect one row, so that it looks each key up in the index, even if the table has no statistics yet.
 * PostgreSQL does not know the lengths of array parameters and expects ten rows. So it read all rows of
 * the accounts between the lowest and the highest id, and compared each with every row of `u` (770,000 comparisons for
 * 280 results of 28 accounts, 215 ms instead of 2).
 */
export const rowsByKey = (sql: Queryable, count: number, names: SqlPart, arrays: SqlPart): SqlPart =>
  sql`(SELECT * FROM unnest(${arrays}) AS k (${names}) LIMIT ${count}) AS u`;

/**
 * Returns the condition that `column`, by which a table is partitioned, is between two ids, both included: for a statement that
 * joins the table and changes or locks its rows. Sub-selects in place of plain parameters prevent that PostgreSQL 18 (18.4)
 * excludes partitions when the generic plan of a prepared statement starts. If it does that, and excludes others for each row of
 * the join, it finds nothing after the first row that it had to wait for because another transaction changed it: results of
 * other messages, also of other accounts, were lost while a campaign was cancelled. Statements that only read may use parameters.
 */
export const isWithin = (
  sql: Queryable,
  column: SqlPart,
  { first, last }: { readonly first: number; readonly last: number },
): SqlPart => sql`${column} >= (SELECT ${first}::bigint) AND ${column} <= (SELECT ${last}::bigint)`;

/**
 * Returns the condition that `column` has one of the accounts of these rows, from which a distributed PostgreSQL
 * determines their shard. An index scan cannot use an OR like this one: it would look up every account of the list for
 * each row of a join.
 */
export const isOfAccounts = (
  sql: Queryable,
  column: SqlPart,
  rows: readonly { readonly accountId: number }[],
): SqlPart =>
  sql`(${column} = ${rows[0]?.accountId ?? null} OR ${column} = ANY(${accountsOf(rows)}::bigint[]))`;
