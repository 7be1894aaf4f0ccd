import type { MobileNetwork } from './network-condition.ts';

/** Networks of numbers, looked up or remembered. */
export interface NumberNetworks {
  /**
   * Returns the network of a number; null if it is not known. Never rejects, and ends within the deadline of a look-up.
   *
   * @param destination E.164 digits
   * @param isCode whether a one-time code waits: only a remembered network counts, and for a quarter of a second
   */
  of(destination: string, isCode: boolean): Promise<MobileNetwork | null>;
}
