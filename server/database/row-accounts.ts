import { numbers } from './arrays.ts';
import type { Query, Queryable } from './sql.ts';

type Part = Query<readonly object[]>;

/** How an `INSERT … SELECT … FROM unnest(…) AS u` knows the account of each row: parts of its text. */
export interface RowAccounts {
  /** The account, among the columns that are selected. */
  readonly account: Part;
  /** From FROM up to the arrays of the other columns. */
  readonly from: Part;
  /** Before the names of the other columns of `u`. */
  readonly named: Part;
  /** After it. */
  readonly where: Part;
}

/**
 * All rows are of one account. Selects from the wallet's row, so that a distributed PostgreSQL sends the statement to the
 * one node that has the account (docs/decisions/0005-sql-that-can-be-distributed.md).
 */
const ofAccount = (sql: Queryable, accountId: number): RowAccounts => ({
  account: sql`w.account_id`,
  from: sql`wallets w, unnest(`,
  named: sql``,
  where: sql`WHERE w.account_id = ${accountId}`,
});

/**
 * Each row is of its own account, and only those are inserted whose account is among the rows of the CTE `debit`. As a
 * boolean, so that PostgreSQL looks each up in a hash table: it takes a CTE for ten rows, and would join in loops.
 */
export const ofDebited = (sql: Queryable, accountIds: readonly number[]): RowAccounts => ({
  account: sql`u.account_id`,
  from: sql`unnest(${numbers(accountIds)}::bigint[],`,
  named: sql`account_id,`,
  where: sql`WHERE (u.account_id IN (SELECT account_id FROM debit)) IS TRUE`,
});

/** The rows of an account by its id, or those that are told apart already. */
export const rowsOf = (sql: Queryable, accounts: number | RowAccounts): RowAccounts =>
  typeof accounts === 'number' ? ofAccount(sql, accounts) : accounts;
