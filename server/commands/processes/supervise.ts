import { startEmbedded } from '../../database/embedded.ts';
import type { Config } from '../../kit/config.ts';
import { createLogger, identifyProcess, logOutput } from '../../kit/observability/log.ts';
import { tellServiceManager } from '../service-manager.ts';
import { listenForStop } from '../stop-requests.ts';
import { END_MS, GRACE_MS } from './deadlines.ts';
import { StartFailed, Supervisor } from './supervisor.ts';

/** Connections that commands, and each process beyond its DATABASE_CONNECTIONS, have to an embedded PostgreSQL. */
const OF_COMMANDS = 30;
const OF_LISTENERS = 5;
/** Milliseconds for all processes to stop: a little more than each takes at most. */
const STOP_MS = GRACE_MS + END_MS + 1_000;

/**
 * Runs `count` processes of this command until it is asked to stop, with the embedded PostgreSQL unless DATABASE_URL names another.
 */
export async function supervise(config: Config, count: number): Promise<void> {
  const { DATABASE_URL, DATABASE_CONNECTIONS, DATA_DIR } = config;
  identifyProcess({ role: 'supervisor' });
  const log = createLogger(config.LOG_LEVEL, logOutput(config.LOG_FORMAT));
  const asked = listenForStop({ log, deadlineMs: STOP_MS + END_MS });
  const connections = OF_COMMANDS + count * (DATABASE_CONNECTIONS + OF_LISTENERS);
  const embedded =
    DATABASE_URL === undefined ? await startEmbedded(DATA_DIR, { log, connections }) : undefined;
  const supervisor = new Supervisor(count, log);
  const stop = async (code: number): Promise<never> => {
    await supervisor.stop(STOP_MS);
    await embedded?.stop();
    process.exit(code);
  };
  void asked.then(async () => {
    void tellServiceManager('STOPPING=1', log);
    await stop(0);
  });
  try {
    await supervisor.start();
  } catch (error) {
    if (!(error instanceof StartFailed)) log.error({ err: error }, 'the processes cannot be started');
    await stop(1);
  }
  log.info({ processes: count }, 'all processes are ready');
  await tellServiceManager('READY=1', log);
}
