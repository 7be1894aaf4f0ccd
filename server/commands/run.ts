import { flushCompileCache } from 'node:module';
import { isIPv4 } from 'node:net';
import { channels } from '../channels/index.ts';
import type { Sql } from '../database/connection.ts';
import { refusePartlyDistributed } from '../database/distribution.ts';
import type { OpenDatabase } from '../database/open.ts';
import { readCarriers } from '../engine/carriers/configuration.ts';
import { type AdjustableClock, systemClock } from '../kit/clock.ts';
import { type Config, ConfigError, readConfig } from '../kit/config.ts';
import { createLogger, identifyProcess, type Logger, logOutput } from '../kit/observability/log.ts';
import { oneProcess, type ProcessGroup, type Role, roles } from '../kit/process-roles.ts';
import { type AppContext, closeAppContext, publicUrl } from '../run/app-context.ts';
import { endLeasesOf } from '../run/end-leases.ts';
import { openAppContext } from '../run/open-app-context.ts';
import type { RunningService } from '../run/service.ts';
import { loadClock } from '../sandbox/clock-store.ts';
import { isProductive, readDemoState } from '../sandbox/demo-credentials.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { endHolding } from '../sandbox/shared/holder.ts';
import { demoLines, greet } from './greeting.ts';
import { END_MS, GRACE_MS } from './processes/deadlines.ts';
import { joinGroup } from './processes/group-process.ts';
import { carriersOfChannels, sandboxWanted } from './sandbox-wanted.ts';
import { tellServiceManager } from './service-manager.ts';
import { listenForStop } from './stop-requests.ts';

/**
 * `carillon start` in one process, alone or of a group: every role; the embedded database unless another is named, the
 * sandbox unless a carrier is.
 */
export async function startProcess(group: ProcessGroup | undefined): Promise<void> {
  const config = readConfig(process.env, channels);
  const withSandbox = sandboxWanted(config);
  if (withSandbox) checkSandbox(config);
  await run(config, roles, withSandbox ? (group ? 'shared' : 'own') : undefined, group);
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

/** @param group undefined for a process without a supervisor */
async function run(
  config: Config,
  wanted: readonly Role[],
  kind: SandboxKind | undefined,
  group?: ProcessGroup,
): Promise<void> {
  identifyProcess({ role: wanted.join(',') });
  const log = createLogger(config.LOG_LEVEL, logOutput(config.LOG_FORMAT));
  // Before anything is started that would be left behind.
  const asked = listenForStop({ log, deadlineMs: GRACE_MS + END_MS });
  const stopping = new AbortController();
  void asked.then(() => stopping.abort());
  try {
    await startAndServe({ config, wanted, kind, group, log, asked, signal: stopping.signal });
  } catch (error) {
    // Asked to stop while it starts, which on a slow machine takes longer than a stop may.
    if (stopping.signal.aborted && error === stopping.signal.reason) process.exit(0);
    throw error;
  }
}

interface Start {
  readonly config: Config;
  readonly wanted: readonly Role[];
  readonly kind: SandboxKind | undefined;
  readonly group: ProcessGroup | undefined;
  readonly log: Logger;
  /** Resolves when the process is asked to stop. */
  readonly asked: Promise<void>;
  /** Aborted when the process is asked to stop; ends the start. */
  readonly signal: AbortSignal;
}

/** Opens everything and serves. Throws the reason of `signal` when that is aborted before, with everything closed. */
async function startAndServe({ config, wanted, kind, group, log, asked, signal }: Start): Promise<void> {
  const withSandbox = kind !== undefined;
  let sandboxClock: AdjustableClock | undefined;
  const clockOf = async ({ sql }: OpenDatabase) => {
    if (withSandbox) sandboxClock = await loadClock(sql);
    return sandboxClock ?? systemClock;
  };
  const attach = group !== undefined && config.DATABASE_URL === undefined && 'running';
  const appContext = await openAppContext(config, channels, log, clockOf, {
    schema: 'migrate',
    attach,
    signal,
  });
  identifyProcess({ process: appContext.process.number });
  let sandbox: Sandbox | undefined;
  let service: RunningService | undefined;
  const member =
    group &&
    joinGroup(appContext.process.boot, {
      endLeases: (boots) => endLeasesOfEnded(appContext, boots),
      look: () => service?.look(),
    });
  try {
    await refusePartlyDistributed(appContext.database.sql, appContext.tables.placements);
    await checkDemoState(config, appContext.database.sql, withSandbox);
    if (config.SANDBOX_PUBLIC && withSandbox)
      log.warn('other machines may reach this sandbox (SANDBOX_PUBLIC)');
    // The sandbox and the service are nearly all of the program, so only a service that starts loads them.
    if (sandboxClock) {
      const deps = { ...appContext, clock: sandboxClock };
      const greets = wanted.includes('api') && (group ?? oneProcess).isFirst;
      sandbox = await (kind === 'shared' ? joinShared(deps, greets) : startOwn(deps));
    }
    signal.throwIfAborted();
    const { startService } = await import('../run/service.ts');
    const stopNow = (error: Error) => {
      log.fatal({ err: error }, 'stopping');
      process.exit(1);
    };
    service = await startService(appContext, wanted, sandbox, stopNow, group);
  } catch (error) {
    await sandbox?.close();
    await closeAppContext(appContext);
    throw error;
  }
  stopWhenAsked(asked, service, log);
  // The first start of a bundle keeps what V8 has compiled for the next ones.
  flushCompileCache();
  log.info({ url: service.url, roles: wanted, sandbox: withSandbox }, 'ready');
  member?.ready();
  if (group && !group.isFirst) return;
  await tellServiceManager('READY=1', log);
  const callProblem = sandbox && (await service.callProblem());
  if (service.url) greet({ config, roles: wanted, url: service.url, sandbox, callProblem });
  // The demo account may have been made by a process without an address of its own.
  else if (sandbox?.secrets) console.log(demoLines(publicUrl(config), sandbox.secrets).join('\n'));
}

/** Ends the leases of processes of this group that have ended. A failure leaves them to run out. */
async function endLeasesOfEnded(appContext: AppContext, boots: readonly string[]): Promise<void> {
  try {
    await endLeasesOf(appContext, boots);
    await endHolding(appContext.database.sql, boots);
  } catch (error) {
    appContext.log.warn({ err: error }, 'leases of an ended process were not released, they will expire');
  }
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
