import { TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import { texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isLeased } from '../../database/leases.ts';
import type { Context } from '../../kit/context.ts';
import { connectorColumn } from '../carriers/parts.ts';
import type { Lane } from './lanes.ts';
import { RESTING_MS } from './resting.ts';

/**
 * Assumed messages per second of a connector without a limit, until its full rate was observed. Carriers commonly allow
 * this rate for an SMPP session.
 */
export const ASSUMED_RATE = 100;
/** Maximum messages per second created for contacts of lists. */
const EXPANDED = 10_000;

interface ConnectorRate {
  readonly name: string;
  readonly messagesPerSecond: number;
}

export interface FinishingTimeDeps extends Pick<Context, 'sql' | 'clock'> {
  /** SMS connectors, with the messages per second that each accepts; 0 means no limit. */
  readonly connectors: () => readonly ConnectorRate[];
}

/** A send before its acceptance. */
interface PlannedWork {
  readonly accountId: number;
  readonly lane: Lane;
  /** Including the parts of each message. */
  readonly messages: number;
  /** Start time, in milliseconds since the epoch. */
  readonly dueAt: number;
  /**
   * For a channel in which each route has one connector: the route, and its limit in messages per second. Absent for
   * SMS.
   */
  readonly own?: { readonly route: string; readonly messagesPerSecond: number };
}

/**
 * Returns the time at which a send would be completely submitted, in milliseconds since the epoch. It comes after all
 * messages in higher lanes. In its own lane accounts take turns, so each other account submits at most as many messages
 * as this one before it ends. Other channels and connector-specific routes use other connectors and do not count.
 */
export async function finishingTime(
  { sql, clock, connectors }: FinishingTimeDeps,
  { accountId, lane, messages, dueAt, own: ownRoute }: PlannedWork,
): Promise<number> {
  const begins = Math.max(dueAt, clock.now());
  const competing = ownRoute ? sql`route = ${ownRoute.route}` : sql`channel = ${TEXT_CHANNEL}`;
  const [backlog, unrendered, rate] = await Promise.all([
    sql<{ account_id: number; lane: number; count: number }[]>`
      SELECT account_id, lane, sum(count)::bigint AS count FROM dispatch_batches
      WHERE lane <= ${lane} AND due_at <= ${begins} AND due_at < ${RESTING_MS} AND ${competing}
      GROUP BY account_id, lane`,
    ownRoute
      ? []
      : sql<{ account_id: number; count: number }[]>`
          SELECT account_id, sum(remaining)::bigint AS count FROM campaigns
          WHERE channel = ${TEXT_CHANNEL} AND next_at <= ${begins} GROUP BY account_id`,
    rateOf(sql, ownRoute ? [{ ...ownRoute, name: ownRoute.route }] : connectors()),
  ]);
  const above = backlog.filter((row) => row.lane < lane).reduce((sum, row) => sum + row.count, 0);
  const waiting = new Map<number, number>([[accountId, messages]]);
  for (const row of [...backlog.filter((other) => other.lane === lane), ...unrendered]) {
    waiting.set(row.account_id, (waiting.get(row.account_id) ?? 0) + row.count);
  }
  const own = waiting.get(accountId)!;
  const ahead = [...waiting.values()].reduce((sum, count) => sum + Math.min(count, own), above);
  return begins + Math.ceil((ahead / Math.min(EXPANDED, rate)) * 1_000);
}

/**
 * Returns the messages per second of these connectors together, or of the connected ones if any is up: for each, the
 * rate observed at full load, but at most its limit.
 */
async function rateOf(sql: Sql, connectors: readonly ConnectorRate[]): Promise<number> {
  const states = await sql<{ name: string; up: boolean; observed_rate: number | null }[]>`
    SELECT ${connectorColumn(sql)} AS name, bool_or(up) AS up, 
      coalesce(sum(observed_rate) FILTER (WHERE ${isLeased(sql, leaseClock.now())}), max(observed_rate)) AS observed_rate
    FROM links
    WHERE ${connectorColumn(sql)} = ANY(${texts(connectors.map(({ name }) => name))}::text[]) GROUP BY 1`;
  const known = new Map(states.map((state) => [state.name, state]));
  const up = connectors.filter(({ name }) => known.get(name)?.up);
  const rates = (up.length > 0 ? up : connectors).map(({ name, messagesPerSecond }) => {
    const limit = messagesPerSecond || Number.POSITIVE_INFINITY;
    return Math.min(limit, known.get(name)?.observed_rate ?? (messagesPerSecond || ASSUMED_RATE));
  });
  return Math.max(
    1,
    rates.reduce((sum, rate) => sum + rate, 0),
  );
}
