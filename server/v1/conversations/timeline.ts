import { z } from 'zod';
import { TEXT_CHANNEL } from '../../channel-contract/channels.ts';
import { chatChannel } from '../../channels/chat/channel.ts';
import { mailChannel } from '../../channels/mail/channel.ts';
import type { Entry } from '../../conversations/entries.ts';
import type { Conversation } from '../../conversations/rows.ts';
import {
  type ReceivedMessage,
  readTimeline,
  type SentMessage,
  type TimelineItem,
} from '../../conversations/timeline.ts';
import type { Sql } from '../../database/connection.ts';
import { timeOfId } from '../../ids.ts';
import { iso, out } from '../../interfaces/openapi/out.ts';
import { answered } from '../../interfaces/openapi/shown.ts';
import { chatView, showChat } from '../../interfaces/v1/chat-view.ts';
import { sensitive } from '../../interfaces/v1/field-rights.ts';
import type { ContentReader } from '../../messages/message-content.ts';
import { channelName, channelNames, messageFields, showMessage, textRemoved } from '../messages/fields.ts';

/* The timeline of a conversation under /v1. */

const kinds = [
  'received',
  'echo',
  'sent',
  'note',
  'opened',
  'closed',
  'assigned',
  'unassigned',
  'labels',
  'rule',
] as const;

export const itemAnswer = z.object({
  id: out.id('Its id; of a message that of the message.', '1774337460000063'),
  at: out.time('When it happened'),
  kind: out.oneOf(
    kinds,
    '`received` from the client; `sent`; `echo`: written on the phone of the business number; the others are what people and rules did.',
    'received',
  ),
  by: out.maybeText('The person who did it; null for the client, a program and rules.', null),
  automatic: out.flag('Whether a rule or the away message wrote it.', false),
  rule_id: out.maybeId('The rule that did it.', null),
  channel: out.maybeOneOf(channelNames, 'The channel of a message.', 'chat'),
  type: out.maybeText('Of a message: `text`, or what it is, as events say it.', 'text'),
  text: sensitive(out.maybeText('Of a message or note.', 'Is it open today?'), 'conversation-text'),
  text_removed: textRemoved,
  unreadable: sensitive(
    out.maybeText('The bytes of an SMS or mail that cannot be read, in hexadecimal.', null),
    'conversation-text',
  ),
  content: sensitive(
    answered(
      z.record(z.string(), z.unknown()).nullable(),
      'What the text of a received message does not say: of chat as `chat.message` has it; of a mail `subject`, `from` (whom it says that it is from), `html`, `whole_text` (with what it quotes), names of `attachments`, and why it is taken for `automatic` (null: a person wrote it).',
      null,
    ),
    'conversation-text',
  ),
  chat: sensitive(
    chatView.nullable().describe('A sent chat message as the phone shows it.'),
    'conversation-text',
  ),
  reply_to: out.maybeId('The message that it answers or quotes.', null),
  about_id: out.maybeId('The message that it reacts to, edits or deletes.', null),
  message: z
    .object(messageFields)
    .nullable()
    .describe('Of one that was sent: its state, price and why it failed.'),
  assignee: out.maybeText('Who was assigned.', null),
  labels_added: answered(z.array(z.string()), 'Ids of labels that were added.', []),
  labels_removed: answered(z.array(z.string()), 'Ids of labels that were removed.', []),
  failed: out.maybeText('Why an automatic reply was not sent, in a word.', null),
});
type Item = z.output<typeof itemAnswer>;

/** A page of the timeline of a conversation, the newest first; `before` is an id that all of it are before. */
export async function timelinePage(
  sql: Sql,
  accountId: number,
  conversation: Conversation,
  before: number | undefined,
  most: number,
): Promise<TimelineItem[]> {
  const channels = { text: TEXT_CHANNEL, chat: chatChannel.id, mail: mailChannel.id };
  return readTimeline(sql, channels, accountId, conversation, before ?? Number.MAX_SAFE_INTEGER, most);
}

/** Shows an item, with what the client sees of a sent message. */
export async function showItem(
  contentOf: ContentReader,
  accountId: number,
  item: TimelineItem,
): Promise<Item> {
  switch (item.kind) {
    case 'received':
      return showReceived(item.received);
    case 'sent':
      return showSent(contentOf, accountId, item.sent, item.entry);
    case 'entry':
      return showEntry(item.entry);
  }
}

const itemOf = (id: number, kind: Item['kind'], more: Partial<Item>): Item => ({
  id: String(id),
  at: iso(timeOfId(id)),
  kind,
  by: null,
  automatic: false,
  rule_id: null,
  channel: null,
  type: null,
  text: null,
  text_removed: false,
  unreadable: null,
  content: null,
  chat: null,
  reply_to: null,
  about_id: null,
  message: null,
  assignee: null,
  labels_added: [],
  labels_removed: [],
  failed: null,
  ...more,
});

const maybeId = (id: number | null) => (id === null ? null : String(id));

function showReceived(message: ReceivedMessage): Item {
  const { id, channel, type, text, content, octets, is_echo: isEcho } = message;
  const isRemoved = message.text_removed === true;
  return itemOf(id, isEcho ? 'echo' : 'received', {
    channel: channelName(channel),
    type,
    text: isRemoved ? null : text,
    text_removed: isRemoved,
    unreadable: octets?.toString('hex') ?? null,
    content: content && !isRemoved ? { ...content } : null,
    reply_to: maybeId(message.reply_to),
    about_id: maybeId(message.about_id),
  });
}

async function showSent(
  contentOf: ContentReader,
  accountId: number,
  sent: SentMessage,
  entry: Entry | null,
): Promise<Item> {
  const { shared, shared_removed, call, ...message } = sent;
  const isRemoved = message.text_removed === true || (message.payload === null && shared_removed === true);
  const { text, chat, mail, replyTo } = await contentOf(accountId, {
    channel: message.channel,
    shipmentId: message.shipment_id,
    messageId: message.id,
    recipient: message.recipient,
    source: message.source,
    own: message.payload,
    shared,
    call,
    isRemoved,
  });
  return itemOf(message.id, 'sent', {
    by: entry?.person_name ?? null,
    automatic: entry?.details?.automatic === true,
    rule_id: maybeId(entry?.rule_id ?? null),
    channel: channelName(message.channel),
    type: chat?.kind ?? (mail ? 'mail' : 'text'),
    text: text ?? mail?.text ?? mail?.subject ?? null,
    text_removed: isRemoved,
    chat: chat && showChat(chat),
    reply_to: maybeId(replyTo),
    message: showMessage(message),
  });
}

function showEntry({ id, kind, person_name: by, rule_id: ruleId, text, details }: Entry): Item {
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  const word = (value: unknown) => (typeof value === 'string' ? value : null);
  return itemOf(id, kind as Exclude<typeof kind, 'reply'>, {
    by,
    rule_id: maybeId(ruleId),
    text,
    assignee: word(details?.assignee),
    labels_added: list(details?.added),
    labels_removed: list(details?.removed),
    failed: word(details?.failed),
  });
}
