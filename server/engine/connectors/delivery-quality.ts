import type { Context } from '../../kit/context.ts';
import { type Quality, QualityBook } from '../carriers/quality.ts';
import type { Routing } from '../carriers/routing.ts';

const HOUR_MS = 3_600_000;
/** Hours after which a message counts half. */
const HALF_LIFE_HOURS = 12;
/** Older hours count less than a thirtieth. */
const WINDOW_HOURS = 60;
/** Milliseconds between two measurements: the query reads the hours of all accounts. */
const READ_EVERY_MS = 60_000;

/** Figures of a connector for a prefix. */
export interface MeasuredQuality extends Quality {
  /** Messages, each counted once. */
  readonly messages: number;
  /** Mean milliseconds from submission to delivery, newer ones counting more; null: nothing was delivered. */
  readonly deliveryMs: number | null;
}

interface DeliveryQualityDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly routing: Routing;
}

/** Learns from the counted hours of all accounts which connectors deliver to which prefixes. */
export class DeliveryQuality {
  readonly #deps: DeliveryQualityDeps;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(deps: DeliveryQualityDeps) {
    this.#deps = deps;
  }

  /** Measures again if a route uses the quality and the last measurement is a minute old. */
  async keepUp(): Promise<void> {
    if (!this.#deps.routing.judgesQuality || performance.now() - this.#readAt < READ_EVERY_MS) return;
    await this.learn();
  }

  /** Measures, and passes the result to the routing. */
  async learn(): Promise<void> {
    this.#readAt = performance.now();
    this.#deps.routing.learn(new QualityBook(await this.measure()));
  }

  /** Returns the figures by prefix and connector: of the prefixes that begin with `prefix`, those with most messages first. */
  async measure({
    prefix = '',
    limit,
  }: {
    prefix?: string;
    limit?: number;
  } = {}): Promise<MeasuredQuality[]> {
    const { sql, clock } = this.#deps;
    const hour = Math.floor(clock.now() / HOUR_MS);
    const rows = await sql<(Quality & { messages: number; deliveryMs: number })[]>`
      SELECT d.prefix, d.connector, sum(d.weight * d.delivered)::float8 AS delivered,
        sum(d.weight * d.total)::float8 AS samples, sum(d.total)::float8 AS messages,
        sum(d.weight * d.delivery_ms)::float8 AS "deliveryMs"
      FROM wallets w CROSS JOIN LATERAL (
        SELECT h.prefix, h.connector, h.delivered, h.delivered + h.failed + h.silent AS total, h.delivery_ms,
          power(0.5::float8, (${hour}::integer - h.hour)::float8 / ${HALF_LIFE_HOURS}::float8) AS weight
        FROM delivery_hours h
        WHERE h.account_id = w.account_id AND h.hour > ${hour - WINDOW_HOURS} AND h.hour <= ${hour}
          AND h.prefix LIKE ${`${prefix}%`}
      ) d
      GROUP BY d.prefix, d.connector HAVING sum(d.total) > 0
      ORDER BY messages DESC, d.prefix, d.connector ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`;
    return rows.map(({ deliveryMs, ...row }) => ({
      ...row,
      deliveryMs: row.delivered > 0 ? deliveryMs / row.delivered : null,
    }));
  }
}
