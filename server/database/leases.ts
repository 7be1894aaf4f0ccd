import type { Sql } from './connection.ts';

let claims = 0;

/**
 * Returns a name for `lease_owner` that no other claim of any process has: the process (`boot`) and a count. Statements
 * that renew or end a lease compare it, so work that was paused beyond its lease changes nothing, even if the same
 * process has claimed the row again.
 */
export const newClaim = (boot: string): string => `${boot}${CLAIM_MARK}${++claims}`;

/** Returns the prefix of all claims of a process. */
export const claimsOf = (boot: string): string => `${boot}${CLAIM_MARK}`;

const CLAIM_MARK = '/';

/**
 * Ends every lease of these tables (`leased` of their declarations): only for the one process of an embedded database, when it
 * starts, since nobody else can hold one. Batches have rules of their own (engine/dispatch/batches.ts).
 */
export async function endLeases(sql: Sql, tables: readonly string[]): Promise<void> {
  await Promise.all(
    tables.map((table) => sql`UPDATE ${sql(table)} SET lease_until = 0 WHERE lease_until > 0`),
  );
}
