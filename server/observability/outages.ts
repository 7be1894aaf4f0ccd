import type { Logger } from './log.ts';
import { counter } from './metrics.ts';

/*
 * Outages of what this service depends on (the database, a carrier, a collector, an endpoint …). Each is two lines of the log,
 * one when it begins and one when it is over, however many attempts fail between them; the attempts are counted.
 */

/** The kinds of outages: values of the label `what` of the metrics. */
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
// An alert sees the first one too if the counter was 0 before.
for (const what of outageKinds) {
  outagesTotal.inc({ what }, 0);
  failuresTotal.inc({ what }, 0);
}

interface OutageOptions {
  readonly kind: OutageKind;
  readonly log: Logger | (() => Logger | undefined);
  /** The lines of the log when an outage begins and when it is over: phrases that one can search for. */
  readonly gone: string;
  readonly back: string;
  /** Level of the first line. `warn`: work of one account waits, and nothing is lost. */
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

  /** Notes that an attempt failed. The first one of an outage is logged with `facts`. */
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

  /** Notes that an attempt succeeded: the outage, if there is one, is over. `facts` are logged with its end. */
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

/** Outages of one kind that are remembered at a time. */
const MAX_REMEMBERED = 1_000;

/**
 * The outages of dependencies that others name, such as hosts. Only the failing ones are remembered, 1,000 at most: a further
 * one replaces the one that failed longest ago, whose end is not logged.
 */
export class NamedOutages {
  readonly #options: OutageOptions;
  readonly #failing = new Map<string, Outage>();

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** How many dependencies fail. */
  get size(): number {
    return this.#failing.size;
  }

  /** Notes that an attempt at `name` failed. The first one of its outage is logged with `name` and `facts`. */
  failed(name: string, facts: Readonly<Record<string, unknown>>): void {
    const outage = this.#failing.get(name) ?? new Outage(this.#options);
    this.#failing.delete(name);
    this.#failing.set(name, outage);
    if (this.#failing.size > MAX_REMEMBERED) this.#failing.delete(this.#failing.keys().next().value!);
    outage.failed({ name, ...facts });
  }

  /** Notes that an attempt at `name` succeeded. */
  worked(name: string): void {
    this.#failing.get(name)?.worked({ name });
    this.#failing.delete(name);
  }
}
