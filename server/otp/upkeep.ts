import type { Sql } from '../database/connection.ts';
import { DAY } from './brake.ts';

/** Deletes reports of what was stopped that are older than `keepDays`. Sends go by the partition. */
export async function cleanBlocks(sql: Sql, now: number, keepDays: number): Promise<void> {
  await sql`DELETE FROM otp_blocks WHERE last_at < ${now - keepDays * DAY}`;
}
