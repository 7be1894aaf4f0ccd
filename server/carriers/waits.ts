import { setTimeout as pause } from 'node:timers/promises';
import type { Throttle } from './throttle.ts';

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
    this.#timer = undefined;
  }
}

/**
 * How many messages of `room` a throttle allows now, beside those that `waiting` has already; not before `notBefore`
 * (monotonic milliseconds). When there are none, `ready` tells as soon as there may be.
 */
export function allowedOf(
  room: number,
  throttle: Pick<Throttle, 'available' | 'wait'>,
  ready: ReadyTimer,
  { waiting = 0, notBefore = 0 } = {},
): number {
  if (room <= 0) return 0;
  const now = performance.now();
  const pauseMs = Math.max(0, Math.ceil(notBefore - now));
  const allowed = pauseMs > 0 ? 0 : throttle.available(now) - waiting;
  if (allowed >= 1) return Math.min(room, allowed);
  ready.in(Math.max(pauseMs, throttle.wait(now)));
  return 0;
}

/** Fulfilled when nothing is in flight, or `graceMs` (milliseconds) are over. */
export async function untilIdle(inFlight: () => number, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  while (inFlight() > 0 && performance.now() < deadline) await pause(LOOK_MS);
}
