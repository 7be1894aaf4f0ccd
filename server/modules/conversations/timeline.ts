import type { Queryable } from '../../database/connection.ts';
import { openedCall } from '../../engine/messages/calls.ts';
import { type FoundMessage, foundColumns } from '../../engine/messages/search.ts';
import { displayNumber } from '../../kit/numbers/phone-numbers.ts';
import { type Entry, readEntries } from './entries.ts';
import { findConversation } from './list.ts';
import type { Conversation } from './rows.ts';

/*
 * Messages between a client and a sender of the account. Each channel reads its incoming messages (`received` of its module). Ids
 * are ordered by time, so a page is merged from the newest rows of each channel.
 */

/** An incoming message, or an echo, written on the phone of the business number. */
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
  /** Raw bytes of an SMS or email with unreadable text, truncated if long. */
  readonly octets: Buffer | null;
  readonly text_removed: boolean | null;
}

/** A sent message; `shared` is the payload of its shipment. */
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

/** Which messages of a client to a sender are read: the newest before an id. */
export interface ReceivedQuery extends Pick<Conversation, 'sender' | 'client'> {
  readonly accountId: number;
  readonly before: number;
  readonly most: number;
}

/** Reads what came in over a channel, the newest first. */
export type ReadReceived = (query: ReceivedQuery) => Promise<readonly ReceivedMessage[]>;

/**
 * A page of the timeline of a conversation, the newest first.
 *
 * @param received of every channel
 * @param before an id that all of the page are before
 * @param most items of the page, at most
 */
export async function readTimeline(
  sql: Queryable,
  received: readonly ReadReceived[],
  accountId: number,
  { id, sender, client }: Pick<Conversation, 'id' | 'sender' | 'client'>,
  before: number,
  most: number,
): Promise<TimelineItem[]> {
  const query = { accountId, sender, client, before, most };
  const [came, sent, entries] = await Promise.all([
    Promise.all(received.map((read) => read(query))),
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
    ...came.flat().map((one) => ({ id: one.id, kind: 'received' as const, received: one })),
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

/** Returns the last sent messages of a conversation, oldest first; none for an unknown conversation. */
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
