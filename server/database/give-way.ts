import { setTimeout as pause } from 'node:timers/promises';

/*
 * A statement that waits for the lock of a table blocks every later statement on that table, and other processes may be
 * sending. So a change of a table waits for less than a second, lets them pass, and is tried again for ten minutes.
 * PostgreSQL detects deadlocks after a second (deadlock_timeout): by then the change has given way, and no sending
 * transaction is chosen to fail.
 */

/** Milliseconds for `lock_timeout` in an attempt. */
export const GIVE_WAY_MS = 900;
const PAUSE_MS = 1_000;
const ATTEMPTS = 320;
/** lock_not_available; and deadlock_detected, in case deadlock_timeout is shorter. */
const gaveWay: readonly (string | undefined)[] = ['55P03', '40P01'];

/**
 * Changes a table, repeatedly while other transactions lock it.
 *
 * @param attempt runs a transaction whose `lock_timeout` is GIVE_WAY_MS. It has rolled back when it rejects.
 */
export async function givingWay<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!gaveWay.includes((error as { code?: string }).code) || tries === ATTEMPTS) throw error;
      await pause(PAUSE_MS);
    }
  }
}
