import type { CallInput } from './calls.ts';

/** From dialling to the first word, and how fast people and machines talk; both are estimates. */
const RING_SECONDS = 10;
const LETTERS_A_SECOND = 14;

/** What a trunk can do. */
export interface TrunkRate {
  readonly callsAtOnce: number;
  /** New calls; 0 is no limit. */
  readonly callsPerSecond: number;
}

/**
 * How long it takes until the last of so many calls begins, in milliseconds, on trunks that do nothing else.
 *
 * @param spoken what is said, as it is said
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
  const rounds = Math.ceil(calls / atOnce) - 1;
  const busySeconds = rounds * (RING_SECONDS + repeat * speechSeconds);
  const isLimited = trunks.every(({ callsPerSecond }) => callsPerSecond > 0);
  const perSecond = trunks.reduce((sum, trunk) => sum + trunk.callsPerSecond, 0);
  const dialSeconds = isLimited ? (calls - 1) / perSecond : 0;
  return Math.ceil(Math.max(busySeconds, dialSeconds) * 1_000);
}
