import type { Sql } from '../../database/connection.ts';
import type { ReadReceived, ReceivedMessage } from '../../modules/conversations/timeline.ts';
import { chatChannel } from './channel.ts';

/** Reads the chat messages of a client to a business number, and echoes of its phone. */
export const receivedChats =
  (sql: Sql): ReadReceived =>
  async ({ accountId, sender, client, before, most }) =>
    sql<ReceivedMessage[]>`
      SELECT id, ${chatChannel.id}::int AS channel, type, body AS text, button_id, reply_to, about_id, content, is_echo,
        NULL::bytea AS octets, text_removed
      FROM chat_incoming
      WHERE account_id = ${accountId} AND client = ${client} AND number = ${sender} AND id < ${before}
      ORDER BY id DESC LIMIT ${most}`;
