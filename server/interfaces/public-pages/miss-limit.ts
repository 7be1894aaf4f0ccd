import { networkOf } from '../../http/addresses.ts';

const WINDOW_MS = 60_000;
/** Unknown codes from one address in a minute. A person mistypes a few; someone who guesses needs thousands. */
const MISSES = 60;
const ADDRESSES = 100_000;

/**
 * Slows down those who guess codes: an address that asked for 60 unknown ones is not answered until a minute after the
 * first of them is over. Addresses that follow real links, many of them one network's thousands of telephones, are never
 * counted. Of IPv6 a network of 64 bits counts as one address.
 */
export class MissLimit {
  readonly #windows = new Map<string, { start: number; misses: number }>();

  /** Whether an address is not to be answered now. */
  stops(address: string): boolean {
    const window = this.#windows.get(networkOf(address));
    return window !== undefined && window.misses >= MISSES && performance.now() - window.start < WINDOW_MS;
  }

  /** Notes that an address asked for an unknown code. */
  missed(address: string): void {
    const key = networkOf(address);
    const now = performance.now();
    const window = this.#windows.get(key);
    if (window && now - window.start < WINDOW_MS) {
      window.misses++;
      return;
    }
    if (this.#windows.size >= ADDRESSES) this.#windows.clear();
    this.#windows.set(key, { start: now, misses: 1 });
  }
}
