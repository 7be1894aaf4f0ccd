import type { CallInput } from './calls.ts';

/** Estimated seconds from dialling to the first word, and estimated letters per second of speech. */
const RING_SECONDS = 10;
const LETTERS_A_SECOND = 14;

/** Capacity of a trunk. */
export interface TrunkRate {
  /** Infinite for a provider that queues calls. */
  readonly callsAtOnce: number;
  /** New calls per second; 0 means no limit. */
  readonly callsPerSecond: number;
}

/**
 * Returns the milliseconds until the last of `calls` calls begins, on trunks without other calls.
 *
 * @param spoken the text as spoken
 */
export function callingTime(
  trunks: readonly TrunkRate[],
  calls: number,
  spoken: string,
  { rate, repeat }: Pick<CallInput, 'rate' | 'repeat'>,
): number {
  const atOnce = trunks.reduce((sum, trunk) => sum + trunk.callsAtOnce, 0);
  if (calls === 0 || atOnce === 0) return 0;
  const speechSeconds = spoken.length / LETTERS_A_SECOND / 2 ** (rate / 10);
  const rounds = Math.max(1, Math.ceil(calls / atOnce)) - 1;
  const busySeconds = rounds * (RING_SECONDS + repeat * speechSeconds);
  const isLimited = trunks.every(({ callsPerSecond }) => callsPerSecond > 0);
  const perSecond = trunks.reduce((sum, trunk) => sum + trunk.callsPerSecond, 0);
  const dialSeconds = isLimited ? (calls - 1) / perSecond : 0;
  return Math.ceil(Math.max(busySeconds, dialSeconds) * 1_000);
}
