import type { Sql } from '../../database/connection.ts';
import { idFloor } from '../../kit/ids.ts';

/**
 * Lifts a prefix: the fraud guard ignores sends to its numbers until `now` (milliseconds since the epoch), and counts later
 * sends.
 */
export async function liftPrefix(sql: Sql, accountId: number, prefix: string, now: number): Promise<void> {
  await sql`
    INSERT INTO otp_lifts (account_id, prefix, since_id, lifted_at)
    VALUES (${accountId}, ${prefix}, ${idFloor(now + 1)}, ${now})
    ON CONFLICT ON CONSTRAINT otp_lifts_pkey DO UPDATE SET since_id = excluded.since_id,
      lifted_at = excluded.lifted_at`;
}
