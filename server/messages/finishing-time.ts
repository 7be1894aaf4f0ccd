import { CHAT_ROUTES } from '../carriers/routing.ts';
import type { Clock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';
import { PAUSED_AT } from './batch-cutter.ts';
import type { Lane } from './lanes.ts';

/** What a link is taken to be able to do that has no limit of its own: messages a second. */
const UNLIMITED = 1_000;
/** Contacts of lists get their messages at this rate at most: a second. */
const EXPANDED = 10_000;

export interface FinishingTimeParts {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Messages a second that each link to a network may be given; 0 is no limit. */
  readonly linkRates: readonly number[];
}

/** A send that is not accepted yet. */
export interface PlannedWork {
  readonly accountId: number;
  readonly lane: Lane;
  /** With the parts of each. */
  readonly messages: number;
  /** When it begins, in milliseconds since the epoch. */
  readonly dueAt: number;
  /** Of chat: the business number's route, and its messages a second. */
  readonly chat?: { readonly route: string; readonly rate: number };
}

/**
 * When a send would be handed over whole, in milliseconds since the epoch: after what is in higher lanes; and in its own
 * lane accounts take turns, so each other account gets at most as many as this one before it is through.
 */
export async function finishingTime(
  { sql, clock, linkRates }: FinishingTimeParts,
  { accountId, lane, messages, dueAt, chat }: PlannedWork,
): Promise<number> {
  const begins = Math.max(dueAt, clock.now());
  const onRoute = chat ? sql`route = ${chat.route}` : sql`route NOT LIKE ${`${CHAT_ROUTES}%`}`;
  const [backlog, unmade, [measured]] = await Promise.all([
    sql<{ account_id: number; lane: number; count: number }[]>`
      SELECT account_id, lane, sum(count)::bigint AS count FROM dispatch_batches
      WHERE lane <= ${lane} AND due_at <= ${begins} AND due_at < ${PAUSED_AT} AND ${onRoute}
      GROUP BY account_id, lane`,
    chat
      ? []
      : sql<{ account_id: number; count: number }[]>`
          SELECT account_id, sum(expected)::bigint AS count FROM list_sends WHERE due_at <= ${begins}
          GROUP BY account_id`,
    sql<
      { rate: number }[]
    >`SELECT coalesce(sum(rate), 0)::float8 AS rate FROM links WHERE up AND name NOT LIKE 'chat/%'`,
  ]);
  const above = backlog.filter((row) => row.lane < lane).reduce((sum, row) => sum + row.count, 0);
  const waiting = new Map<number, number>([[accountId, messages]]);
  for (const row of [...backlog.filter((other) => other.lane === lane), ...unmade]) {
    waiting.set(row.account_id, (waiting.get(row.account_id) ?? 0) + row.count);
  }
  const own = waiting.get(accountId)!;
  const ahead = [...waiting.values()].reduce((sum, count) => sum + Math.min(count, own), above);
  const rate = chat ? chat.rate : Math.min(EXPANDED, rateOf(linkRates, measured!.rate));
  return begins + Math.ceil((ahead / rate) * 1_000);
}

/** What the links do together; those without a limit do at least what was measured lately. */
function rateOf(linkRates: readonly number[], measured: number): number {
  const assumed = linkRates.reduce((sum, rate) => sum + (rate || UNLIMITED), 0);
  const isUnlimited = linkRates.some((rate) => rate === 0);
  return Math.max(1, isUnlimited ? Math.max(assumed, measured) : assumed);
}
