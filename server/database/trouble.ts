import { ConnectionError, PostgresError } from './errors.ts';

// Connection exceptions, a session that was idle too long in a transaction, a database that is read-only for now (a
// standby, or one whose disk is full), no resources (disk full among them), operator intervention (shutdown, a statement
// that took too long), system errors, rolled back by the server.
const passing = /^(08|25006$|25P03$|53|57|58|40)/;

/** Whether a row had no partition to go into: they are made on demand (partitions.ts). */
export function lacksPartition(error: unknown): error is PostgresError {
  return (
    error instanceof PostgresError &&
    error.code === '23514' &&
    error.message.startsWith('no partition of relation')
  );
}

/** Whether a statement failed because the database is away, full, read-only or overloaded, and not because of itself. */
export function isDatabaseTrouble(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (error instanceof PostgresError) return passing.test(error.code) || lacksPartition(error);
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === 'string' &&
    /^(ECONN|ENOENT$|EPIPE$|ETIMEDOUT$|EAI_|EHOSTUNREACH$|ENETUNREACH$)/.test(code)
  );
}

/** Whether a transaction was undone since it and another one waited for each other: it can be made again as it is. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof PostgresError && error.code === '40P01';
