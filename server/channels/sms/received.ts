import type { Sql } from '../../database/connection.ts';
import type { ReadReceived, ReceivedMessage } from '../../modules/conversations/timeline.ts';
import { smsChannel } from './channel.ts';

/** Reads the SMS of a client to a sender. */
export const receivedSms =
  (sql: Sql): ReadReceived =>
  async ({ accountId, sender, client, before, most }) =>
    sql<ReceivedMessage[]>`
      SELECT id, ${smsChannel.id}::int AS channel, 'text' AS type, text, NULL AS button_id, NULL::bigint AS reply_to,
        NULL::bigint AS about_id, NULL::jsonb AS content, false AS is_echo, octets, text_removed
      FROM incoming
      WHERE account_id = ${accountId} AND source = ${client} AND destination = ${sender} AND id < ${before}
      ORDER BY id DESC LIMIT ${most}`;
