import type { Queryable } from '../database/connection.ts';
import { openedCall } from '../messages/calls.ts';
import { type FoundMessage, foundColumns } from '../messages/search.ts';
import { displayNumber } from '../numbers/numbers.ts';
import { type Entry, readEntries } from './entries.ts';
import { findConversation } from './list.ts';
import type { Conversation } from './rows.ts';

/*
 * What was said between a client and a sender of ours, from the tables of each channel: ids are ordered by time, so a page is
 * merged of the newest rows of each.
 */

/** A message that came in; or an echo, which was written on the phone of the business number. */
export interface ReceivedMessage {
  readonly id: number;
  readonly channel: number;
  readonly type: string;
  readonly text: string;
  readonly button_id: string | null;
  readonly reply_to: number | null;
  readonly about_id: number | null;
  readonly content: Readonly<Record<string, unknown>> | null;
  readonly is_echo: boolean;
  /** Of an SMS or mail that cannot be read: its bytes, the first of a long one. */
  readonly octets: Buffer | null;
  readonly text_removed: boolean | null;
}

/** Of a mail that cannot be read, so many bytes are shown. */
const MAX_OCTETS = 2_000;

/** A message that went out; `shared` is the payload of its shipment. */
export type SentMessage = FoundMessage & {
  readonly shared: string | null;
  readonly shared_removed: boolean | null;
  readonly call: object | null;
};

export type TimelineItem = { readonly id: number } & (
  | { readonly kind: 'received'; readonly received: ReceivedMessage }
  | { readonly kind: 'sent'; readonly sent: SentMessage; readonly entry: Entry | null }
  | { readonly kind: 'entry'; readonly entry: Entry }
);

/** Ids of the channels whose incoming messages are read. */
export interface TimelineChannels {
  readonly text: number;
  readonly chat: number;
  readonly mail: number;
}

/**
 * A page of the timeline of a conversation, the newest first.
 *
 * @param before an id that all of the page are before
 * @param most items of the page, at most
 */
export async function readTimeline(
  sql: Queryable,
  channels: TimelineChannels,
  accountId: number,
  { id, sender, client }: Pick<Conversation, 'id' | 'sender' | 'client'>,
  before: number,
  most: number,
): Promise<TimelineItem[]> {
  const [texts, chats, mails, sent, entries] = await Promise.all([
    sql<ReceivedMessage[]>`
      SELECT id, ${channels.text}::int AS channel, 'text' AS type, text, NULL AS button_id, NULL::bigint AS reply_to,
        NULL::bigint AS about_id, NULL::jsonb AS content, false AS is_echo, octets, text_removed
      FROM incoming
      WHERE account_id = ${accountId} AND source = ${client} AND destination = ${sender} AND id < ${before}
      ORDER BY id DESC LIMIT ${most}`,
    sql<ReceivedMessage[]>`
      SELECT id, ${channels.chat}::int AS channel, type, body AS text, button_id, reply_to, about_id, content, is_echo,
        NULL::bytea AS octets, text_removed
      FROM chat_incoming
      WHERE account_id = ${accountId} AND client = ${client} AND number = ${sender} AND id < ${before}
      ORDER BY id DESC LIMIT ${most}`,
    sql<MailRow[]>`
      SELECT id, ${channels.mail}::int AS channel, 'mail' AS type, body AS text, NULL AS button_id, message_id AS reply_to,
        NULL::bigint AS about_id, subject, from_address, html, text AS whole_text, attachments, automatic,
        false AS is_echo, substr(raw, 1, ${MAX_OCTETS}) AS octets, text_removed
      FROM mail_incoming
      WHERE account_id = ${accountId} AND client = ${client} AND sender = ${sender} AND id < ${before}
      ORDER BY id DESC LIMIT ${most}`,
    sql<SentMessage[]>`
      SELECT ${foundColumns(sql)}, s.payload AS shared, s.text_removed AS shared_removed, s.call
      FROM (
        SELECT * FROM messages
        WHERE account_id = ${accountId} AND recipient = ${client} AND id < ${before}
          AND source IN (${sender}, ${displayNumber(sender)})
        ORDER BY id DESC LIMIT ${most}
      ) m
      LEFT JOIN shipments s ON s.account_id = ${accountId} AND s.id = m.shipment_id
      ORDER BY m.id DESC`,
    readEntries(sql, accountId, id, before, most),
  ]);
  const replies = new Map(entries.flatMap((entry) => (entry.kind === 'reply' ? [[entry.id, entry]] : [])));
  const items: TimelineItem[] = [
    ...[...texts, ...chats, ...mails.map(receivedMail)].map((received) => ({
      id: received.id,
      kind: 'received' as const,
      received,
    })),
    ...sent.map((message) => ({
      id: message.id,
      kind: 'sent' as const,
      sent: { ...message, call: openedCall(message.call) },
      entry: replies.get(message.id) ?? null,
    })),
    ...entries.flatMap((entry) =>
      entry.kind === 'reply' ? [] : [{ id: entry.id, kind: 'entry' as const, entry }],
    ),
  ];
  return items.sort((one, other) => other.id - one.id).slice(0, most);
}

type MailRow = Omit<ReceivedMessage, 'content'> & {
  readonly subject: string;
  readonly from_address: string;
  readonly html: string | null;
  readonly whole_text: string | null;
  readonly attachments: readonly string[];
  readonly automatic: string | null;
};

/** A mail that came in, with what its text does not say. */
const receivedMail = ({
  subject,
  from_address: from,
  html,
  whole_text,
  attachments,
  automatic,
  ...message
}: MailRow): ReceivedMessage => ({
  ...message,
  content: { subject, from, html, whole_text, attachments, automatic },
});

/** The last messages that were sent in a conversation, the oldest first; none for a conversation that there is not. */
export async function lastSent(
  sql: Queryable,
  accountId: number,
  id: number,
  most: number,
): Promise<FoundMessage[]> {
  const conversation = await findConversation(sql, accountId, id);
  if (!conversation) return [];
  const { sender, client } = conversation;
  const rows = await sql<FoundMessage[]>`
    SELECT ${foundColumns(sql)} FROM messages m
    WHERE account_id = ${accountId} AND recipient = ${client} AND source IN (${sender}, ${displayNumber(sender)})
    ORDER BY id DESC LIMIT ${most}`;
  return rows.reverse();
}
