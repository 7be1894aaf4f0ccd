import type { Queryable } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import type { ChatNumber } from './numbers.ts';

/**
 * The platform's id of a message that a client wrote to a business number, to quote it. `id` is ours, as `chat.message`
 * brought it; `client` is E.164 digits. Throws Refusal `bad-reply` when there is none.
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

/** Our id of a message of a client, by the platform's; null when it is not known any more. */
export async function findReceived(
  sql: Queryable,
  accountId: number,
  platformId: string,
): Promise<number | null> {
  const [row] = await sql<{ message_id: number | null }[]>`
    SELECT message_id FROM chat_received WHERE account_id = ${accountId} AND platform_id = ${platformId}`;
  return row?.message_id ?? null;
}
