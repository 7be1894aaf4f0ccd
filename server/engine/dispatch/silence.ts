import type { LeaveRule } from '../carriers/route.ts';

/** Most times that the pause of a connector that messages left is doubled: 10 minutes become at most 80. */
const MOST_DOUBLINGS = 3;

/** Messages without a receipt from which a carrier is silent: a few phones may just be switched off. */
const MIN_SILENT = 20;

/** A reason to leave, and for how long it was one so far. */
interface Pause {
  readonly until: number;
  readonly doublings: number;
}

/**
 * Whether a carrier takes messages, and reports about them, as one process sees it. Messages leave a connector for the time of their
 * rule, and longer each time that nothing has changed; between, the connector takes messages as before, which shows whether the
 * carrier does again. All times are monotonic milliseconds.
 */
export class Silence {
  /** Since when messages that the carrier took wait for a first receipt. */
  #silentSince: number | undefined;
  /** How many they are. */
  #unreported = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  /** Since when the carrier has taken nothing because it is busy. */
  #busySince: number | undefined;
  readonly #pauses = new Map<string, Pause>();

  took(now = performance.now()): void {
    this.#silentSince ??= now;
    this.#unreported++;
    if (this.#busySince === undefined) return;
    this.#busySince = undefined;
    this.#end('throttled');
  }

  reported(now = performance.now()): void {
    this.#silentSince = undefined;
    this.#unreported = 0;
    this.#reportedAt = now;
    if (this.#pauses.size > 0) this.#end('silent');
  }

  throttled(now = performance.now()): void {
    this.#busySince ??= now;
  }

  wasReported(withinMs: number, now: number): boolean {
    return now - this.#reportedAt <= withinMs;
  }

  /** Whether messages with this rule leave the connector. `others`: whether other connectors get receipts. */
  isLeft({ throttledMs, silentMs }: LeaveRule, now: number, others: () => boolean): boolean {
    const isBusy = throttledMs !== undefined && this.#isOver('throttled', this.#busySince, throttledMs, now);
    if (isBusy) this.#busySince = undefined;
    const silentSince = this.#unreported >= MIN_SILENT ? this.#silentSince : undefined;
    const isSilent = silentMs !== undefined && this.#isOver('silent', silentSince, silentMs, now, others);
    if (isSilent) {
      this.#silentSince = undefined;
      this.#unreported = 0;
    }
    return isBusy || isSilent;
  }

  #isOver(
    reason: 'throttled' | 'silent',
    since: number | undefined,
    afterMs: number,
    now: number,
    confirmed = () => true,
  ): boolean {
    const key = `${reason} ${afterMs}`;
    const pause = this.#pauses.get(key);
    if (pause && now < pause.until) return true;
    if (since === undefined || now - since <= afterMs || !confirmed()) return false;
    const doublings = pause ? Math.min(pause.doublings + 1, MOST_DOUBLINGS) : 0;
    this.#pauses.set(key, { until: now + afterMs * 2 ** doublings, doublings });
    return true;
  }

  #end(reason: 'throttled' | 'silent'): void {
    for (const key of this.#pauses.keys()) {
      if (key.startsWith(reason)) this.#pauses.delete(key);
    }
  }
}
