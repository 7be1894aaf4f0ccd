import type { TestContext } from 'node:test';

/** Replaces the test context for test helpers that register cleanups. For use outside of tests. */
export class Cleanups {
  readonly #steps: (() => unknown)[] = [];
  readonly context = { after: (step: () => unknown) => this.#steps.push(step) } as unknown as TestContext;

  /** Undoes what was set up, the last first. */
  async undo(): Promise<void> {
    for (const step of this.#steps.reverse()) await step();
  }
}
