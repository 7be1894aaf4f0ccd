import type { Sql } from '../../database/connection.ts';
import { openedCall } from './calls.ts';

/*
 * Content of a message as a phone or mail program shows it. Channels with more than a text parse it themselves
 * (`contentOf` in channels/module.ts).
 */

/** Header of a chat message or of a card: a text, or a link to media. */
export interface ChatHeaderView {
  readonly kind: 'text' | 'image' | 'video' | 'document';
  /** Text or link. */
  readonly value: string;
}

/** A button. `value` is the address, number or code; '' for a reply button. */
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
  /** Our media id (media/). */
  readonly mediaId: number;
  readonly kind: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  /** May be empty. */
  readonly fileName: string;
  readonly isVoice: boolean;
}

export interface ChatView {
  readonly kind: 'text' | 'template' | 'buttons' | 'carousel' | 'media';
  readonly media: ChatMediaView | null;
  readonly header: ChatHeaderView | null;
  readonly body: string;
  readonly footer: string;
  /** Name of a limited-time offer; '' without an offer. */
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

/** Text, voice, rate and repetitions of a call. */
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
  /** Our id of the client's message that this one quotes. */
  readonly replyTo: number | null;
  /** Whether its content was removed (retention/). */
  readonly isRemoved: boolean;
}

/** Stored content of a message, or of a shipment without messages. */
export interface StoredContent {
  readonly channel: number;
  readonly shipmentId: number;
  /** Null, like `recipient` and `own`, for a shipment without messages. */
  readonly messageId: number | null;
  readonly recipient: string | null;
  readonly source: string | null;
  /** Values of `messages.payload` and `shipments.payload`. */
  readonly own: string | null;
  readonly shared: string | null;
  /** Value of `shipments.call`. */
  readonly call: object | null;
  readonly isRemoved: boolean;
}

/** Returns the content for the recipient of a message. For a shipment without messages, fields appear by name. */
export type ContentReader = (accountId: number, stored: StoredContent) => Promise<MessageContent>;

/** Stored text of a message in a list. */
export interface ListedText {
  readonly id: number;
  readonly shipmentId: number;
  readonly source: string;
  /** Values of `messages.payload` and `shipments.payload`. */
  readonly own: string | null;
  readonly shared: string | null;
}

/**
 * Returns what recipients read of messages of a channel, by message id: for a template its text with the values, for an
 * email its subject. Messages whose stored text is all that they show are missing.
 */
export type TextsReader = (
  accountId: number,
  messages: readonly ListedText[],
) => Promise<ReadonlyMap<number, string>>;

/** A recipient's reaction to a message, and its time (milliseconds since the epoch). */
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

/** Number of first messages of a shipment that are searched for one that was not rejected. */
const LOOKED_AT = 20;

/** Returns the stored content of a message; undefined when the account has no such message. */
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

/**
 * Returns the stored content of the first message of a shipment that was not rejected, or of the shipment when it has
 * no messages.
 */
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

/** Combines a message with the content of its shipment: one of them has, or had, its text. */
function withShared(
  { text_removed: isOwnRemoved, ...message }: MessageRow,
  { text_removed: isSharedRemoved, ...shared }: SharedColumns,
): StoredContent {
  // A sealed text is empty when its key is lost.
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
