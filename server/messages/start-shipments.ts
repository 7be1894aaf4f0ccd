import { parseAmount } from '../accounts/money.ts';
import { moveWallet } from '../accounts/wallets.ts';
import { numbers } from '../database/arrays.ts';
import type { TransactionSql } from '../database/connection.ts';
import type { IdSource } from '../ids.ts';

/**
 * Marks scheduled shipments as running when their first message is due, and turns what was held for their messages
 * into charges: for each a `release` and a `charge` that cancel out. Does nothing for those that run already. What is
 * held for contact lists stays held.
 */
export async function startShipments(
  tx: TransactionSql,
  ids: IdSource,
  now: number,
  accountId: number,
  shipmentIds: readonly number[],
): Promise<void> {
  const started = await tx<{ id: number; cost: string }[]>`
    UPDATE shipments SET state = 1
    WHERE account_id = ${accountId} AND id = ANY(${numbers(shipmentIds)}::bigint[]) AND state = 0
    RETURNING id, cost`;
  const entries = started.flatMap(({ id, cost }) => {
    const amount = parseAmount(cost);
    if (amount === 0) return [];
    return [
      { kind: 'release', amount, shipmentId: id } as const,
      { kind: 'charge', amount: -amount, shipmentId: id } as const,
    ];
  });
  if (entries.length > 0) await moveWallet(tx, ids, now, accountId, entries);
}
