import { networkOf } from '../../kit/http/addresses.ts';

const WINDOW_MS = 60_000;
/** Unknown codes from one address per minute. A person mistypes a few; guessing needs thousands. */
const MISSES = 60;
const ADDRESSES = 100_000;

/**
 * Slows down guessing of codes: an address that requested 60 unknown codes gets no responses until a minute after the
 * first of them. Addresses that follow valid links, often thousands of phones behind one network address, are never
 * counted. An IPv6 /64 network counts as one address.
 */
export class MissLimit {
  readonly #windows = new Map<string, { start: number; misses: number }>();

  /** Whether an address is blocked now. */
  stops(address: string): boolean {
    const window = this.#windows.get(networkOf(address));
    return window !== undefined && window.misses >= MISSES && performance.now() - window.start < WINDOW_MS;
  }

  /** Records that an address requested an unknown code. */
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
