import type { Sql } from '../../database/connection.ts';
import type { FindEvidence } from '../../engine/gate/evidence.ts';

/** Milliseconds after a message of a client in which an answer to it is exempt. */
const REPLY_MS = 24 * 3_600_000;

/** Finds the evidence for replies to clients, and for templates that the platform has approved for authentication. */
export const chatEvidence =
  (sql: Sql): FindEvidence =>
  async ({ accountId, claim, now }) => {
    if (claim.claims === 'authentication') {
      const [template] = await sql<{ category: string }[]>`
        SELECT category FROM chat_templates WHERE account_id = ${accountId} AND id = ${claim.id}`;
      return template?.category === 'AUTHENTICATION' ? { authentication: claim.id } : undefined;
    }
    if (claim.claims !== 'reply') return undefined;
    // A reaction opens the window of a client, like a message does.
    const [row] = await sql<{ client_at: number | null }[]>`
      SELECT client_at FROM chat_windows
      WHERE account_id = ${accountId} AND number = ${claim.sender} AND client = ${claim.client}`;
    const at = row?.client_at ?? null;
    return at !== null && now - at < REPLY_MS ? { window: at } : undefined;
  };
