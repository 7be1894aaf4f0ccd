import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../database/connection.ts';
import { endLostSession } from '../database/lost-commits.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';

const LIMIT_MS = 5_000;
const PAUSE_MS = 100;

/**
 * After a statement that failed with `failure`, trouble of the database: whether the shipment came to be. Asked until the
 * database answers, at most 10 seconds, since a refusal of something that was stored would make the caller send it twice.
 */
export async function wasStored(
  sql: Sql,
  failure: unknown,
  accountId: number,
  shipmentId: number,
): Promise<boolean> {
  await endLostSession(sql, failure);
  for (const deadline = performance.now() + LIMIT_MS; performance.now() < deadline; await pause(PAUSE_MS)) {
    try {
      const rows = await sql`SELECT 1 FROM shipments WHERE account_id = ${accountId} AND id = ${shipmentId}`;
      return rows.length > 0;
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error;
    }
  }
  return false;
}
