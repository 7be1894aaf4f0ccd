import { setTimeout as pause } from 'node:timers/promises';

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;

/**
 * Waits until `condition` returns a value other than undefined, null or false, and returns it. Polls every 10 ms, and every
 * 50 ms after the first second; fails with `what` after `limitMs`. The limit is long for busy machines and costs nothing
 * when the condition is met.
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = 60_000,
): Promise<Exclude<T, undefined | null | false>> {
  for (const began = performance.now(); ; ) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false)
      return value as Exclude<T, undefined | null | false>;
    const waited = performance.now() - began;
    if (waited > limitMs) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
    await pause(Math.max(SHORTEST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, waited / 20)));
  }
}
