import type { Sql } from '../../database/connection.ts';
import type { ReadReceived, ReceivedMessage } from '../../modules/conversations/timeline.ts';
import { mailChannel } from './channel.ts';

/** Bytes that are shown of a mail that cannot be read. */
const MAX_OCTETS = 2_000;

type MailRow = Omit<ReceivedMessage, 'content'> & {
  readonly subject: string;
  readonly from_address: string;
  readonly html: string | null;
  readonly whole_text: string | null;
  readonly attachments: readonly string[];
  readonly automatic: string | null;
};

/** Reads the mails of a client to a sender. */
export const receivedMails =
  (sql: Sql): ReadReceived =>
  async ({ accountId, sender, client, before, most }) => {
    const rows = await sql<MailRow[]>`
      SELECT id, ${mailChannel.id}::int AS channel, 'mail' AS type, body AS text, NULL AS button_id, message_id AS reply_to,
        NULL::bigint AS about_id, subject, from_address, html, text AS whole_text, attachments, automatic,
        false AS is_echo, substr(raw, 1, ${MAX_OCTETS}) AS octets, text_removed
      FROM mail_incoming
      WHERE account_id = ${accountId} AND client = ${client} AND sender = ${sender} AND id < ${before}
      ORDER BY id DESC LIMIT ${most}`;
    return rows.map(
      ({ subject, from_address: from, html, whole_text, attachments, automatic, ...message }) => ({
        ...message,
        content: { subject, from, html, whole_text, attachments, automatic },
      }),
    );
  };
