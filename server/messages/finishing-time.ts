import { textChannel } from '../channels/index.ts';
import type { Context } from '../context.ts';
import { texts } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { PAUSED_AT } from './batch-cutter.ts';
import type { Lane } from './lanes.ts';

/** What a connector is taken to be able to do that has no limit of its own: messages a second. */
const UNLIMITED = 1_000;
/** Contacts of lists get their messages at this rate at most: a second. */
const EXPANDED = 10_000;

export interface FinishingTimeDeps extends Pick<Context, 'sql' | 'clock'> {
  /** Connectors of SMS, with the messages a second that each may be given; 0 is no limit. */
  readonly connectors: readonly { readonly name: string; readonly messagesPerSecond: number }[];
}

/** A send that is not accepted yet. */
interface PlannedWork {
  readonly accountId: number;
  readonly lane: Lane;
  /** With the parts of each. */
  readonly messages: number;
  /** When it begins, in milliseconds since the epoch. */
  readonly dueAt: number;
  /** Of a channel whose routes are one connector each: the route, and its messages a second. SMS without. */
  readonly own?: { readonly route: string; readonly rate: number };
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
  const competing = ownRoute ? sql`route = ${ownRoute.route}` : sql`channel = ${textChannel.id}`;
  const [backlog, unrendered, measured] = await Promise.all([
    sql<{ account_id: number; lane: number; count: number }[]>`
      SELECT account_id, lane, sum(count)::bigint AS count FROM dispatch_batches
      WHERE lane <= ${lane} AND due_at <= ${begins} AND due_at < ${PAUSED_AT} AND ${competing}
      GROUP BY account_id, lane`,
    ownRoute
      ? []
      : sql<{ account_id: number; count: number }[]>`
          SELECT account_id, sum(remaining)::bigint AS count FROM campaigns
          WHERE channel = ${textChannel.id} AND next_at <= ${begins} GROUP BY account_id`,
    ownRoute ? 0 : measuredRate(sql, connectors),
  ]);
  const above = backlog.filter((row) => row.lane < lane).reduce((sum, row) => sum + row.count, 0);
  const waiting = new Map<number, number>([[accountId, messages]]);
  for (const row of [...backlog.filter((other) => other.lane === lane), ...unrendered]) {
    waiting.set(row.account_id, (waiting.get(row.account_id) ?? 0) + row.count);
  }
  const own = waiting.get(accountId)!;
  const ahead = [...waiting.values()].reduce((sum, count) => sum + Math.min(count, own), above);
  const rate = ownRoute ? ownRoute.rate : Math.min(EXPANDED, rateOf(connectors, measured));
  return begins + Math.ceil((ahead / rate) * 1_000);
}

/** Messages a second that these connectors took lately. */
async function measuredRate(sql: Sql, connectors: FinishingTimeDeps['connectors']): Promise<number> {
  const [row] = await sql<{ rate: number }[]>`
    SELECT coalesce(sum(rate), 0)::float8 AS rate FROM links
    WHERE up AND name = ANY(${texts(connectors.map(({ name }) => name))}::text[])`;
  return row!.rate;
}

/** What the connectors do together; those without a limit do at least what was measured lately. */
function rateOf(connectors: FinishingTimeDeps['connectors'], measured: number): number {
  const assumed = connectors.reduce(
    (sum, { messagesPerSecond }) => sum + (messagesPerSecond || UNLIMITED),
    0,
  );
  const isUnlimited = connectors.some(({ messagesPerSecond }) => messagesPerSecond === 0);
  return Math.max(1, isUnlimited ? Math.max(assumed, measured) : assumed);
}
