import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../kit/observability/log.ts';
import type { ProcessMetrics } from '../../kit/observability/metrics.ts';
import type { ProcessGroup } from '../../kit/process-roles.ts';
import { GROUP_VARIABLE } from './group-process.ts';
import type { ToProcess, ToSupervisor } from './messages.ts';

/** Milliseconds before a process that has ended is started again; doubled each time until it has run for `STEADY_MS`. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const STEADY_MS = 60_000;
/** Milliseconds to wait for the metrics of a process. */
const MEASURE_MS = 2_000;

/** A place in the group, with its current process. */
interface Place {
  readonly index: number;
  worker: Worker | undefined;
  /** Name of the process in leases, once it has one. */
  boot: string | undefined;
  isReady: boolean;
  startedAt: number;
  /** Pause before the next start. */
  pauseMs: number;
  /** Names of processes whose leases it has been asked to end. */
  ending: readonly string[];
}

/** A request for the metrics of all processes. */
interface Gathering {
  readonly all: ProcessMetrics[];
  missing: number;
  readonly done: () => void;
}

/** A process that ended before the group was ready. It has said why. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';
}

/**
 * Starts the processes of a group, starts those again that end, and stops all. The processes share their listening ports
 * (node:cluster): this one accepts connections and passes them on in turns.
 */
export class Supervisor {
  readonly #log: Logger;
  readonly #places: readonly Place[];
  readonly #gatherings = new Map<number, Gathering>();
  #lastGathering = 0;
  /** Names of processes that have ended, whose leases no process has been asked to end. */
  #ended: string[] = [];
  readonly #stopping = new AbortController();
  readonly #started = Promise.withResolvers<never>();
  #isStarted = false;

  constructor(count: number, log: Logger) {
    this.#log = log;
    this.#places = Array.from({ length: count }, (_, index) => ({
      index,
      worker: undefined,
      boot: undefined,
      isReady: false,
      startedAt: 0,
      pauseMs: FIRST_PAUSE_MS,
      ending: [],
    }));
    cluster.setupPrimary({ exec: process.argv[1]!, args: process.argv.slice(2) });
  }

  /**
   * Resolves when all processes are ready. The first one starts before the others: it migrates the database, and ends the leases of
   * an earlier run. Throws StartFailed when a process ends before.
   */
  async start(): Promise<void> {
    this.#started.promise.catch(() => {});
    const [first, ...others] = this.#places;
    await this.#untilReady([first!], true);
    await this.#untilReady(others, false);
    this.#isStarted = true;
  }

  /** Asks all processes to stop, ends those that have not stopped within `graceMs`, and resolves when none is left. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const running = this.#places.flatMap(({ worker }) => worker ?? []);
    const gone = running.map(
      (worker) =>
        new Promise<void>((resolve) => (worker.isDead() ? resolve() : worker.once('exit', resolve))),
    );
    for (const worker of running) worker.process.kill('SIGTERM');
    const late = setTimeout(() => {
      this.#log.error('processes did not stop in time and are ended');
      for (const worker of running) worker.process.kill('SIGKILL');
    }, graceMs);
    await Promise.all(gone);
    clearTimeout(late);
  }

  async #untilReady(places: readonly Place[], isFirst: boolean): Promise<void> {
    const ready = places.map(
      (place) =>
        new Promise<void>((resolve) => {
          const worker = this.#fork(place, isFirst);
          worker.on('message', ({ kind }: ToSupervisor) => kind === 'ready' && resolve());
        }),
    );
    await Promise.race([Promise.all(ready), this.#started.promise]);
  }

  #fork(place: Place, isFirst: boolean): Worker {
    const group: ProcessGroup = { count: this.#places.length, index: place.index, isFirst };
    // Only the supervisor reports to systemd.
    const worker = cluster.fork({ [GROUP_VARIABLE]: JSON.stringify(group), NOTIFY_SOCKET: '' });
    Object.assign(place, { worker, boot: undefined, isReady: false, startedAt: performance.now() });
    worker.on('message', (message: ToSupervisor) => this.#heard(place, message));
    worker.on('error', (error) => this.#log.warn({ err: error }, 'a message to a process was not sent'));
    worker.on('exit', (code, signal) => this.#exited(place, code, signal));
    return worker;
  }

  #exited(place: Place, code: number, signal: string): void {
    const { boot, index } = place;
    place.worker = undefined;
    if (boot !== undefined) this.#ended.push(boot);
    this.#ended.push(...place.ending);
    place.ending = [];
    if (this.#stopping.signal.aborted) return;
    if (!this.#isStarted) {
      this.#started.reject(new StartFailed('a process has ended before all were ready'));
      return;
    }
    this.#log.error(
      { index, exitCode: code, signal },
      'a process has ended, another one is started in its place',
    );
    this.#endLeases();
    void this.#startAgain(place);
  }

  async #startAgain(place: Place): Promise<void> {
    if (performance.now() - place.startedAt > STEADY_MS) place.pauseMs = FIRST_PAUSE_MS;
    const { signal } = this.#stopping;
    try {
      await pause(place.pauseMs, undefined, { signal });
    } catch {
      return;
    }
    place.pauseMs = Math.min(2 * place.pauseMs, LONGEST_PAUSE_MS);
    this.#fork(place, false);
  }

  #heard(place: Place, message: ToSupervisor): void {
    switch (message.kind) {
      case 'opened':
        place.boot = message.boot;
        // Not when it is ready: if all have ended, this is the only one that can do it.
        this.#endLeases();
        break;
      case 'ready':
        place.isReady = true;
        break;
      case 'leasesEnded':
        place.ending = [];
        for (const other of this.#places) if (other.isReady) this.#tell(other, { kind: 'look' });
        break;
      case 'gather':
        void this.#gather(place, message.id);
        break;
      case 'measured':
        this.#measured(message.id, message.metrics);
        break;
    }
  }

  /** Asks a process to end the leases of those that have ended. Their work would otherwise wait until the leases run out. */
  #endLeases(): void {
    const place = this.#places.find(({ worker, boot }) => worker && boot !== undefined);
    if (!place || this.#ended.length === 0) return;
    place.ending = [...place.ending, ...this.#ended];
    this.#ended = [];
    this.#tell(place, { kind: 'endLeases', boots: place.ending });
  }

  /** Answers a process with the metrics of all processes that answer in time. */
  async #gather(asker: Place, askedId: number): Promise<void> {
    const id = ++this.#lastGathering;
    const measured = this.#places.filter(({ isReady, worker }) => isReady && worker);
    const { promise, resolve } = Promise.withResolvers<void>();
    const gathering: Gathering = { all: [], missing: measured.length, done: resolve };
    this.#gatherings.set(id, gathering);
    for (const place of measured) this.#tell(place, { kind: 'measure', id });
    const late = setTimeout(resolve, MEASURE_MS).unref();
    if (gathering.missing === 0) resolve();
    await promise;
    clearTimeout(late);
    this.#gatherings.delete(id);
    this.#tell(asker, { kind: 'gathered', id: askedId, all: gathering.all });
  }

  #measured(id: number, metrics: ProcessMetrics): void {
    const gathering = this.#gatherings.get(id);
    if (!gathering) return;
    gathering.all.push(metrics);
    if (--gathering.missing === 0) gathering.done();
  }

  #tell({ worker }: Place, message: ToProcess): void {
    if (worker?.isConnected()) worker.send(message);
  }
}
