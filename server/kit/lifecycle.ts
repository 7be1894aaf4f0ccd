import { setTimeout as pause } from 'node:timers/promises';

/** A part of a service that starts and stops. */
export interface Stage {
  /** Name in the log. */
  readonly name: string;
  start?(): void | Promise<void>;
  /** Ends running work within `graceMs` milliseconds. Also called if it was never started. */
  stop?(graceMs: number): void | Promise<void>;
  /** Share of the remaining time that `stop` may take; all of it by default. */
  readonly share?: number;
}

/** Starts the stages of a service in their order, and stops them in reverse order. */
export class Lifecycle {
  readonly #stages: readonly Stage[];
  #starting: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(stages: readonly Stage[]) {
    this.#stages = stages;
  }

  /**
   * Starts each stage after the previous one. If a stage fails, stops all of them and throws its error. Throws Error if
   * `stop` is called before all have started. A lifecycle is started only once.
   */
  async start(): Promise<void> {
    this.#starting = this.#startAll();
    try {
      await this.#starting;
    } catch (error) {
      // An error during the stop is a consequence of this one.
      await this.stop(0).catch(() => {});
      throw error;
    }
  }

  async #startAll(): Promise<void> {
    for (const stage of this.#stages) {
      if (this.#stopped) throw new Error('stopped during the start');
      await stage.start?.();
    }
  }

  /**
   * Stops each stage after the one that follows it, all within `graceMs`. Waits first for a stage that is starting,
   * within the same time. Further calls wait for the first. Throws the first error of a stage, after all have stopped.
   */
  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stopAll(graceMs);
    return this.#stopped;
  }

  async #stopAll(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    await Promise.race([this.#starting?.catch(() => {}), pause(graceMs, undefined, { ref: false })]);
    const errors: unknown[] = [];
    for (const stage of this.#stages.toReversed()) {
      const left = Math.max(0, deadline - performance.now());
      try {
        await stage.stop?.(left * (stage.share ?? 1));
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
