import type { Sql } from '../database/connection.ts';
import { openedCall } from './calls.ts';

/*
 * What the recipient of a message gets, as a phone or mail program shows it. A channel whose messages are more than a
 * text reads it (`contentOf` in channels/module.ts).
 */

/** The top of a chat message or of a card: a text, or a link to media. */
export interface ChatHeaderView {
  readonly kind: 'text' | 'image' | 'video' | 'document';
  /** The text, or the link. */
  readonly value: string;
}

/** A button: `value` is the address, number or code; '' of a reply. */
export interface ChatButtonView {
  readonly kind: 'reply' | 'url' | 'call' | 'copy';
  readonly text: string;
  readonly value: string;
}

interface ChatCardView {
  readonly header: ChatHeaderView;
  readonly body: string;
  readonly buttons: readonly ChatButtonView[];
}

/** A file of a chat message. */
export interface ChatMediaView {
  /** Our id (media/). */
  readonly mediaId: number;
  readonly kind: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  /** Empty for none. */
  readonly fileName: string;
  readonly isVoice: boolean;
}

export interface ChatView {
  readonly kind: 'text' | 'template' | 'buttons' | 'carousel' | 'media';
  readonly media: ChatMediaView | null;
  readonly header: ChatHeaderView | null;
  readonly body: string;
  readonly footer: string;
  /** The name of a limited-time offer; '' for none. */
  readonly offer: string;
  readonly buttons: readonly ChatButtonView[];
  readonly cards: readonly ChatCardView[];
}

interface MailView {
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
}

/** What is said, how often, by whom and how fast. */
interface CallView {
  readonly text: string;
  readonly voice: 'ymMale' | 'ymFemale';
  readonly rate: number;
  readonly repeat: number;
}

export interface MessageContent {
  readonly text: string | null;
  readonly chat: ChatView | null;
  readonly mail: MailView | null;
  readonly call: CallView | null;
  /** Our id of the client's message that it quotes. */
  readonly replyTo: number | null;
  /** Whether it said something that is removed (retention/). */
  readonly isRemoved: boolean;
}

/** What is stored of a message, or of a shipment that has no message yet. */
export interface StoredContent {
  readonly channel: number;
  readonly shipmentId: number;
  /** Null when there is no message yet; `recipient` and `own`, too. */
  readonly messageId: number | null;
  readonly recipient: string | null;
  readonly source: string | null;
  /** `messages.payload` and `shipments.payload`. */
  readonly own: string | null;
  readonly shared: string | null;
  /** `shipments.call`. */
  readonly call: object | null;
  readonly isRemoved: boolean;
}

/** Reads what the recipient of a message gets; of a shipment without messages, with fields by their names. */
export type ContentReader = (accountId: number, stored: StoredContent) => Promise<MessageContent>;

/** What a recipient did about a message, and when (milliseconds since the epoch). */
export interface Reaction {
  readonly kind: 'complained' | 'unsubscribed';
  readonly at: number;
}

export const nothing: MessageContent = {
  text: null,
  chat: null,
  mail: null,
  call: null,
  replyTo: null,
  isRemoved: false,
};

/** First messages of a shipment among which one is looked for that was not refused. */
const LOOKED_AT = 20;

/** What is stored of a message of an account; undefined when there is none. */
export async function storedContentOf(
  sql: Sql,
  accountId: number,
  messageId: number,
): Promise<StoredContent | undefined> {
  const [message] = await sql<MessageRow[]>`
    SELECT id AS "messageId", shipment_id AS "shipmentId", channel, recipient, source, payload AS own, text_removed FROM messages
    WHERE account_id = ${accountId} AND id = ${messageId}`;
  if (!message) return undefined;
  const [shipment] = await sql<SharedColumns[]>`
    SELECT payload AS shared, call, text_removed FROM shipments
    WHERE account_id = ${accountId} AND id = ${message.shipmentId}`;
  return withShared(message, shipment ?? { shared: null, call: null, text_removed: null });
}

/** What is stored of the first message of a shipment that was not refused; of the shipment when it has none. */
export async function storedContentOfFirst(
  sql: Sql,
  accountId: number,
  shipmentId: number,
): Promise<StoredContent | undefined> {
  const [shipment] = await sql<ShipmentColumns[]>`
    SELECT channel, payload AS shared, call, text_removed, first_id, last_id FROM shipments
    WHERE account_id = ${accountId} AND id = ${shipmentId}`;
  if (!shipment) return undefined;
  const { first_id, last_id, channel, shared: payload, call, text_removed } = shipment;
  const shared = { shared: payload, call, text_removed };
  const rows = await sql<(MessageRow & { final_at: number | null; handed_at: number | null })[]>`
    SELECT id AS "messageId", shipment_id AS "shipmentId", channel, recipient, source, payload AS own, text_removed,
      final_at, handed_at
    FROM messages
    WHERE account_id = ${accountId} AND id >= ${first_id} AND id <= ${last_id} AND shipment_id = ${shipmentId}
    ORDER BY id LIMIT ${LOOKED_AT}`;
  const found = rows.find(({ final_at, handed_at }) => final_at === null || handed_at !== null) ?? rows[0];
  if (!found) {
    const none = { messageId: null, recipient: null, source: null, own: null, text_removed: null };
    return withShared({ shipmentId, channel, ...none }, shared);
  }
  const { final_at: _, handed_at: __, ...message } = found;
  return withShared(message, shared);
}

/** A message with what it shares with others of its shipment: one of them has its text, or had it. */
function withShared(
  { text_removed: isOwnRemoved, ...message }: MessageRow,
  { text_removed: isSharedRemoved, ...shared }: SharedColumns,
): StoredContent {
  // A sealed text whose key is lost is empty.
  const isLost = (message.own ?? shared.shared) === '';
  const isRemoved = isLost || isOwnRemoved === true || (message.own === null && isSharedRemoved === true);
  return { ...message, ...shared, call: openedCall(shared.call), isRemoved };
}

interface Removal {
  readonly text_removed: boolean | null;
}
type MessageRow = Omit<StoredContent, 'shared' | 'call' | 'isRemoved'> & Removal;
type SharedColumns = Pick<StoredContent, 'shared' | 'call'> & Removal;
type ShipmentColumns = SharedColumns &
  Pick<StoredContent, 'channel'> & {
    readonly first_id: number;
    readonly last_id: number;
  };
