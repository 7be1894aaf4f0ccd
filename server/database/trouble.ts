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

/** postgres.js writes what it had gathered for a connection although that is lost; the statements are told otherwise. */
function isLateWrite(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /null \(reading 'write'\)/.test(error.message) &&
    /[\\/]postgres[\\/]src[\\/]connection\.js/.test(error.stack ?? '')
  );
}

/**
 * Keeps the process alive when a connection is lost in a moment whose failure postgres.js leaves to nobody: while it
 * reads the array types over a new one, or has a write waiting for the next turn (the statements that waited are told,
 * too). Anything else that nobody handles ends the process as ever.
 */
export function tolerateLostConnections(report: (error: unknown) => void): void {
  process.on('unhandledRejection', (error) => {
    if (!isDatabaseTrouble(error)) throw error;
    report(error);
  });
  process.on('uncaughtException', (error) => {
    if (!isLateWrite(error)) throw error;
    report(error);
  });
}
