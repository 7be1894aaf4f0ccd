import { setTimeout as pause } from 'node:timers/promises';
import type { Throttle } from './throttle.ts';

/* Waits that the connectors of all carriers share. */

const LOOK_MS = 10;

/** Calls `ready` once after a delay, when there may be capacity again, however often it was requested. */
export class ReadyTimer {
  readonly #ready: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ready: () => void) {
    this.#ready = ready;
  }

  get isSet(): boolean {
    return this.#timer !== undefined;
  }

  /** Calls `ready` in this many milliseconds, unless a call is already scheduled. */
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
 * Returns how many messages of `room` a throttle allows now, minus those in `waiting`; none before `notBefore`
 * (monotonic milliseconds). If the result is 0, schedules `ready` for the earliest time with capacity.
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

/** Resolves when nothing is in flight, or after `graceMs` (milliseconds). */
export async function untilIdle(inFlight: () => number, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  while (inFlight() > 0 && performance.now() < deadline) await pause(LOOK_MS);
}
