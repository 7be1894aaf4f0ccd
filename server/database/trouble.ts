import postgres from 'postgres';

// Connection exceptions, no resources (disk full among them), operator intervention (shutdown), system errors,
// rolled back by the server.
const passing = /^(08|53|57|58|40)/;

/** Whether a statement failed because the database is away, full or overloaded, and not because of the statement. */
export function isDatabaseTrouble(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return passing.test(error.code);
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(CONNECT|ECONN|ENOENT$|EPIPE$|ETIMEDOUT$|EAI_)/.test(code);
}
