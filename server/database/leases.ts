import { bigints, ints, textArray } from './binary-arrays.ts';
import type { Query, Queryable, Row, Sql } from './connection.ts';
import { isOfAccounts, rowsByKey } from './rows-by-key.ts';

/*
 * SQL of leases. `lease_until` is the end of a lease by the database's clock, and `lease_owner` its holder. In tables with
 * `lease_epoch` the owner is a process and the epoch counts its claims; in others the owner is a name of `newClaim`. The
 * fence compares them in every statement that renews or ends a lease (docs/decisions/0010-time-and-fences.md).
 */

type SqlPart = Query<Row[]>;

let claims = 0;

/** Returns a name for `lease_owner` that no other claim of any process has: the process (`boot`) and a count. */
export const newClaim = (boot: string): string => `${boot}${CLAIM_MARK}${++claims}`;

const CLAIM_MARK = '/';

/** A claim of a row: a process and an epoch, or a name of `newClaim`. */
interface Claim {
  readonly owner: string;
  readonly epoch?: number;
}

/**
 * Returns the condition that a row can be claimed. `column` is `lease_until` with the name of its table, for statements
 * that have two.
 */
export const isFree = (sql: Queryable, leaseNow: number, column?: SqlPart): SqlPart =>
  column ? sql`${column} < ${leaseNow}` : sql`lease_until < ${leaseNow}`;

/** Returns the condition that somebody has the lease of a row. */
export const isLeased = (sql: Queryable, leaseNow: number): SqlPart => sql`lease_until >= ${leaseNow}`;

/** Returns the condition that a process has claimed a row by a name of `newClaim`. */
export const isClaimOf = (sql: Queryable, boot: string): SqlPart =>
  sql`starts_with(lease_owner, ${`${boot}${CLAIM_MARK}`})`;

/** Returns the condition that a process has the lease of a row, by either spelling. */
export const isOfProcess = (sql: Queryable, boot: string): SqlPart =>
  sql`(lease_owner = ${boot} OR ${isClaimOf(sql, boot)})`;

/** Returns the assignments that give the lease of a row to an owner. */
export const taken = (sql: Queryable, owner: string, leaseUntil: number): SqlPart =>
  sql`lease_owner = ${owner}, lease_until = ${leaseUntil}`;

/** Returns the assignments of `taken` for a row that an INSERT has found. */
export const takenByInsert = (sql: Queryable): SqlPart =>
  sql`lease_owner = excluded.lease_owner, lease_until = excluded.lease_until`;

/** Returns the assignment that renews a lease. */
export const renewed = (sql: Queryable, leaseUntil: number): SqlPart => sql`lease_until = ${leaseUntil}`;

/** Returns the assignments that end a lease. Without an owner the row can be claimed from `leaseUntil` on. */
export const released = (sql: Queryable, leaseUntil: number | SqlPart = 0): SqlPart =>
  sql`lease_owner = NULL, lease_until = ${leaseUntil}`;

/** Returns the fence of one row: the condition that a claim still has its lease. */
export const isHeldBy = (sql: Queryable, { owner, epoch }: Claim): SqlPart =>
  epoch === undefined ? sql`lease_owner = ${owner}` : sql`lease_owner = ${owner} AND lease_epoch = ${epoch}`;

/** Key of a row. */
interface RowKey {
  readonly accountId: number;
  readonly id: number;
}

/** A column of `keyRows`. */
interface Column {
  readonly name: SqlPart;
  readonly values: SqlPart;
}

/** Returns keys of rows, all of accounts of one placement, as rows `u` with more columns. */
export function keyRows(sql: Queryable, rows: readonly RowKey[], columns: readonly Column[] = []): SqlPart {
  const more = (part: keyof Column) =>
    columns.length === 0 ? sql`` : sql`${columns.map((column) => sql`, ${column[part]}`)}`;
  const arrays = sql`
    ${bigints(rows.map(({ accountId }) => accountId))}::bigint[], ${bigints(rows.map(({ id }) => id))}::bigint[]${more('values')}`;
  return rowsByKey(sql, rows.length, sql`account_id, id${more('name')}`, arrays);
}

/** Returns the condition that a row `r` has a key of `keyRows`. `id` is its column with the id. */
export const hasKey = (sql: Queryable, rows: readonly RowKey[], id = sql`r.id`): SqlPart => sql`
  ${isOfAccounts(sql, sql`r.account_id`, rows)} AND r.account_id = u.account_id AND ${id} = u.id`;

/** Fence of several rows in tables without epochs. */
export const fenceByName = {
  /** Returns the columns of `u` that it needs. */
  columns: (sql: Queryable, rows: readonly { readonly owner: string | null }[]): Column[] => [
    { name: sql`owner`, values: sql`${textArray(rows.map(({ owner }) => owner))}::text[]` },
  ],
  /** Returns the condition that the claim of a row of `u` still has its lease. */
  isHeld: (sql: Queryable): SqlPart => sql`lease_owner = u.owner`,
};

/** Fence of several rows in tables with epochs. */
export const fenceByEpoch = {
  columns: (
    sql: Queryable,
    rows: readonly { readonly owner: string | null; readonly epoch: number }[],
  ): Column[] => [
    ...fenceByName.columns(sql, rows),
    { name: sql`epoch`, values: sql`${ints(rows.map(({ epoch }) => epoch))}::integer[]` },
  ],
  isHeld: (sql: Queryable): SqlPart => sql`lease_owner = u.owner AND lease_epoch = u.epoch`,
};

/**
 * Ends every lease of these tables, or of some of their rows. Only for rows whose holder has certainly ended: those of a process that
 * its supervisor has seen exit, and all when the first process of an embedded database starts. Then `releaseAllBatches`
 * (engine/dispatch/batches.ts) does it for batches.
 */
export async function endLeases(sql: Sql, tables: readonly string[], rows = sql`true`): Promise<void> {
  await Promise.all(
    tables.map((table) => sql`UPDATE ${sql(table)} SET lease_until = 0 WHERE lease_until > 0 AND ${rows}`),
  );
}
