import { Counter, collectDefaultMetrics } from 'prom-client';
import { type AppContext, closeAppContext } from './app-context.ts';
import { watchClock } from './clock.ts';
import { createHealth } from './health.ts';
import { type Monitoring, openMonitoring } from './interfaces/operator/monitoring.ts';
import { type Listeners, openListeners } from './listeners.ts';
import { Loop } from './loop.ts';
import { openModules } from './modules.ts';
import { logInvariants } from './observability/invariant.ts';
import { metrics } from './observability/metrics.ts';
import { watchOwners } from './owners.ts';
import type { Role } from './process-roles.ts';
import type { SandboxHandle } from './sandbox-handle.ts';

const HEARTBEAT_MS = 10_000;

const clockJumps = new Counter({
  name: 'carillon_clock_jumps_total',
  help: "Jumps of the machine's clock by more than 30 s, when noticed and when believed",
  registers: [metrics],
});

export interface RunningService {
  /** Where it answers, when it has the role `api`. */
  readonly url: string | undefined;
  /** Why no calls can be made, in words; undefined when they can. */
  voiceProblem(): Promise<string | undefined>;
  /** Finishes what is in flight, within `graceMs`, and stops. */
  stop(graceMs: number): Promise<void>;
}

/** Starts a service with these roles. Throws what keeps it from starting. */
export async function startService(
  appContext: AppContext,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
  onFatal: (error: Error) => void,
): Promise<RunningService> {
  const { config, log } = appContext;
  watchOwners(log, config.STUCK_SECONDS * 1_000);
  logInvariants(log);
  watchClock((milliseconds, believed) => {
    clockJumps.inc();
    log.error(
      { milliseconds, believed },
      believed ? 'the clock has jumped for good' : 'the clock has jumped',
    );
  });
  const modules = await openModules(appContext, wanted, sandbox);
  const { events, signals, dispatcher, jobs, mail, mailSending, chat } = modules;

  const tokenUses = new Loop({
    owner: 'token uses',
    everyMs: HEARTBEAT_MS,
    step: () => Promise.all([appContext.tokens.writeUses(), mail.tokens.writeUses()]),
    log,
    failed: 'when tokens were used last is not written',
  });

  let listeners: Listeners | undefined;
  let monitoring: Monitoring | undefined;
  try {
    await appContext.accounts.reload();
    await events.start();
    jobs?.start();
    if (dispatcher) {
      await signals.listen({
        due: () => dispatcher.hintAny(),
        cancelled: (shipment) => dispatcher.cancelled(shipment),
        paused: (shipment) => dispatcher.paused(shipment),
        resumed: (shipment) => dispatcher.resumed(shipment),
      });
      await chat.dispatchTo(dispatcher);
      if (mailSending.link) dispatcher.addConnector(mailSending.link);
      for (const connector of modules.opened.flatMap(({ module }) => module.connectors))
        dispatcher.addConnector(connector);
      await dispatcher.start();
    }
    const health = createHealth({ process: appContext.process, dispatcher, log });
    if (wanted.includes('api')) listeners = await openListeners(appContext, modules, sandbox, health);
    if (config.METRICS_PORT !== undefined) {
      monitoring = await openMonitoring({ host: config.METRICS_HOST, port: config.METRICS_PORT, health });
      log.info({ monitoring: monitoring.url }, 'metrics are served');
    }
  } catch (error) {
    await stopModules(0);
    await monitoring?.close();
    throw error;
  }
  const heartbeat = new Loop({
    owner: 'heartbeat',
    everyMs: HEARTBEAT_MS,
    async step() {
      if (await appContext.process.renew()) return;
      onFatal(new Error('this process was not seen for a minute and has lost its number'));
    },
    log,
    failed: 'could not tell the database that we are alive',
  });
  heartbeat.start();
  tokenUses.start();

  /** Requests first, so that nothing new comes; then what they led to; events last, since sending makes them. */
  async function stopModules(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    const left = () => Math.max(0, deadline - performance.now());
    await listeners?.close(left() * 0.3);
    // Not waited for: the last ones are written by the step that is.
    void tokenUses.stop();
    await Promise.all([modules.requestLog.stop(), tokenUses.run()]);
    await modules.clicks.stop();
    await chat.stopLinks();
    await dispatcher?.stop(left() * 0.6);
    await modules.voice.stop();
    await mailSending.stop();
    for (const { module } of modules.opened) await module.stop?.();
    await signals.stop();
    await jobs?.stop();
    await chat.stop(left() * 0.5);
    await Promise.all([modules.hourlyStatistics.stop(), modules.changes.stop()]);
    await events.stop(left() * 0.8);
  }

  return {
    url: listeners?.url,
    voiceProblem: () => modules.voice.problem(),
    async stop(graceMs) {
      void heartbeat.stop();
      await stopModules(graceMs);
      await monitoring?.close();
      await sandbox?.close();
      await closeAppContext(appContext);
    },
  };
}

collectDefaultMetrics({ register: metrics });
