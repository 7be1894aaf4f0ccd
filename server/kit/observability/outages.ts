import type { Logger } from './log.ts';
import { counter } from './metrics.ts';

/*
 * Outages of dependencies of this service (the database, a carrier, a collector, an endpoint …). Each outage has two
 * log lines, at its beginning and its end, however many attempts fail in between. The attempts are counted.
 */

/** Kinds of outages: values of the label `what` of the metrics. */
export const outageKinds = [
  'carrier',
  'collector',
  'database',
  'database writes',
  'mail relay',
  'media',
  'trunk',
  'webhook',
] as const;
export type OutageKind = (typeof outageKinds)[number];

const outagesTotal = counter('carillon_outages_total', 'Outages that began, by kind', 'what');
const failuresTotal = counter(
  'carillon_outage_failures_total',
  'Attempts that failed because of an outage, by kind',
  'what',
);
// Starts each counter at 0, because an alert sees the first increase only if the series existed before.
for (const what of outageKinds) {
  outagesTotal.inc({ what }, 0);
  failuresTotal.inc({ what }, 0);
}

interface OutageOptions {
  readonly kind: OutageKind;
  readonly log: Logger | (() => Logger | undefined);
  /** Messages for the beginning and the end of an outage: phrases that one can search for. */
  readonly gone: string;
  readonly back: string;
  /** Level of the first line. `warn`: the work of one account is delayed, and nothing is lost. */
  readonly level?: 'error' | 'warn';
}

/** The outages of one dependency. */
export class Outage {
  readonly #options: OutageOptions;
  #since: number | undefined;
  #failures = 0;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Whether the last attempt failed. */
  get isOn(): boolean {
    return this.#since !== undefined;
  }

  /** Records a failed attempt. The first one of an outage is logged with `facts`. */
  failed(facts: Readonly<Record<string, unknown>>): void {
    const { kind, log, gone, level = 'error' } = this.#options;
    failuresTotal.inc({ what: kind });
    this.#failures++;
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    outagesTotal.inc({ what: kind });
    const logger = typeof log === 'function' ? log() : log;
    logger?.[level]({ ...facts, outage: kind }, gone);
  }

  /** Records a successful attempt, which ends the outage, if any. Its end is logged with `facts`. */
  worked(facts: Readonly<Record<string, unknown>> = {}): void {
    if (this.#since === undefined) return;
    const seconds = Math.round((performance.now() - this.#since) / 100) / 10;
    const failures = this.#failures;
    this.#since = undefined;
    this.#failures = 0;
    const { kind, log, back } = this.#options;
    const logger = typeof log === 'function' ? log() : log;
    logger?.info({ ...facts, outage: kind, seconds, failures }, back);
  }
}

/** Maximum number of failing dependencies of one kind in memory. */
const MAX_REMEMBERED = 1_000;

/**
 * Outages of dependencies that others name, such as hosts. Only failing ones are kept, up to 1,000: a further one
 * replaces the one that failed longest ago, whose end is then not logged.
 */
export class NamedOutages {
  readonly #options: OutageOptions;
  readonly #failing = new Map<string, Outage>();

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Number of failing dependencies. */
  get size(): number {
    return this.#failing.size;
  }

  /** Records a failed attempt at `name`. The first one of its outage is logged with `name` and `facts`. */
  failed(name: string, facts: Readonly<Record<string, unknown>>): void {
    const outage = this.#failing.get(name) ?? new Outage(this.#options);
    this.#failing.delete(name);
    this.#failing.set(name, outage);
    if (this.#failing.size > MAX_REMEMBERED) this.#failing.delete(this.#failing.keys().next().value!);
    outage.failed({ name, ...facts });
  }

  /** Records a successful attempt at `name`. */
  worked(name: string): void {
    this.#failing.get(name)?.worked({ name });
    this.#failing.delete(name);
  }
}
