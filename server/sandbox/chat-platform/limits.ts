import { dropOldest } from '../inbox.ts';

const keptPairs = 100_000;

/** The platform's two sending limits. Times are milliseconds since the epoch. */
export class Limits {
  readonly #seconds = new Map<string, { second: number; count: number }>();
  /** Time at which the allowance of a pair is full again. */
  readonly #pairs = new Map<string, number>();

  /** Counts a message of a business number. Returns false when it exceeds `perSecond` (0: no limit) in this second. */
  takeSecond(phoneNumberId: string, perSecond: number, now: number): boolean {
    if (perSecond === 0) return true;
    const second = Math.floor(now / 1_000);
    let window = this.#seconds.get(phoneNumberId);
    if (window?.second !== second) {
      window = { second, count: 0 };
      this.#seconds.set(phoneNumberId, window);
    }
    return ++window.count <= perSecond;
  }

  /**
   * Counts a message to one recipient: up to `burst` in a row, then one per `pauseMs` (0: no limit). Returns false when
   * it is too soon.
   */
  takePair(phoneNumberId: string, to: string, pauseMs: number, burst: number, now: number): boolean {
    if (pauseMs === 0) return true;
    const key = `${phoneNumberId}\n${to}`;
    const wholeAt = Math.max(this.#pairs.get(key) ?? 0, now);
    if (wholeAt - now > pauseMs * (burst - 1)) return false;
    this.#pairs.delete(key);
    this.#pairs.set(key, wholeAt + pauseMs);
    dropOldest(this.#pairs, keptPairs);
    return true;
  }
}
