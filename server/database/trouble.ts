import { ConnectionError, PostgresError } from './errors.ts';

// SQLSTATE classes: connection exceptions (08), refused logins (28: the password or the role was changed while the service runs),
// sessions that were idle too long in a transaction (25P03), read-only databases (25006: a standby, or a full disk), resources (53),
// operator intervention (57), system errors (58) and transactions that the server rolled back (40).
const passing = /^(08|25006$|25P03$|28|53|57|58|40)/;

/** Whether a row had no partition: missing ones are created on demand (partitions.ts). */
export function lacksPartition(error: unknown): error is PostgresError {
  return (
    error instanceof PostgresError &&
    error.code === '23514' &&
    error.message.startsWith('no partition of relation')
  );
}

/**
 * Whether a statement failed because the database is unavailable, full, read-only or overloaded, or refuses the login. False for
 * errors of the statement itself.
 */
export function isDatabaseTrouble(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (error instanceof PostgresError) return passing.test(error.code) || lacksPartition(error);
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === 'string' &&
    /^(ECONN|ENOENT$|EPIPE$|ETIMEDOUT$|EAI_|EHOSTUNREACH$|ENETUNREACH$)/.test(code)
  );
}

/** Whether a transaction was rolled back because of a deadlock: it can be repeated unchanged. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof PostgresError && error.code === '40P01';
