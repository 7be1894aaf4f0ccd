import type { Sql } from '../../database/connection.ts';
import type { FindEvidence } from '../../engine/gate/evidence.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';

/** Milliseconds after an SMS of a client in which an answer to it is exempt. */
const REPLY_MS = 24 * 3_600_000;

/** Finds the evidence for replies to clients: the last message of the client to the sender. */
export const smsEvidence =
  (sql: Sql): FindEvidence =>
  async ({ accountId, claim, now }) => {
    if (claim.claims !== 'reply') return undefined;
    const [row] = await sql<{ id: number }[]>`
      SELECT id FROM incoming
      WHERE account_id = ${accountId} AND id >= ${idFloor(now - REPLY_MS)} AND source = ${claim.client}
        AND destination = ${claim.sender}
      ORDER BY id DESC LIMIT 1`;
    return row && { reply: row.id, at: timeOfId(row.id) };
  };
