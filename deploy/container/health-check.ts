/*
 * Health check of the container: asks the service in it whether it can accept messages or, with the argument `dispatch`,
 * dispatch them. Exits with 1 if it cannot, and prints the problems for `docker inspect`. It is not a command of the command
 * line, which takes five times as long to load.
 */

import { settingFrom } from '../../server/kit/setting-files.ts';

const LIMIT_MS = 4_000;
const purpose = process.argv[2];

/** An address that the service listens on, seen from this machine. */
function addressOf(host: string | undefined, port: string): string {
  const everywhere = host === undefined || host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}/readyz${purpose === 'dispatch' ? '?for=dispatch' : ''}`;
}

const read = (name: string) => settingFrom(process.env, name)?.value;
// A process without the role `api` has only the port of the metrics.
const metricsPort = read('METRICS_PORT');
const address = metricsPort
  ? addressOf(read('METRICS_HOST'), metricsPort)
  : addressOf(read('HOST'), read('PORT') ?? '8080');
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
