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

  constructor(stages: readonly Stage[]) {
    this.#stages = stages;
  }

  /** Starts each after the one before it. What a stage throws stops all of them, and is thrown. */
  async start(): Promise<void> {
    try {
      for (const stage of this.#stages) await stage.start?.();
    } catch (error) {
      // What then cannot stop follows from it.
      await this.stop(0).catch(() => {});
      throw error;
    }
  }

  /** Stops each after the one behind it, all within `graceMs`. Throws what the first that failed threw, after the others. */
  async stop(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
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
