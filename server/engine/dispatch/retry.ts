// Pauses before the second attempt, the third, …; the last one repeats until the message's validity ends.
const PAUSES = [5, 15, 60, 120, 300, 600, 1_200, 1_800].map((seconds) => seconds * 1_000);

/** Returns the wait after attempt `attempt` (from 0) in milliseconds, with 20 % of jitter so that batches spread. */
export function pauseAfter(attempt: number): number {
  const pause = PAUSES[Math.min(attempt, PAUSES.length - 1)]!;
  return Math.round(pause * (0.9 + Math.random() * 0.2));
}

/** Maximum pause of `pauseAfterRing`. */
const MAX_RING_PAUSE_MS = 3_600_000;

/**
 * Returns the minimum wait, in milliseconds, after a call that rang for the `rings`th time (from 1): `afterMs`, doubled
 * after each further one, up to an hour or `afterMs`.
 */
export function pauseAfterRing(afterMs: number, rings: number): number {
  return Math.max(afterMs, Math.min(afterMs * 2 ** (rings - 1), MAX_RING_PAUSE_MS));
}

/** Retry settings of messages that disturb somebody each time, such as calls. */
export interface Recalls {
  /** Maximum attempts of one message that disturb; attempts without capacity do not count. */
  readonly attempts: number;
  /**
   * Returns the first time from `at` on at which a message of this account may be retried; both in milliseconds since
   * the epoch.
   */
  allowedFrom(accountId: number, at: number): number;
}
