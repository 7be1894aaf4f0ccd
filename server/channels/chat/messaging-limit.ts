import { numbers, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { ChatNumber } from './business-numbers.ts';

/*
 * The messaging limit: the number of clients with whom a portfolio may begin conversations within a sliding 24 hours
 * (interface, "Limits"). docs/chat.md explains how it is counted without a scan.
 */

const MINUTE_MS = 60_000;
/** The current minute and the preceding ones that make 24 hours. */
const MINUTES = 1_440;
/** Older minutes are dropped after an extra hour, because the clock of another process may be behind. */
const KEPT_MINUTES = MINUTES + 60;

type PortfolioKey = Pick<ChatNumber, 'accountId' | 'portfolioId'>;

/**
 * Reserves quota of the portfolio's messaging limit for each of these clients, in their order, as far as available;
 * returns the clients with a reservation. A client with whom a conversation was begun within the last 24 hours keeps
 * the reservation for the next 24. The portfolio stays locked until the transaction ends, so that parallel requests
 * cannot reserve the same quota.
 */
export async function reserveQuota(
  tx: TransactionSql,
  { accountId, portfolioId }: PortfolioKey,
  clients: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const minute = Math.floor(now / MINUTE_MS);
  const before = minute - MINUTES;
  // Sent together. Each runs in turn, after the lock, and sees everything committed before it.
  const [[portfolio], reached, [sum]] = await Promise.all([
    tx<{ tier: number }[]>`SELECT tier FROM chat_portfolios WHERE id = ${portfolioId} FOR NO KEY UPDATE`,
    tx<{ client: string; minute: number }[]>`
      SELECT client, minute FROM chat_reached
      WHERE account_id = ${accountId} AND portfolio_id = ${portfolioId} AND client = ANY(${texts(clients)}::text[])
        AND minute > ${before}`,
    tx<{ used: number; oldest: number | null }[]>`
      SELECT coalesce(sum(clients) FILTER (WHERE minute > ${before}), 0) AS used, min(minute) AS oldest
      FROM chat_reach WHERE account_id = ${accountId} AND portfolio_id = ${portfolioId}`,
  ]);
  const minuteOf = new Map(reached.map((row) => [row.client, row.minute]));
  let free = portfolio!.tier - sum!.used;
  const admitted = new Set<string>();
  const moved: string[] = [];
  const changes = new Map<number, number>();
  for (const client of clients) {
    const known = minuteOf.get(client);
    if (known === undefined && free <= 0) continue;
    admitted.add(client);
    if (known !== undefined && known >= minute) continue;
    if (known === undefined) free--;
    else changes.set(known, (changes.get(known) ?? 0) - 1);
    moved.push(client);
  }
  if (moved.length > 0) changes.set(minute, moved.length);
  await Promise.all([
    moved.length > 0 && moveTo(tx, { accountId, portfolioId }, moved, minute),
    changes.size > 0 && change(tx, { accountId, portfolioId }, changes),
    sum!.oldest !== null &&
      sum!.oldest <= minute - KEPT_MINUTES &&
      tx`
        DELETE FROM chat_reach
        WHERE account_id = ${accountId} AND portfolio_id = ${portfolioId} AND minute <= ${minute - KEPT_MINUTES}`,
  ]);
  return admitted;
}

async function moveTo(
  tx: TransactionSql,
  { accountId, portfolioId }: PortfolioKey,
  clients: readonly string[],
  minute: number,
): Promise<void> {
  await tx`
    INSERT INTO chat_reached (account_id, portfolio_id, client, minute)
    SELECT w.account_id, ${portfolioId}::bigint, u.client, ${minute}::integer
    FROM wallets w, unnest(${texts(clients)}::text[]) AS u (client)
    WHERE w.account_id = ${accountId}
    ON CONFLICT (account_id, portfolio_id, client) DO UPDATE SET minute = excluded.minute`;
}

/** Adds to the numbers of clients by minute. */
async function change(
  tx: TransactionSql,
  { accountId, portfolioId }: PortfolioKey,
  changes: ReadonlyMap<number, number>,
): Promise<void> {
  await tx`
    INSERT INTO chat_reach AS r (account_id, portfolio_id, minute, clients)
    SELECT w.account_id, ${portfolioId}::bigint, u.minute, u.clients
    FROM wallets w, unnest(${numbers([...changes.keys()])}::integer[], ${numbers([...changes.values()])}::integer[])
      AS u (minute, clients)
    WHERE w.account_id = ${accountId}
    ON CONFLICT (account_id, portfolio_id, minute) DO UPDATE SET clients = r.clients + excluded.clients`;
}
