import type { Sql } from '../database/connection.ts';
import { idFloor } from '../ids.ts';

/**
 * Says of a prefix that it is not attacked: what was sent to its numbers until `now` (milliseconds since the epoch) is
 * not held against them by the fraud guard any more. What is sent from then on is.
 */
export async function liftPrefix(sql: Sql, accountId: number, prefix: string, now: number): Promise<void> {
  await sql`
    INSERT INTO otp_lifts (account_id, prefix, since_id, lifted_at)
    VALUES (${accountId}, ${prefix}, ${idFloor(now + 1)}, ${now})
    ON CONFLICT ON CONSTRAINT otp_lifts_pkey DO UPDATE SET since_id = excluded.since_id,
      lifted_at = excluded.lifted_at`;
}
