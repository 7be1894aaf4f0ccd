import { hostname } from 'node:os';
import { collectDefaultMetrics } from 'prom-client';
import { type AppContext, closeAppContext } from './app-context.ts';
import { watchClock } from './clock.ts';
import { REPORT_MS, writeReport } from './database/process-reports.ts';
import { logRefusals, testRefusedWrites } from './database/refusals.ts';
import { settleBatches } from './dispatch/batches.ts';
import { createHealth, type Health } from './health.ts';
import { type Monitoring, openMonitoring } from './interfaces/operator/monitoring.ts';
import { Lifecycle, type Stage } from './lifecycle.ts';
import { openListeners } from './listeners.ts';
import { Loop } from './loop.ts';
import { type Modules, openModules } from './modules.ts';
import { logInvariants } from './observability/invariant.ts';
import { loggedErrors } from './observability/last-error.ts';
import { counter, metrics } from './observability/metrics.ts';
import { openTracing } from './observability/tracing/open.ts';
import { watchOwners } from './owners.ts';
import type { Role } from './process-roles.ts';
import type { SandboxHandle } from './sandbox-handle.ts';
import { tracingOf } from './trace-settings.ts';
import { version } from './version.ts';

const HEARTBEAT_MS = 10_000;

const clockJumps = counter(
  'carillon_clock_jumps_total',
  "Jumps of the machine's clock by more than 30 s, when noticed and when accepted",
);

export interface RunningService {
  /** Where it answers, when it has the role `api`. */
  readonly url: string | undefined;
  /** Why no calls can be made, in words; undefined when they can. */
  callProblem(): Promise<string | undefined>;
  /** Finishes what is in flight, within `graceMs`, and stops. */
  stop(graceMs: number): Promise<void>;
}

/** Starts a service with these roles. Throws what keeps it from starting. */
export async function startService(
  opened: AppContext,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
  onFatal: (error: Error) => void,
): Promise<RunningService> {
  const { config, log } = opened;
  const tracing = await openTracing(tracingOf(config, version), log);
  const appContext = { ...opened, tracing };
  watchOwners(log, config.STUCK_SECONDS * 1_000);
  logInvariants(log);
  logRefusals(log);
  watchClock((milliseconds, believed) => {
    clockJumps.inc();
    log.error(
      { milliseconds, believed },
      believed ? 'the clock has jumped for good' : 'the clock has jumped',
    );
  });
  const modules = await openModules(appContext, wanted, sandbox);
  const lifecycle = new Lifecycle(stagesOf(appContext, modules, wanted, onFatal));
  await lifecycle.start();
  return {
    url: modules.lateBound.url,
    callProblem: () => modules.calls.problem(),
    async stop(graceMs) {
      await lifecycle.stop(graceMs);
      await sandbox?.close();
      await closeAppContext(appContext);
    },
  };
}

/**
 * Returns everything that starts and stops, in the order in which it starts. It stops in the reverse order: requests first, so
 * that no new work comes, then the work that they caused, and events last, because sending creates them. Each stage stops
 * before, while and after it starts (test/structure/stages.test.ts).
 */
export function stagesOf(
  appContext: AppContext,
  modules: Modules,
  wanted: readonly Role[],
  onFatal: (error: Error) => void,
): Stage[] {
  const health = createHealth({ ...appContext, dispatcher: modules.dispatcher });
  const monitoring = monitoringOf(appContext, health);
  return [
    { name: 'metrics', stop: monitoring.stop },
    // Spans of the other stages' stop are exported, too.
    { name: 'traces', stop: (graceMs) => appContext.tracing?.stop(graceMs), share: 0.3 },
    ...stagesOfModules(appContext, modules),
    ...(modules.has('api') ? [openListeners(appContext, modules, health)] : []),
    { name: 'batches that rest', start: () => settle(appContext, modules) },
    { name: 'metrics', start: monitoring.start },
    heartbeatOf(appContext, onFatal),
    reportsOf(appContext, wanted, health),
  ];
}

/** Returns the stages of the modules and channels. */
function stagesOfModules(appContext: AppContext, modules: Modules): Stage[] {
  const { accounts, tokenUses, textStorage } = appContext;
  const { events, network, signals, dispatcher, jobs, opened, ownConnectors } = modules;
  return [
    { name: 'accounts', start: () => accounts.reload() },
    { name: 'text storage', start: () => textStorage.start(), stop: () => textStorage.stop() },
    { name: 'connectors and routes', start: () => network.start(), stop: (graceMs) => network.stop(graceMs) },
    {
      name: 'events',
      start: () => events.start(),
      stop: (graceMs) => events.stop(graceMs),
      share: 0.8,
    },
    { name: 'hourly statistics', stop: () => modules.hourlyStatistics.stop() },
    { name: 'changes', stop: () => modules.changes.stop() },
    { name: 'sign-in providers', stop: () => modules.signInProviders.close() },
    { name: 'media store', stop: () => modules.closeMedia() },
    ...opened.map(({ channel, module }) => ({
      name: channel.name,
      start: () => module.start?.(),
      stop: (graceMs: number) => module.stop?.(graceMs),
      share: 0.5,
    })),
    { name: 'erasures', start: () => (jobs ? modules.dataSubjects.repeatErasures() : undefined) },
    { name: 'jobs', start: () => jobs?.start(), stop: () => jobs?.stop() },
    {
      name: 'signals',
      async start() {
        if (!dispatcher) return;
        await signals.listen({
          due: (work) => {
            if (!work) dispatcher.hintAny();
            else for (const { accountId, lane } of work) dispatcher.hint(accountId, lane);
          },
          cancelled: (shipment) => dispatcher.cancelled(shipment),
          cancelledMessages: (messages) => dispatcher.cancelledMessages(messages),
          paused: (shipment) => dispatcher.paused(shipment),
          resumed: (shipment) => dispatcher.resumed(shipment),
          suspended(accountId) {
            const rest = () => dispatcher.suspended(accountId);
            const failed = (err: unknown) =>
              appContext.log.warn({ err }, 'accounts not read after a suspension');
            accounts.reload().then(rest, failed);
          },
        });
      },
      stop: () => signals.stop(),
    },
    {
      name: 'dispatcher',
      async start() {
        for (const connector of ownConnectors) dispatcher?.addConnector(connector);
        await dispatcher?.start();
      },
      stop: (graceMs) => dispatcher?.stop(graceMs),
      share: 0.6,
    },
    ...opened.map(({ channel, module }) => ({
      name: `connectors of ${channel.name}`,
      start: () => dispatcher && module.changing?.start(dispatcher),
      stop: () => module.changing?.stop(),
    })),
    { name: 'clicks', stop: () => modules.clicks.stop() },
    { name: 'request log', stop: () => modules.requestLog.stop() },
    { name: 'token uses', stop: () => tokenUses.stop() },
  ];
}

/** Lets batches go that an earlier run had leased: once the networks reach this one, which tell what they took. */
async function settle({ sql, channels }: AppContext, { leaseUntil }: Modules): Promise<void> {
  if (leaseUntil !== undefined) await settleBatches(sql, channels, leaseUntil);
}

/** The server of METRICS_PORT: started when the service is ready, and the last to stop. */
function monitoringOf({ config, log }: AppContext, health: Health) {
  let monitoring: Monitoring | undefined;
  return {
    async start(): Promise<void> {
      if (config.METRICS_PORT === undefined) return;
      monitoring = await openMonitoring({ host: config.METRICS_HOST, port: config.METRICS_PORT, health });
      log.info({ monitoring: monitoring.url }, 'metrics are served');
    },
    stop: async (): Promise<void> => monitoring?.close(),
  };
}

/** Tells the database that this process is alive. */
function heartbeatOf({ process, sql, log }: AppContext, onFatal: (error: Error) => void): Stage {
  const loop = new Loop({
    owner: 'heartbeat',
    everyMs: HEARTBEAT_MS,
    async step() {
      if (!(await process.renew()))
        onFatal(new Error('this process was not seen for a minute and has lost its number'));
      await testRefusedWrites(sql);
    },
    log,
    failed: 'heartbeat not written',
  });
  // A step that is under way is not waited for.
  return { name: 'heartbeat', start: () => loop.start(), stop: () => void loop.stop() };
}

/** Writes every two seconds what other processes, the doctor and `carillon status` show of this one. */
function reportsOf(
  { process: processNumber, asyncCommitSql, log }: AppContext,
  wanted: readonly Role[],
  health: Health,
): Stage {
  const loop = new Loop({
    owner: 'process report',
    everyMs: REPORT_MS,
    firstMs: 0,
    async step() {
      const problems = await health.problems(wanted.includes('dispatch') ? 'dispatch' : 'accept');
      const { count: errors, last: lastError } = loggedErrors();
      await writeReport(asyncCommitSql, processNumber, {
        roles: wanted,
        host: hostname(),
        pid: process.pid,
        version,
        problems: problems.map(({ detail }) => detail),
        errors,
        lastError,
      });
    },
    log,
    failed: 'state of this process not written',
  });
  return { name: 'process report', start: () => loop.start(), stop: () => loop.stop() };
}

collectDefaultMetrics({ register: metrics });
