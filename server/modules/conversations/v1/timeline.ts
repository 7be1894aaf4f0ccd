import { z } from 'zod';
import { iso, out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { chatView, showChat } from '../../../api/v1/chat-view.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import type { Sql } from '../../../database/connection.ts';
import type { ContentReader } from '../../../engine/messages/message-content.ts';
import {
  channelName,
  channelNames,
  messageFields,
  showMessage,
  textRemoved,
} from '../../../engine/messages/v1/fields.ts';
import { timeOfId } from '../../../kit/ids.ts';
import type { Entry } from '../entries.ts';
import type { Conversation } from '../rows.ts';
import {
  type ReadReceived,
  type ReceivedMessage,
  readTimeline,
  type SentMessage,
  type TimelineItem,
} from '../timeline.ts';

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
  id: out.id('Id of the entry; for a message, its id.', '1774337460000063'),
  at: out.time('Time of the entry'),
  kind: out.oneOf(
    kinds,
    'Kind of the entry: `received` from the client; `sent`; `echo`: written on the phone of the business number; the others are actions of people and rules.',
    'received',
  ),
  by: out.maybeText('Person who acted; null for the client, a program and rules.', null),
  automatic: out.flag('Whether a rule or the away message wrote it.', false),
  rule_id: out.maybeId('Id of the rule.', null),
  channel: out.maybeOneOf(channelNames, 'Channel of a message.', 'chat'),
  type: out.maybeText('Kind of a message: `text`, or another kind as in events.', 'text'),
  text: sensitive(out.maybeText('Text of a message or note.', 'Is it open today?'), 'conversation-text'),
  text_removed: textRemoved,
  unreadable: sensitive(
    out.maybeText('Bytes of an SMS or email that cannot be decoded, in hexadecimal.', null),
    'conversation-text',
  ),
  content: sensitive(
    answered(
      z.record(z.string(), z.unknown()).nullable(),
      'Details of a received message in addition to its text: for chat as in `chat.message`; for email `subject`, `from` (sender named in the email), `html`, `whole_text` (including quotes), names of `attachments`, and the reason why it is considered `automatic` (null: a person wrote it).',
      null,
    ),
    'conversation-text',
  ),
  chat: sensitive(
    chatView.nullable().describe('Sent chat message, as the phone shows it.'),
    'conversation-text',
  ),
  reply_to: out.maybeId('Id of the message that it answers or quotes.', null),
  about_id: out.maybeId('Id of the message to which it reacts, or that it edits or deletes.', null),
  message: z.object(messageFields).nullable().describe('State, price and failure of a sent message.'),
  assignee: out.maybeText('Name of the assigned person.', null),
  labels_added: answered(z.array(z.string()), 'Ids of added labels.', []),
  labels_removed: answered(z.array(z.string()), 'Ids of removed labels.', []),
  failed: out.maybeText('Error code of an automatic reply that was not sent.', null),
});
type Item = z.output<typeof itemAnswer>;

/** Returns a page of the timeline of a conversation, newest first; all items have ids below `before`. */
export async function timelinePage(
  { sql, received }: { readonly sql: Sql; readonly received: readonly ReadReceived[] },
  accountId: number,
  conversation: Conversation,
  before: number | undefined,
  most: number,
): Promise<TimelineItem[]> {
  return readTimeline(sql, received, accountId, conversation, before ?? Number.MAX_SAFE_INTEGER, most);
}

/** Formats an item, with the content that the client sees of a sent message. */
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
