import { bigints } from './binary-arrays.ts';
import type { Query, Queryable } from './sql.ts';

type Part = Query<readonly object[]>;

/** Parts of the text of an `INSERT … SELECT … FROM unnest(…) AS u` that determine the account of each row. */
export interface RowAccounts {
  /** The account among the selected columns. */
  readonly account: Part;
  /** Text from FROM to the arrays of the other columns. */
  readonly from: Part;
  /** Text before the names of the other columns of `u`. */
  readonly named: Part;
  /** Text after it. */
  readonly where: Part;
}

/**
 * Returns the parts for rows of one account. Selects from the wallet's row, so that a distributed PostgreSQL sends the
 * statement to the one node of the account (docs/decisions/0005-sql-that-can-be-distributed.md).
 */
const ofAccount = (sql: Queryable, accountId: number): RowAccounts => ({
  account: sql`w.account_id`,
  from: sql`wallets w, unnest(`,
  named: sql``,
  where: sql`WHERE w.account_id = ${accountId}`,
});

/**
 * Returns the parts for rows with separate accounts: only rows whose account is in the CTE `debit` are inserted. The
 * condition is a boolean, so that PostgreSQL looks each account up in a hash table: it estimates ten rows for a CTE,
 * and would join in nested loops.
 */
export const ofDebited = (sql: Queryable, accountIds: readonly number[]): RowAccounts => ({
  account: sql`u.account_id`,
  from: sql`unnest(${bigints(accountIds)}::bigint[],`,
  named: sql`account_id,`,
  where: sql`WHERE (u.account_id IN (SELECT account_id FROM debit)) IS TRUE`,
});

/** Returns the parts for rows of accounts of one placement, each with the account at its place. */
export const ofWallets = (sql: Queryable, accountIds: readonly number[]): RowAccounts => ({
  account: sql`w.account_id`,
  from: sql`wallets w, unnest(${bigints(accountIds)}::bigint[],`,
  named: sql`account_id,`,
  where: sql`WHERE w.account_id = u.account_id AND w.account_id = ANY(${bigints([...new Set(accountIds)])}::bigint[])`,
});

/** Returns the parts for the rows of one account id, or the given parts. */
export const rowsOf = (sql: Queryable, accounts: number | RowAccounts): RowAccounts =>
  typeof accounts === 'number' ? ofAccount(sql, accounts) : accounts;
