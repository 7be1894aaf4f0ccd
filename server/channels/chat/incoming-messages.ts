import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor } from '../../kit/ids.ts';
import type { Conversations } from '../../modules/conversations/conversations.ts';
import type { Media } from '../../modules/media/media.ts';
import type { EchoFact, MessageFact } from '../../protocols/chat-platform/facts.ts';
import type { IncomingContent, IncomingType } from '../../protocols/chat-platform/incoming-content.ts';
import type { JsonObject } from '../../protocols/chat-platform/json.ts';
import { normaliseId } from '../../protocols/smpp/message-id.ts';
import type { ChatNumber, ChatNumbers } from './business-numbers.ts';
import { chatChannel } from './channel.ts';
import { clientOf, rememberNumber } from './clients.ts';
import { MEDIA_ORIGIN } from './media-fetch.ts';
import type { OptOuts } from './opt-outs.ts';
import { chatRoute } from './statuses.ts';
import { clientWrote } from './windows.ts';

/** Milliseconds for which messages can be found when they are quoted or their buttons pressed. */
const LOOK_BACK = 30 * 86_400_000;

interface IncomingMessagesDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly events: Events;
  readonly numbers: ChatNumbers;
  readonly conversations: Conversations;
  readonly optOuts: Pick<OptOuts, 'reveal'>;
  readonly media: Pick<Media, 'expect'>;
}

/** Stores messages of clients to business numbers, each once. */
export class IncomingMessages {
  readonly #deps: IncomingMessagesDeps;

  constructor(deps: IncomingMessagesDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a message with its conversation (the business number and the client), opens the client's window if they
   * wrote it, and records its event, in one transaction. A known message changes nothing. An echo opens no window and
   * records no event.
   */
  async store(fact: MessageFact | EchoFact): Promise<void> {
    const number = await this.#deps.numbers.byPlatformId(fact.phoneNumberId);
    if (!number) {
      this.#deps.log.warn('chat message to an unknown business number ignored');
      return;
    }
    await this.#deps.sql.begin((tx) => this.#insert(tx, number, fact));
    this.#deps.conversations.announce(number.accountId);
  }

  async #insert(tx: TransactionSql, number: ChatNumber, fact: MessageFact | EchoFact): Promise<void> {
    const { ids, clock, events, conversations } = this.#deps;
    const { accountId, phone } = number;
    const now = clock.now();
    const id = ids.next();
    const fresh = await tx`
      INSERT INTO chat_received (account_id, platform_id, at, message_id)
      VALUES (${accountId}, ${fact.platformId}, ${now}, ${id})
      ON CONFLICT DO NOTHING RETURNING platform_id`;
    if (fresh.length === 0) return;
    const { type, body, buttonId, card, about } = fact.content;
    const client = await this.#clientOf(tx, accountId, fact);
    const isEcho = fact.kind === 'echo';
    const replyTo = fact.replyTo === '' ? null : await findSent(tx, number, fact.replyTo, now);
    const aboutId = about === '' ? null : await this.#findAny(tx, number, about);
    // The platform's clock may be ahead; a time in the future would count later templates as answered.
    const isWritten = !isEcho && !NOT_WRITTEN.has(type);
    if (isWritten) await clientWrote(tx, accountId, phone, client, Math.min(fact.at, now));
    const told = await this.#withMedia(tx, number, fact.content);
    const content = told || fact.origin ? { ...told, ...fact.origin } : null;
    const kept = tx.keptText(accountId, body);
    // Without an id from its author, a template's button sends its text.
    const keptButton = buttonId === null ? null : tx.keptText(accountId, buttonId);
    const keptContent = kept === null || content === null ? null : tx.waitingJson(accountId, content);
    await tx`
      INSERT INTO chat_incoming (account_id, id, number, client, type, body, button_id, card, reply_to, platform_id,
        client_name, client_user_id, client_username, content, media_id, about_id, is_echo, text_removed)
      VALUES (${accountId}, ${id}, ${phone}, ${client}, ${type}, ${kept ?? ''}, ${keptButton}, ${card}, ${replyTo},
        ${fact.platformId}, ${fact.name}, ${fact.userId}, ${fact.username},
        ${keptContent}, ${told?.media_id === undefined ? null : Number(told.media_id)}, ${aboutId}, ${isEcho}, ${kept === null ? true : null})`;
    const said = { channel: chatChannel.id, sender: phone, client, messageId: id, type, text: body, isEcho };
    if (isEcho) return conversations.received(tx, accountId, { ...said, name: '', isWritten });
    const common = {
      message_id: id,
      from: client,
      to: phone,
      body,
      reply_to: replyTo,
      user_id: fact.userId || null,
      name: fact.name,
      content,
    };
    await events.record(tx, accountId, [
      type === 'button'
        ? { type: 'chat.button', at: now, data: { ...common, type, button_id: buttonId ?? '', card } }
        : { type: 'chat.message', at: now, data: { ...common, type, about_id: aboutId } },
    ]);
    await conversations.received(tx, accountId, { ...said, name: fact.name, isWritten });
  }

  /** Returns the details of a message, with our id of its file, whose download begins. */
  async #withMedia(
    tx: TransactionSql,
    { accountId, phone }: ChatNumber,
    { media, details }: IncomingContent,
  ): Promise<JsonObject | null> {
    if (!media) return details;
    const from = { origin: MEDIA_ORIGIN, number: phone, id: media.id };
    const id = await this.#deps.media.expect(tx, accountId, { ...media, from });
    return { media_id: String(id), ...details };
  }

  /** Returns the author: the number, also a stored one that is hidden now; otherwise the platform's id. */
  async #clientOf(
    tx: TransactionSql,
    accountId: number,
    { from, userId }: MessageFact | EchoFact,
  ): Promise<string> {
    if (from === '') return clientOf(tx, accountId, userId);
    if (userId !== '') {
      const isNew = await rememberNumber(tx, accountId, userId, from);
      if (isNew) await this.#deps.optOuts.reveal(tx, accountId, userId, from);
    }
    return from;
  }

  /** Returns our id of a sent or received message. */
  async #findAny(tx: TransactionSql, number: ChatNumber, platformId: string): Promise<number | null> {
    const [row] = await tx<{ message_id: number | null }[]>`
      SELECT message_id FROM chat_received
      WHERE account_id = ${number.accountId} AND platform_id = ${platformId}`;
    return row?.message_id ?? findSent(tx, number, platformId, this.#deps.clock.now());
  }
}

/**
 * Types that do not open the window: `system` reports a changed number, `unsupported` a content that the platform does
 * not pass on, and the others change an existing message.
 */
const NOT_WRITTEN: ReadonlySet<IncomingType> = new Set([
  'system',
  'unsupported',
  'reaction',
  'edited',
  'deleted',
]);

/** Returns our id of a sent message by the platform's; null if it is no longer known. */
export async function findSent(
  sql: Queryable,
  { accountId, phone }: Pick<ChatNumber, 'accountId' | 'phone'>,
  platformId: string,
  now: number,
): Promise<number | null> {
  const [row] = await sql<{ message_id: number }[]>`
    SELECT message_id FROM carrier_messages
    WHERE carrier_id = ${normaliseId(platformId)} AND link = ${chatRoute(phone)} AND account_id = ${accountId}
      AND message_id >= ${idFloor(now - LOOK_BACK)}
    LIMIT 1`;
  return row?.message_id ?? null;
}
