import ipaddr from 'ipaddr.js';

const WINDOW_MS = 60_000;
/** Unknown codes from one address in a minute. A person mistypes a few; someone who guesses needs thousands. */
const MISSES = 60;
const ADDRESSES = 100_000;

/**
 * Slows down those who guess codes: an address that asked for 60 unknown ones is not answered until a minute after the
 * first of them is over. Addresses that follow real links, many of them one network's thousands of telephones, are never
 * counted.
 */
export class MissBrake {
  readonly #windows = new Map<string, { start: number; misses: number }>();

  /** Whether an address is not to be answered now. */
  stops(address: string): boolean {
    const window = this.#windows.get(keyOf(address));
    return window !== undefined && window.misses >= MISSES && performance.now() - window.start < WINDOW_MS;
  }

  /** Notes that an address asked for an unknown code. */
  missed(address: string): void {
    const key = keyOf(address);
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

/** Of IPv6 the network that one customer has (/64): addresses in it cost him nothing. */
function keyOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}
