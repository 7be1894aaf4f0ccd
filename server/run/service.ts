import { hostname } from 'node:os';
import { collectDefaultMetrics } from 'prom-client';
import { type Monitoring, openMonitoring } from '../api/operator/monitoring.ts';
import { REPORT_MS, writeReport } from '../database/process-reports.ts';
import { logRefusals, testRefusedWrites } from '../database/refusals.ts';
import { settleBatches } from '../engine/dispatch/batches.ts';
import { watchClock } from '../kit/clock.ts';
import { Lifecycle, type Stage } from '../kit/lifecycle.ts';
import { Loop } from '../kit/loop.ts';
import { logInvariants } from '../kit/observability/invariant.ts';
import { loggedErrors } from '../kit/observability/last-error.ts';
import { counter, metrics } from '../kit/observability/metrics.ts';
import { openTracing } from '../kit/observability/tracing/open.ts';
import { watchOwners } from '../kit/owners.ts';
import { oneProcess, type ProcessGroup, type Role } from '../kit/process-roles.ts';
import { tracingOf } from '../kit/trace-settings.ts';
import { version } from '../kit/version.ts';
import { type AppContext, closeAppContext } from './app-context.ts';
import { createHealth, type Health } from './health.ts';
import { openListeners } from './listeners.ts';
import { type Modules, openModules } from './modules.ts';
import type { SandboxHandle } from './sandbox-handle.ts';

const HEARTBEAT_MS = 10_000;

const clockJumps = counter(
  'carillon_clock_jumps_total',
  "Jumps of the machine's clock by more than 30 s, when noticed and when accepted",
);

export interface RunningService {
  /** Address of the service; undefined without the role `api`. */
  readonly url: string | undefined;
  /** Returns why calls are not possible, in words; undefined if they are. */
  callProblem(): Promise<string | undefined>;
  /** Takes work and connectors whose leases have just ended, without waiting for the next round. */
  look(): void;
  /** Finishes running work within `graceMs`, and stops. */
  stop(graceMs: number): Promise<void>;
}

/** Starts a service with these roles. Throws the error that prevents the start. */
export async function startService(
  opened: AppContext,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
  onFatal: (error: Error) => void,
  group: ProcessGroup = oneProcess,
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
  const modules = await openModules(appContext, wanted, sandbox, group);
  const lifecycle = new Lifecycle(stagesOf(appContext, modules, wanted, onFatal));
  await lifecycle.start();
  return {
    url: modules.lateBound.url,
    callProblem: () => modules.calls.problem(),
    look: () => modules.dispatcher?.look(),
    async stop(graceMs) {
      await lifecycle.stop(graceMs);
      await sandbox?.close();
      await closeAppContext(appContext);
    },
  };
}

/**
 * Returns everything that starts and stops, in the order of starting. Stopping runs in reverse order: requests first,
 * so that no new work arrives, then the work that they caused, and events last, because sending creates them. Each
 * stage stops before, while and after it starts (test/structure/stages.test.ts).
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
    // First, so that spans of the other stages' stop are exported, too.
    { name: 'traces', stop: (graceMs) => appContext.tracing?.stop(graceMs), share: 0.3 },
    ...stagesOfModules(modules),
    ...(modules.has('api') ? [openListeners(appContext, modules, health)] : []),
    { name: 'batches that rest', start: () => settle(appContext, modules) },
    { name: 'metrics', start: monitoring.start },
    heartbeatOf(appContext, onFatal),
    reportsOf(appContext, wanted, health),
  ];
}

/** Returns the stages of the modules and channels: this is the order in which they start. */
function stagesOfModules({ opened, dispatcher, jobs, ownConnectors, stages }: Modules): Stage[] {
  const left = new Map(stages.map((stage) => [stage.name, stage]));
  const of = (name: string): Stage => {
    const stage = left.get(name);
    if (!stage) throw new Error(`no module has the stage ${name}`);
    left.delete(name);
    return stage;
  };
  const ordered: Stage[] = [
    of('accounts'),
    of('text storage'),
    of('connectors and routes'),
    of('events'),
    of('hourly statistics'),
    of('changes'),
    of('sign-in providers'),
    of('media store'),
    ...opened.map(({ channel, module }) => ({
      name: channel.name,
      start: () => module.start?.(),
      stop: (graceMs: number) => module.stop?.(graceMs),
      share: 0.5,
    })),
    of('erasures'),
    { name: 'jobs', start: () => jobs?.start(), stop: () => jobs?.stop() },
    of('signals'),
    of('peers'),
    {
      name: 'dispatcher',
      async start() {
        for (const connector of ownConnectors) dispatcher?.addConnector(connector);
        await dispatcher?.start();
      },
      stop: (graceMs) => dispatcher?.stop(graceMs),
      share: 0.6,
    },
    // Stops before the dispatcher, which still sends or releases the messages that are on their way.
    of('messages of peers'),
    ...opened.map(({ channel, module }) => ({
      name: `connectors of ${channel.name}`,
      start: () => dispatcher && module.changing?.start(dispatcher),
      stop: () => module.changing?.stop(),
    })),
    of('clicks'),
    of('request log'),
    of('token uses'),
    // Takes messages when everything else runs.
    of('SMPP server'),
  ];
  if (left.size > 0) throw new Error(`stages without a place in the order: ${[...left.keys()].join(', ')}`);
  return ordered;
}

/**
 * Releases batches that an earlier run had leased, once the networks are connected again and report which of their
 * messages they have accepted.
 */
async function settle({ sql, channels }: AppContext, { leaseUntil }: Modules): Promise<void> {
  if (leaseUntil !== undefined) await settleBatches(sql, channels, leaseUntil);
}

/** The server of METRICS_PORT: starts when the service is ready, and stops last. */
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

/** Regularly records in the database that this process is alive. */
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
  // Does not wait for a running step.
  return { name: 'heartbeat', start: () => loop.start(), stop: () => void loop.stop() };
}

/** Writes the state of this process every two seconds, for other processes, the doctor and `carillon status`. */
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
