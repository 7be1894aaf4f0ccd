// Pauses before the second attempt, the third, …; the last one repeats until the message's validity is over.
const PAUSES = [5, 15, 60, 120, 300, 600, 1_200, 1_800].map((seconds) => seconds * 1_000);

/** How long to wait after attempt `attempt` (from 0), in milliseconds, with 20 % of jitter so that batches spread. */
export function pauseAfter(attempt: number): number {
  const pause = PAUSES[Math.min(attempt, PAUSES.length - 1)]!;
  return Math.round(pause * (0.9 + Math.random() * 0.2));
}

/** How calls are tried again, each of which rings at somebody. */
export interface Recalls {
  /** Tries of one call, at most. */
  readonly attempts: number;
  /** The first time from `at` on when this account's calls may ring again; both in milliseconds since the epoch. */
  allowedFrom(accountId: number, at: number): number;
}
