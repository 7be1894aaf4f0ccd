import type { Sql } from '../database/connection.ts';
import { DAY } from './fraud-guard.ts';

/** Deletes what was stopped and lifted more than `keepDays` ago. Sends go by the partition. */
export async function cleanBlocks(sql: Sql, now: number, keepDays: number): Promise<void> {
  await sql`DELETE FROM otp_blocks WHERE last_at < ${now - keepDays * DAY}`;
  await sql`DELETE FROM otp_lifts WHERE lifted_at < ${now - keepDays * DAY}`;
}
