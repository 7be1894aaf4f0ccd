import { TEXT_CHANNEL } from '../channel-contract/channels.ts';
import type { Context } from '../context.ts';
import { texts } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import type { Lane } from './lanes.ts';
import { RESTING_MS } from './resting.ts';

/**
 * What a connector without a limit of its own is taken to do until it was seen to be full: messages a second, as carriers
 * commonly allow an SMPP session.
 */
export const ASSUMED_RATE = 100;
/** Contacts of lists get their messages at this rate at most: a second. */
const EXPANDED = 10_000;

interface ConnectorRate {
  readonly name: string;
  readonly messagesPerSecond: number;
}

export interface FinishingTimeDeps extends Pick<Context, 'sql' | 'clock'> {
  /** Connectors of SMS, with the messages a second that each may be given; 0 is no limit. */
  readonly connectors: () => readonly ConnectorRate[];
}

/** A send that is not accepted yet. */
interface PlannedWork {
  readonly accountId: number;
  readonly lane: Lane;
  /** With the parts of each. */
  readonly messages: number;
  /** When it begins, in milliseconds since the epoch. */
  readonly dueAt: number;
  /** Of a channel whose routes are one connector each: the route, and the messages a second of its limit. SMS without. */
  readonly own?: { readonly route: string; readonly messagesPerSecond: number };
}

/**
 * When a send would be submitted whole, in milliseconds since the epoch: after what is in higher lanes; and in its own
 * lane accounts take turns, so each other account gets at most as many as this one before it is through. What waits on
 * other channels, or on other routes of their own, goes over other connectors and is not counted.
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
 * Messages a second that these connectors do together, of those that are up if there is one: what each was seen to do when
 * it was full, and its limit at most.
 */
async function rateOf(sql: Sql, connectors: readonly ConnectorRate[]): Promise<number> {
  const links = await sql<{ name: string; up: boolean; observed_rate: number | null }[]>`
    SELECT name, up, observed_rate FROM links
    WHERE name = ANY(${texts(connectors.map(({ name }) => name))}::text[])`;
  const known = new Map(links.map((link) => [link.name, link]));
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
