import { setTimeout as pause } from 'node:timers/promises';

/* What connectors of all carriers wait for. */

const LOOK_MS = 10;

/** Tells once, after a while, that there may be capacity again; however often it is asked for meanwhile. */
export class ReadyTimer {
  readonly #ready: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ready: () => void) {
    this.#ready = ready;
  }

  get isSet(): boolean {
    return this.#timer !== undefined;
  }

  /** Tells in so many milliseconds, unless it is to tell already. */
  in(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#ready();
    }, milliseconds);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Fulfilled when nothing is in flight, or `graceMs` (milliseconds) are over. */
export async function untilIdle(inFlight: () => number, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  while (inFlight() > 0 && performance.now() < deadline) await pause(LOOK_MS);
}
