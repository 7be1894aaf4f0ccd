import type { Logger } from '../../kit/observability/log.ts';

/** Minimum milliseconds between two warnings of a connector. */
const TELL_MS = 60_000;

/** Warns of answers that are later than the settings of a connector expect, once a minute. */
export class OverdueWarning {
  readonly #log: Logger;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(log: Logger) {
    this.#log = log;
  }

  tell(responseTimeoutMs: number): void {
    const now = performance.now();
    if (now - this.#toldAt < TELL_MS) return;
    this.#toldAt = now;
    this.#log.warn(
      { responseTimeoutMs },
      'the SMSC answers submit_sm later than responseTimeoutMs: raise it above the response time of the SMSC',
    );
  }
}
