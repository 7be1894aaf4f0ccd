import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until `condition` gives something other than undefined, null or false, and returns it. Asks every 10 ms;
 * fails with `what` when it has not come after `limitMs`.
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = 20_000,
): Promise<Exclude<T, undefined | null | false>> {
  for (const deadline = Date.now() + limitMs; ; await pause(10)) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false)
      return value as Exclude<T, undefined | null | false>;
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
  }
}
