import { setTimeout as pause } from 'node:timers/promises';
import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { endLostSession } from '../../database/lost-commits.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';

const LIMIT_MS = 5_000;
const PAUSE_MS = 100;

/**
 * After a statement failed with a database error (`failure`), returns which of these shipments were stored. Asks until
 * the database answers, at most 10 seconds, because rejecting a stored shipment would make the caller send it twice.
 */
export async function storedShipments(
  sql: Sql,
  failure: unknown,
  shipments: readonly { readonly accountId: number; readonly id: number }[],
): Promise<Set<number>> {
  await endLostSession(sql, failure);
  const accounts = numbers(shipments.map(({ accountId }) => accountId));
  const ids = numbers(shipments.map(({ id }) => id));
  for (const deadline = performance.now() + LIMIT_MS; performance.now() < deadline; await pause(PAUSE_MS)) {
    try {
      const rows = await sql<{ id: number }[]>`
        SELECT id FROM shipments WHERE account_id = ANY(${accounts}::bigint[]) AND id = ANY(${ids}::bigint[])`;
      return new Set(rows.map(({ id }) => id));
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error;
    }
  }
  return new Set();
}
