/*
 * The health check of the container: asks the service beside it whether it is ready, and ends with 1 when not. Prints what
 * is wrong, for `docker inspect`. A program of its own, since to load the command line takes five times as long.
 */

const LIMIT_MS = 4_000;

/** An address that the service listens on, seen from this machine. */
function addressOf(host: string | undefined, port: string): string {
  const everywhere = host === undefined || host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}/readyz`;
}

const { HOST, PORT = '8080', METRICS_HOST, METRICS_PORT } = process.env;
// In a process without the role api, there is that of the metrics alone.
const address = METRICS_PORT ? addressOf(METRICS_HOST, METRICS_PORT) : addressOf(HOST, PORT);
try {
  const response = await fetch(address, { signal: AbortSignal.timeout(LIMIT_MS) });
  const { status, dispatch, problems } = (await response.json()) as {
    status: string;
    dispatch?: string;
    problems: string[];
  };
  console.log([status, ...(dispatch === 'standby' ? [dispatch] : []), ...problems].join('; '));
  if (!response.ok) process.exitCode = 1;
} catch (error) {
  console.log(
    `${address}: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}`,
  );
  process.exitCode = 1;
}
