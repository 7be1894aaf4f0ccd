// Pauses before the second attempt, the third, …; the last one repeats until the message's validity is over.
const PAUSES = [5, 15, 60, 120, 300, 600, 1_200, 1_800].map((seconds) => seconds * 1_000);

/** How long to wait after attempt `attempt` (from 0), in milliseconds, with 20 % of jitter so that batches spread. */
export function pauseAfter(attempt: number): number {
  const pause = PAUSES[Math.min(attempt, PAUSES.length - 1)]!;
  return Math.round(pause * (0.9 + Math.random() * 0.2));
}

/** The longest pause that `pauseAfterRing` grows to. */
const MAX_RING_PAUSE_MS = 3_600_000;

/**
 * How long to wait at least after a call that rang for the `rings`th time (from 1), in milliseconds: `afterMs`, twice as
 * long after each further one, up to an hour or `afterMs`.
 */
export function pauseAfterRing(afterMs: number, rings: number): number {
  return Math.max(afterMs, Math.min(afterMs * 2 ** (rings - 1), MAX_RING_PAUSE_MS));
}

/** How messages are tried again, each of which disturbs somebody: calls ring. */
export interface Recalls {
  /** Tries of one message that disturb, at most: those that found no capacity are not counted. */
  readonly attempts: number;
  /** The first time from `at` on when one of this account may be tried again; both in milliseconds since the epoch. */
  allowedFrom(accountId: number, at: number): number;
}
