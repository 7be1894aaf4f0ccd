import { isIPv4 } from 'node:net';
import { channels } from '../channels/index.ts';
import type { Sql } from '../database/connection.ts';
import { refusePartlyDistributed } from '../database/distribution.ts';
import type { OpenDatabase } from '../database/open.ts';
import { readCarriers } from '../engine/carriers/configuration.ts';
import { type AdjustableClock, systemClock } from '../kit/clock.ts';
import { type Config, ConfigError, readConfig } from '../kit/config.ts';
import { createLogger, identifyProcess, type Logger, logOutput } from '../kit/observability/log.ts';
import { type Role, roles } from '../kit/process-roles.ts';
import { type AppContext, closeAppContext, publicUrl } from '../run/app-context.ts';
import { openAppContext } from '../run/open-app-context.ts';
import type { RunningService } from '../run/service.ts';
import { loadClock } from '../sandbox/clock-store.ts';
import { isProductive, readDemoState } from '../sandbox/demo-credentials.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { demoLines, greet } from './greeting.ts';
import { carriersOfChannels, sandboxWanted } from './sandbox-wanted.ts';
import { tellServiceManager } from './service-manager.ts';
import { listenForStop } from './stop-requests.ts';

/** What is in flight has this long to be finished after SIGTERM. */
const GRACE_MS = 9_000;

/** `carillon start`: every role, the embedded database unless another is named, the sandbox unless a carrier is. */
export async function start(): Promise<void> {
  const config = readConfig(process.env, channels);
  const withSandbox = sandboxWanted(config);
  if (withSandbox) checkSandbox(config);
  await run(config, roles, withSandbox ? 'own' : undefined);
}

/** Throws ConfigError for settings that a sandbox cannot have. */
function checkSandbox(config: Config): void {
  if (readCarriers(config) || carriersOfChannels(config).mail) {
    throw new ConfigError('SANDBOX is on and a carrier is configured: messages can go to one of the two');
  }
  if (!config.SANDBOX_PUBLIC) refuseReach(config);
}

/** Throws ConfigError when others than this machine would reach the sandbox, whose secrets are printed. */
function refuseReach({ HOST, PUBLIC_URL }: Config): void {
  const url = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL).hostname.replace(/^\[|\]$/g, '');
  const beyond = !isLoopback(HOST)
    ? `HOST is ${HOST}`
    : url !== undefined && !isLoopback(url) && 'PUBLIC_URL';
  if (beyond === false) return;
  throw new ConfigError(
    `the sandbox is on, and ${beyond === 'PUBLIC_URL' ? `PUBLIC_URL is ${PUBLIC_URL}` : beyond}, which other machines reach: set SANDBOX_PUBLIC=on if they may, HOST=127.0.0.1 (and no PUBLIC_URL) if not, or a carrier (SMPP_URL, CARRIERS_FILE, CHAT_APP_SECRET or MAIL_RELAY_URL) for a real service`,
  );
}

const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/**
 * Throws ConfigError when a service that is not a sandbox would take the credentials of one, or when a sandbox would be
 * started, because no carrier is set, on the database of a real service.
 */
async function checkDemoState(config: Config, sql: Sql, withSandbox: boolean): Promise<void> {
  if (!withSandbox) {
    if ((await readDemoState(sql)) !== 'active') return;
    throw new ConfigError(
      'this database was one of a sandbox, and its demo credentials still work: end them with `npm run carillon -- sandbox retire` (`carillon sandbox retire`), then start again',
    );
  }
  if (config.SANDBOX === 'on' || !(await isProductive(sql))) return;
  throw new ConfigError(
    'no carrier is set, and this database is not one of a sandbox: set SMPP_URL, CARRIERS_FILE, CHAT_APP_SECRET or MAIL_RELAY_URL, SANDBOX=off to run without, or SANDBOX=on to make demo credentials on it all the same',
  );
}

/** `carillon serve`: some roles; with SANDBOX=on the sandbox, which all these processes share. */
export async function serve(wanted: readonly Role[]): Promise<void> {
  const config = readConfig(process.env, channels);
  if (config.DATABASE_URL === undefined)
    throw new ConfigError('DATABASE_URL must be set for `carillon serve`');
  const withSandbox = config.SANDBOX === 'on';
  if (withSandbox) checkSandbox(config);
  const { chat, mail } = carriersOfChannels(config);
  if (wanted.includes('dispatch') && !withSandbox && !readCarriers(config) && !chat && !mail) {
    throw new ConfigError(
      'SMPP_URL, CARRIERS_FILE, CHAT_APP_SECRET or MAIL_RELAY_URL must be set for the role dispatch',
    );
  }
  await run(config, wanted, withSandbox ? 'shared' : undefined);
}

/** Whether the networks of a sandbox are those of this process, or of one of several. */
type SandboxKind = 'own' | 'shared';

async function run(config: Config, wanted: readonly Role[], kind: SandboxKind | undefined): Promise<void> {
  const withSandbox = kind !== undefined;
  identifyProcess({ role: wanted.join(',') });
  const log = createLogger(config.LOG_LEVEL, logOutput(config.LOG_FORMAT));
  // Before anything is started that would be left behind.
  const asked = listenForStop({ log, deadlineMs: GRACE_MS + 3_000 });
  let sandboxClock: AdjustableClock | undefined;
  const clockOf = async ({ sql }: OpenDatabase) => {
    if (withSandbox) sandboxClock = await loadClock(sql);
    return sandboxClock ?? systemClock;
  };
  const appContext = await openAppContext(config, channels, log, clockOf, { schema: 'migrate' });
  identifyProcess({ process: appContext.process.number });
  let sandbox: Sandbox | undefined;
  let service: RunningService;
  try {
    await refusePartlyDistributed(appContext.database.sql, appContext.tables.placements);
    await checkDemoState(config, appContext.database.sql, withSandbox);
    if (config.SANDBOX_PUBLIC && withSandbox)
      log.warn('other machines may reach this sandbox (SANDBOX_PUBLIC)');
    // Loaded once it is known that the service starts, and the sandbox where there is one: nearly all of the program.
    if (sandboxClock) {
      const deps = { ...appContext, clock: sandboxClock };
      sandbox = await (kind === 'shared' ? joinShared(deps, wanted.includes('api')) : startOwn(deps));
    }
    const { startService } = await import('../run/service.ts');
    service = await startService(appContext, wanted, sandbox, (error) => {
      log.fatal({ err: error }, 'stopping');
      process.exit(1);
    });
  } catch (error) {
    await sandbox?.close();
    await closeAppContext(appContext);
    throw error;
  }
  stopWhenAsked(asked, service, log);
  log.info({ url: service.url, roles: wanted, sandbox: withSandbox }, 'ready');
  await tellServiceManager('READY=1', log);
  const callProblem = sandbox && (await service.callProblem());
  if (service.url) greet({ config, roles: wanted, url: service.url, sandbox, callProblem });
  // The demo account may have been made by a process without an address of its own.
  else if (sandbox?.secrets) console.log(demoLines(publicUrl(config), sandbox.secrets).join('\n'));
}

type SandboxContext = AppContext & { readonly clock: AdjustableClock };

const startOwn = async (context: SandboxContext) =>
  (await import('../sandbox/sandbox.ts')).startSandbox(context);

const joinShared = async (context: SandboxContext, greets: boolean) =>
  (await import('../sandbox/shared/shared-sandbox.ts')).joinSandbox(context, greets);

function stopWhenAsked(asked: Promise<void>, service: RunningService, log: Logger): void {
  void asked
    .then(async () => {
      void tellServiceManager('STOPPING=1', log);
      await service.stop(GRACE_MS);
    })
    .then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
}
