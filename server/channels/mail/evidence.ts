import type { Sql } from '../../database/connection.ts';
import type { FindEvidence } from '../../engine/gate/evidence.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';

/** Milliseconds after a mail of a client in which an answer to it is exempt. */
const REPLY_MS = 7 * 24 * 3_600_000;

/** Finds the evidence for replies to clients, and for mails that ask people to confirm that they join a mailing list. */
export const mailEvidence =
  (sql: Sql): FindEvidence =>
  async ({ accountId, claim, now }) => {
    if (claim.claims === 'confirmation') {
      const [row] = await sql<{ requested_at: number }[]>`
        SELECT requested_at FROM mail_confirmations WHERE account_id = ${accountId} AND due_at <= ${now}
        ORDER BY due_at LIMIT 1`;
      return row && { confirmation: row.requested_at };
    }
    if (claim.claims !== 'reply') return undefined;
    const [row] = await sql<{ id: number }[]>`
      SELECT id FROM mail_incoming
      WHERE account_id = ${accountId} AND id >= ${idFloor(now - REPLY_MS)} AND client = ${claim.client}
        AND sender = ${claim.sender}
      ORDER BY id DESC LIMIT 1`;
    return row && { reply: row.id, at: timeOfId(row.id) };
  };
