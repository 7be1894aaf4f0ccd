import type { Queryable } from '../../database/connection.ts';
import { Refusal } from '../../kit/errors.ts';
import type { ChatNumber } from './business-numbers.ts';

/**
 * Returns the platform's id of a client's message to a business number, for quoting it. `id` is ours, as in
 * `chat.message`; `client` is E.164 digits. Throws Refusal `bad-reply` if no such message exists.
 */
export async function findQuoted(
  sql: Queryable,
  { accountId, phone }: Pick<ChatNumber, 'accountId' | 'phone'>,
  client: string,
  id: string,
): Promise<string> {
  const number = /^\d{1,16}$/.test(id) ? Number(id) : NaN;
  if (Number.isSafeInteger(number)) {
    const [row] = await sql<{ platform_id: string }[]>`
      SELECT platform_id FROM chat_incoming
      WHERE account_id = ${accountId} AND id = ${number} AND number = ${phone} AND client = ${client}
        AND NOT is_echo`;
    if (row) return row.platform_id;
  }
  throw new Refusal('bad-reply', 'the client has sent no such message', 'replyTo');
}

/** Returns our id of a client's message by the platform's; null if it is no longer known. */
export async function findReceived(
  sql: Queryable,
  accountId: number,
  platformId: string,
): Promise<number | null> {
  const [row] = await sql<{ message_id: number | null }[]>`
    SELECT message_id FROM chat_received WHERE account_id = ${accountId} AND platform_id = ${platformId}`;
  return row?.message_id ?? null;
}
