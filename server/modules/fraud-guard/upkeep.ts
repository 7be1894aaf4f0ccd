import type { Sql } from '../../database/connection.ts';
import { idFloor } from '../../kit/ids.ts';
import { DAY, KNOWN } from './rules.ts';

/** Deletes what was stopped and lifted more than `keepDays` ago, and sends that the guard no longer looks at. Codes go by the partition. */
export async function cleanBlocks(sql: Sql, now: number, keepDays: number): Promise<void> {
  await sql`DELETE FROM otp_blocks WHERE last_at < ${now - keepDays * DAY}`;
  await sql`DELETE FROM guarded_sends WHERE id < ${idFloor(now - KNOWN)}`;
  await sql`DELETE FROM otp_lifts WHERE lifted_at < ${now - keepDays * DAY}`;
}
