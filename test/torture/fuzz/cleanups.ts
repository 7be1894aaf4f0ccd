import type { TestContext } from 'node:test';

/** What supports of tests ask of a test: to be told when it is over. Used where there is none. */
export class Cleanups {
  readonly #steps: (() => unknown)[] = [];
  readonly context = { after: (step: () => unknown) => this.#steps.push(step) } as unknown as TestContext;

  /** Undoes what was set up, the last first. */
  async undo(): Promise<void> {
    for (const step of this.#steps.reverse()) await step();
  }
}
