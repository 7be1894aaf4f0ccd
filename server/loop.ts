import type { Logger } from './observability/log.ts';
import { currentStep, type Owner, type Step, supervise } from './owners.ts';

/*
 * The shapes of work that waits for the database again and again, each step of it an owner's (owners.ts). The linter keeps
 * `setInterval` out of modules that use the database (biome.json), so that a loop is one of these.
 */

interface LoopOptions {
  readonly owner: Owner;
  /** From the beginning of one step to that of the next. A step that takes longer is not overtaken. */
  readonly everyMs: number;
  /** From the start to the first step; without it `everyMs`. For rare steps: a process that is often restarted has to do them, too. */
  readonly firstMs?: number;
  readonly step: () => Promise<unknown>;
  readonly log: Logger;
  /** Logged as a warning with what a step has thrown. */
  readonly failed: string;
  /** For steps that wait long for something else than the database: how long without progress, milliseconds. */
  readonly limitMs?: number;
}

/** What has to be done now and then, as a loop of its owner (jobs.ts). */
export interface Job extends Pick<LoopOptions, 'owner' | 'everyMs' | 'firstMs' | 'step' | 'limitMs'> {
  /** Lets a step that is under way end as early as it can. */
  stop?(): void | Promise<void>;
}

const loops = new Set<Loop>();

/** The loops of this process that have been started and not stopped, for tests. */
export const runningLoops = (): readonly Loop[] => [...loops];

/** Does a step every so many milliseconds, one at a time. What a step throws is logged, and the next one comes. */
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

  /** Begins; the first step comes after the first pause. */
  start(): void {
    const { everyMs, firstMs } = this.#options;
    loops.add(this);
    this.#timer = setInterval(() => void this.run(), everyMs);
    if (firstMs !== undefined) this.#firstTimer = setTimeout(() => void this.run(), firstMs);
  }

  /** Does a step now, or waits for the one that is under way. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#step().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Begins no more steps; fulfilled when the last one is over. */
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

/** Work that is done once for all who ask for it while it is under way. */
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

  /** Fulfilled when it is done. Throws what it throws, and OwnerStuck. */
  async run(): Promise<void> {
    this.#running ??= supervise(this.#owner, this.#work, { waiters: this.#waiters }).finally(() => {
      this.#running = undefined;
      this.#waiters.clear();
    });
    const step = currentStep();
    // What a step has begun goes on in its name when it is over: then no step waits.
    if (step && !step.isOver) this.#waiters.add(step);
    await this.#running;
  }
}
