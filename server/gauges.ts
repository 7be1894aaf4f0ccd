import { measureWallets } from './accounts/metrics.ts';
import type { Clock } from './clock.ts';
import type { Sql } from './database/connection.ts';
import { measureDatabase } from './database/metrics.ts';
import { queueAge, queueMessages } from './dispatch/metrics.ts';
import { queuesByLane } from './dispatch/queues.ts';
import { countFailingEndpoints } from './events/failing-endpoints.ts';
import { webhookEndpoints } from './events/metrics.ts';
import { laneNames } from './messages/lanes.ts';
import type { Work } from './work/work.ts';

/** What reads a whole table, or asks for the size of every file, is measured this seldom. */
const SLOW_MS = 60_000;

/** Milliseconds without a success after which an endpoint counts as failing: a restart of the receiver is shorter. */
const FAILING_MS = 300_000;

/** Metrics of what all processes share, read from the database by those with the role `jobs`. */
export class Gauges {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #work: Work;
  #slowAt = Number.NEGATIVE_INFINITY;

  constructor(sql: Sql, clock: Clock, work: Work) {
    this.#sql = sql;
    this.#clock = clock;
    this.#work = work;
  }

  /** Measures the queues, the background work and the webhook endpoints, and once a minute the wallets and the database. Throws what the database throws. */
  async measure(): Promise<void> {
    await this.#measureQueues();
    await this.#measureEndpoints();
    await this.#work.measure();
    if (performance.now() - this.#slowAt < SLOW_MS) return;
    await measureWallets(this.#sql);
    await measureDatabase(this.#sql);
    this.#slowAt = performance.now();
  }

  async #measureEndpoints(): Promise<void> {
    const counts = await countFailingEndpoints(this.#sql, this.#clock.now() - FAILING_MS);
    webhookEndpoints.set({ state: 'failing' }, counts.failing);
    webhookEndpoints.set({ state: 'off' }, counts.off);
  }

  async #measureQueues(): Promise<void> {
    const queues = await queuesByLane(this.#sql, this.#clock.now());
    for (const [lane, name] of laneNames.entries()) {
      const queue = queues.find((candidate) => candidate.lane === lane);
      queueAge.set({ lane: name }, (queue?.oldestMs ?? 0) / 1_000);
      queueMessages.set({ lane: name }, queue?.due ?? 0);
    }
  }
}
