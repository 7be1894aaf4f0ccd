import type { Sql } from '../../database/connection.ts';
import { restingSql } from '../messages/resting.ts';

/** Accounts in one list. */
const MAX_LISTED = 50;

/** A suspended account, with the work that is held for it. */
export interface HeldAccount {
  readonly id: number;
  readonly username: string;
  /** Milliseconds since the epoch; null for the first second of a suspension. */
  readonly since: number | null;
  /** Messages in held batches. A batch counts whole until all its messages have a result. */
  readonly messages: number;
  readonly campaigns: number;
  /** Whether the held work is being cancelled and refunded. */
  readonly isCancelling: boolean;
}

/** Returns how many accounts are suspended, and 50 of them, those with the most held messages. Throws what the database throws. */
export async function listHeldAccounts(
  sql: Sql,
): Promise<{ readonly total: number; readonly accounts: readonly HeldAccount[] }> {
  const suspended = await sql<
    { id: number; username: string; since: number | null; cancelAt: number | null }[]
  >`
    SELECT a.id, a.username, h.held_at AS since, h.cancel_at AS "cancelAt"
    FROM accounts a LEFT JOIN account_holds h ON h.account_id = a.id AND h.resumed_at IS NULL
    WHERE a.suspended OR a.suspended_by_parent ORDER BY a.id`;
  if (suspended.length === 0) return { total: 0, accounts: [] };
  const [batches, campaigns] = await Promise.all([
    sql<Counted[]>`
      SELECT account_id AS id, sum(count)::int AS count FROM dispatch_batches WHERE ${restingSql(sql, 'due_at')}
      GROUP BY account_id`,
    sql<Counted[]>`
      SELECT account_id AS id, count(*)::int AS count FROM campaigns WHERE ${restingSql(sql, 'next_at')}
      GROUP BY account_id`,
  ]);
  const accounts = suspended
    .map(({ id, username, since, cancelAt }) => ({
      id,
      username,
      since,
      messages: countOf(batches, id),
      campaigns: countOf(campaigns, id),
      isCancelling: cancelAt !== null,
    }))
    .toSorted((a, b) => b.messages - a.messages);
  return { total: suspended.length, accounts: accounts.slice(0, MAX_LISTED) };
}

interface Counted {
  readonly id: number;
  readonly count: number;
}

const countOf = (counts: readonly Counted[], id: number) => counts.find((one) => one.id === id)?.count ?? 0;
