import { setTimeout as pause } from 'node:timers/promises';

/** Something that a service starts and stops. */
export interface Stage {
  /** For the log. */
  readonly name: string;
  start?(): void | Promise<void>;
  /** Ends what is under way within `graceMs`, milliseconds; also called when it was never started. */
  stop?(graceMs: number): void | Promise<void>;
  /** Which part of the time that is left `stop` may take; all of it without one. */
  readonly share?: number;
}

/** Starts the stages of a service in their order, and stops them in the reverse of it. */
export class Lifecycle {
  readonly #stages: readonly Stage[];
  #starting: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(stages: readonly Stage[]) {
    this.#stages = stages;
  }

  /**
   * Starts each stage after the one before it. If a stage throws, all of them are stopped, and its error is thrown. Throws Error if
   * `stop` is called before all have started. A lifecycle is started once.
   */
  async start(): Promise<void> {
    this.#starting = this.#startAll();
    try {
      await this.#starting;
    } catch (error) {
      // An error of a stop would follow from this one.
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
   * Stops each stage after the one behind it, all within `graceMs`; after the start of the stage that is starting, if that takes
   * no longer. Further calls wait for the first. Throws the first error of a stage, after all have stopped.
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
