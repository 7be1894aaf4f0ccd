import type { Logger } from './observability/log.ts';
import { currentStep, type Owner, type Step, supervise } from './owners.ts';

/*
 * Loops of work that depends on the database. Each step runs as a step of an owner (owners.ts). The linter forbids
 * `setInterval` in modules that use the database (biome.json), so that every loop is one of these.
 */

interface LoopOptions {
  readonly owner: Owner;
  /** Milliseconds from the beginning of one step to that of the next. Steps never overlap. */
  readonly everyMs: number;
  /**
   * Milliseconds from the start to the first step; `everyMs` by default. For rare steps, which a process that restarts
   * often must run too.
   */
  readonly firstMs?: number;
  readonly step: () => Promise<unknown>;
  readonly log: Logger;
  /** Message of the warning when a step throws. */
  readonly failed: string;
  /**
   * Milliseconds without progress before a step is abandoned. For steps that wait long for something other than the
   * database.
   */
  readonly limitMs?: number;
}

/** Periodic work, run as a loop of its owner (jobs.ts). */
export interface Job extends Pick<LoopOptions, 'owner' | 'everyMs' | 'firstMs' | 'step' | 'limitMs'> {
  /** Makes a running step end as early as it can. */
  stop?(): void | Promise<void>;
}

const loops = new Set<Loop>();

/** The running loops of this process, for tests. */
export const runningLoops = (): readonly Loop[] => [...loops];

/** Runs a step at regular intervals, one at a time. Logs errors of a step and continues with the next one. */
export class Loop {
  readonly #options: LoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #firstTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  get owner(): Owner {
    return this.#options.owner;
  }

  /** Starts the loop; the first step runs after the first interval. */
  start(): void {
    const { everyMs, firstMs } = this.#options;
    loops.add(this);
    this.#timer = setInterval(() => void this.run(), everyMs);
    if (firstMs !== undefined) this.#firstTimer = setTimeout(() => void this.run(), firstMs);
  }

  /** Runs a step now, or waits for the running one. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#step().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Starts no more steps. Resolves when the running one has ended. */
  async stop(): Promise<void> {
    loops.delete(this);
    clearInterval(this.#timer);
    clearTimeout(this.#firstTimer);
    await this.#running;
  }

  async #step(): Promise<void> {
    const { owner, step, log, failed, limitMs } = this.#options;
    try {
      await supervise(owner, step, { limitMs });
    } catch (error) {
      log.warn({ err: error, owner }, failed);
    }
  }
}

/** Work that runs once for all callers who request it while it runs. */
export class SharedWork {
  readonly #owner: Owner;
  readonly #work: () => Promise<void>;
  readonly #waiters = new Set<Step>();
  #running: Promise<void> | undefined;

  constructor(owner: Owner, work: () => Promise<void>) {
    this.#owner = owner;
    this.#work = work;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when the work is done. Throws errors of the work, and OwnerStuck. */
  async run(): Promise<void> {
    this.#running ??= supervise(this.#owner, this.#work, { waiters: this.#waiters }).finally(() => {
      this.#running = undefined;
      this.#waiters.clear();
    });
    const step = currentStep();
    // Code that a step started may continue in its name after the step is over; then no step waits.
    if (step && !step.isOver) this.#waiters.add(step);
    await this.#running;
  }
}
