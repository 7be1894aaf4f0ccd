import { measureDatabase } from '../database/metrics.ts';
import type { CoreContext } from './services.ts';

/** Milliseconds between two measurements of gauges that read a whole table or the size of every file. */
const SLOW_MS = 60_000;

/** Metrics of the tables that all processes share. Processes with the role `jobs` measure them. */
export interface Gauge {
  /** Measured once a minute, because it reads a whole table. */
  readonly isSlow?: true;
  /** Throws what the database throws. */
  measure(context: Pick<CoreContext, 'sql' | 'clock' | 'work'>): Promise<void>;
}

const database: Gauge = { isSlow: true, measure: ({ sql }) => measureDatabase(sql) };

/** Gauges of the modules and of the database. */
export class Gauges {
  readonly #context: Pick<CoreContext, 'sql' | 'clock' | 'work'>;
  readonly #gauges: readonly Gauge[];
  #slowAt = Number.NEGATIVE_INFINITY;

  constructor(context: Pick<CoreContext, 'sql' | 'clock' | 'work'>, gauges: readonly Gauge[]) {
    this.#context = context;
    this.#gauges = [...gauges, database];
  }

  /** Measures all gauges, the slow ones once a minute. Throws what the database throws. */
  async measure(): Promise<void> {
    for (const gauge of this.#gauges) if (!gauge.isSlow) await gauge.measure(this.#context);
    if (performance.now() - this.#slowAt < SLOW_MS) return;
    for (const gauge of this.#gauges) if (gauge.isSlow) await gauge.measure(this.#context);
    this.#slowAt = performance.now();
  }
}
