import type { Context } from '../../kit/context.ts';
import { type Quality, QualityBook } from '../carriers/quality.ts';
import type { Routing } from '../carriers/routing.ts';

const HOUR_MS = 3_600_000;
/** Hours after which a message counts half. */
const HALF_LIFE_HOURS = 12;
/** Number of hours that count: older ones count less than a thirtieth. */
export const QUALITY_HOURS = 60;
/** Milliseconds between two measurements: the query reads the hours of all accounts. */
const READ_EVERY_MS = 60_000;

/** Figures of a connector for a prefix. */
export interface MeasuredQuality extends Quality {
  readonly codes: number;
  readonly used: number;
  /** Messages, each counted once. */
  readonly messages: number;
  /** One-time codes that can no longer be used, each counted once. */
  readonly codesSent: number;
  /** Mean milliseconds from submission to delivery, newer ones counting more; null: nothing was delivered. */
  readonly deliveryMs: number | null;
}

type CodeFigures = Pick<MeasuredQuality, 'codes' | 'used' | 'codesSent'>;

const noCodes: CodeFigures = { codes: 0, used: 0, codesSent: 0 };

interface DeliveryQualityDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly routing: Routing;
}

/** Learns from the counted hours of all accounts which connectors deliver to which prefixes, and which codes people use. */
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

  /** Returns the figures by prefix and connector, of the prefixes that begin with `prefix`; those with most messages first. */
  async measure({
    prefix = '',
    limit,
  }: {
    prefix?: string;
    limit?: number;
  } = {}): Promise<MeasuredQuality[]> {
    const { sql, clock } = this.#deps;
    const hour = Math.floor(clock.now() / HOUR_MS);
    const codes = await this.#codes(hour, prefix);
    const rows = await sql<(Quality & { readonly messages: number; readonly deliveryMs: number })[]>`
      SELECT d.prefix, d.connector, sum(d.weight * d.delivered)::float8 AS delivered,
        sum(d.weight * d.total)::float8 AS samples, sum(d.total)::float8 AS messages,
        sum(d.weight * d.delivery_ms)::float8 AS "deliveryMs"
      FROM wallets w CROSS JOIN LATERAL (
        SELECT h.prefix, h.connector, h.delivered, h.delivered + h.failed + h.silent AS total, h.delivery_ms,
          ${this.#weight(hour)} AS weight
        FROM delivery_hours h
        WHERE h.account_id = w.account_id AND h.hour > ${hour - QUALITY_HOURS} AND h.hour <= ${hour}
          AND h.prefix LIKE ${`${prefix}%`}
      ) d
      GROUP BY d.prefix, d.connector HAVING sum(d.total) > 0
      ORDER BY messages DESC, d.prefix, d.connector ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`;
    return rows.map(({ deliveryMs, ...row }) => ({
      ...row,
      ...(codes.get(`${row.prefix} ${row.connector}`) ?? noCodes),
      deliveryMs: row.delivered > 0 ? deliveryMs / row.delivered : null,
    }));
  }

  /** Returns the sent and used one-time codes, by prefix and connector. */
  async #codes(hour: number, prefix: string): Promise<ReadonlyMap<string, CodeFigures>> {
    const { sql } = this.#deps;
    const rows = await sql<(CodeFigures & { key: string })[]>`
      SELECT d.prefix || ' ' || d.connector AS key, sum(d.weight * d.sent)::float8 AS codes,
        sum(d.weight * d.used)::float8 AS used, sum(d.sent)::float8 AS "codesSent"
      FROM wallets w CROSS JOIN LATERAL (
        SELECT h.prefix, h.connector, h.sent, h.used, ${this.#weight(hour)} AS weight FROM code_hours h
        WHERE h.account_id = w.account_id AND h.hour > ${hour - QUALITY_HOURS} AND h.hour <= ${hour}
          AND h.prefix LIKE ${`${prefix}%`}
      ) d
      GROUP BY d.prefix, d.connector`;
    return new Map(rows.map(({ key, ...figures }) => [key, figures]));
  }

  /** Weight of the hour `h.hour`. */
  #weight(hour: number) {
    return this.#deps
      .sql`power(0.5::float8, (${hour}::integer - h.hour)::float8 / ${HALF_LIFE_HOURS}::float8)`;
  }
}
