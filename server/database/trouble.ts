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

/**
 * Keeps the process alive when a connection is lost while the driver reads the array types over it, which postgres.js
 * does with every new one and whose failure it leaves to nobody (the statement that waited is told, too). Anything else
 * that nobody handles ends the process as ever.
 */
export function tolerateLostConnections(report: (error: unknown) => void): void {
  process.on('unhandledRejection', (error) => {
    if (!isDatabaseTrouble(error)) throw error;
    report(error);
  });
}
