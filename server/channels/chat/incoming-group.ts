import { accountsOf } from '../../database/arrays.ts';
import { bigints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Event } from '../../engine/events/types.ts';
import type { Context } from '../../kit/context.ts';
import type { Conversations } from '../../modules/conversations/conversations.ts';
import type { Media } from '../../modules/media/media.ts';
import type { EchoFact, MessageFact } from '../../protocols/chat-platform/facts.ts';
import type { IncomingType } from '../../protocols/chat-platform/incoming-content.ts';
import type { JsonObject } from '../../protocols/chat-platform/json.ts';
import type { ChatNumber } from './business-numbers.ts';
import { chatChannel } from './channel.ts';
import { numbersOf, rememberNumber } from './clients.ts';
import { MEDIA_ORIGIN } from './media-fetch.ts';
import type { OptOuts } from './opt-outs.ts';
import { findReceived, findSent, findSentEach } from './quotes.ts';
import { clientsWrote } from './windows.ts';

export interface IncomingGroupDeps extends Pick<Context, 'ids' | 'clock'> {
  readonly conversations: Conversations;
  readonly optOuts: Pick<OptOuts, 'reveal'>;
  readonly media: Pick<Media, 'expect'>;
}

/** A message of a client, or one that the business wrote on its phone. */
export interface IncomingChat {
  readonly number: ChatNumber;
  readonly fact: MessageFact | EchoFact;
}

/** A message with its id. */
interface Numbered extends IncomingChat {
  readonly accountId: number;
  readonly id: number;
}

/** A message that is stored now. */
interface Stored extends Numbered {
  /** E.164 digits, or the platform's id of a client who hides the number. */
  readonly client: string;
  readonly isEcho: boolean;
  /** Whether the client wrote it, which opens the window and the conversation. */
  readonly isWritten: boolean;
  /** Our ids of the quoted message, and of the message that it is about. */
  readonly replyTo: number | null;
  readonly aboutId: number | null;
  readonly content: JsonObject | null;
  readonly mediaId: number | null;
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

/**
 * Stores messages of accounts of one placement in their order, each once, with their windows, conversations and events,
 * in statements that all of them share. Known messages change nothing. An echo opens no window and records no event.
 */
export async function storeIncoming(
  tx: TransactionSql,
  deps: IncomingGroupDeps,
  chats: readonly IncomingChat[],
): Promise<void> {
  const now = deps.clock.now();
  const numbered = chats.map(
    (chat): Numbered => ({ ...chat, accountId: chat.number.accountId, id: deps.ids.next() }),
  );
  const fresh = await insertReceived(tx, numbered, now);
  if (fresh.length === 0) return;
  const stored = await prepare(tx, deps, fresh, now);
  const written = stored
    .filter(({ isWritten }) => isWritten)
    .map(({ accountId, number, client, fact }) => ({
      ...{ accountId, number: number.phone, client },
      // The platform's clock may be ahead; a time in the future would count later templates as answered.
      at: Math.min(fact.at, now),
    }));
  await Promise.all([clientsWrote(tx, written), insertIncoming(tx, stored)]);
  await deps.conversations.receivedEach(
    tx,
    stored.map((one) => ({
      accountId: one.accountId,
      event: one.isEcho ? undefined : eventOf(one, now),
      received: {
        ...{ channel: chatChannel.id, sender: one.number.phone, client: one.client, messageId: one.id },
        ...{ type: one.fact.content.type, text: one.fact.content.body },
        ...{ name: one.isEcho ? '' : one.fact.name, isWritten: one.isWritten, isEcho: one.isEcho },
      },
    })),
  );
}

/** Stores the platform's ids. Returns the messages whose id was unknown. */
async function insertReceived(
  tx: TransactionSql,
  chats: readonly Numbered[],
  now: number,
): Promise<readonly Numbered[]> {
  // In one order in all processes, since a repeated webhook may arrive at several of them.
  const rows = await tx<{ message_id: number }[]>`
    INSERT INTO chat_received (account_id, platform_id, at, message_id)
    SELECT w.account_id, u.platform_id, ${now}::bigint, u.id
    FROM wallets w, unnest(
      ${bigints(chats.map(({ accountId }) => accountId))}::bigint[],
      ${textArray(chats.map(({ fact }) => fact.platformId))}::text[], ${bigints(chats.map(({ id }) => id))}::bigint[]
    ) AS u (account_id, platform_id, id)
    WHERE w.account_id = u.account_id AND w.account_id = ANY(${accountsOf(chats)}::bigint[])
    ORDER BY u.account_id, u.platform_id, u.id
    ON CONFLICT DO NOTHING RETURNING message_id`;
  if (rows.length === chats.length) return chats;
  const fresh = new Set(rows.map((row) => row.message_id));
  return chats.filter(({ id }) => fresh.has(id));
}

/** Looks up what messages refer to, and expects their files. */
async function prepare(
  tx: TransactionSql,
  deps: IncomingGroupDeps,
  chats: readonly Numbered[],
  now: number,
): Promise<Stored[]> {
  const clients = await clientsOf(tx, deps, chats);
  const [replies, abouts, contents] = await Promise.all([
    findSentEach(
      tx,
      chats.map(({ number, fact }) => ({ ...number, platformId: fact.replyTo })),
      now,
    ),
    Promise.all(chats.map((chat) => findAbout(tx, chat, now))),
    Promise.all(chats.map((chat) => contentOf(tx, deps, chat))),
  ]);
  return chats.map((chat, index): Stored => {
    const isEcho = chat.fact.kind === 'echo';
    return {
      ...chat,
      client: clients[index]!,
      isEcho,
      isWritten: !isEcho && !NOT_WRITTEN.has(chat.fact.content.type),
      replyTo: replies[index]!,
      aboutId: abouts[index]!,
      ...contents[index]!,
    };
  });
}

/**
 * Returns the author of each message: the number, also a stored one that is hidden now; otherwise the platform's id.
 * Stores numbers that become known.
 */
async function clientsOf(
  tx: TransactionSql,
  { optOuts }: IncomingGroupDeps,
  chats: readonly Numbered[],
): Promise<string[]> {
  const known = await numbersOf(
    tx,
    chats
      .filter(({ fact }) => fact.userId !== '')
      .map(({ accountId, fact }) => ({ accountId, userId: fact.userId })),
  );
  const revealed: { accountId: number; userId: string; phone: string }[] = [];
  const clients = chats.map(({ accountId, fact: { from: phone, userId } }) => {
    if (userId === '') return phone;
    const key = `${accountId} ${userId}`;
    if (phone === '') return known.get(key) ?? userId;
    if (known.get(key) !== phone) revealed.push({ accountId, userId, phone });
    known.set(key, phone);
    return phone;
  });
  // All processes lock clients in this order. The messages of one client keep their order.
  revealed.sort(
    (a, b) => a.accountId - b.accountId || (a.userId < b.userId ? -1 : Number(a.userId > b.userId)),
  );
  await Promise.all(
    revealed.map(async ({ accountId, userId, phone }) => {
      const isNew = await rememberNumber(tx, accountId, userId, phone);
      if (isNew) await optOuts.reveal(tx, accountId, userId, phone);
    }),
  );
  return clients;
}

/** Returns our id of the sent or received message that a message is about; null if it is not stored. */
async function findAbout(
  tx: TransactionSql,
  { accountId, number, fact }: Numbered,
  now: number,
): Promise<number | null> {
  const { about } = fact.content;
  if (about === '') return null;
  return (await findReceived(tx, accountId, about)) ?? findSent(tx, number, about, now);
}

/** Returns the details of a message, and our id of its file, whose download begins. */
async function contentOf(
  tx: TransactionSql,
  deps: IncomingGroupDeps,
  { accountId, number, fact: { content, origin } }: Numbered,
): Promise<Pick<Stored, 'content' | 'mediaId'>> {
  const { media, details } = content;
  if (!media) return { content: details || origin ? { ...details, ...origin } : null, mediaId: null };
  const from = { origin: MEDIA_ORIGIN, number: number.phone, id: media.id };
  const mediaId = await deps.media.expect(tx, accountId, { ...media, from });
  return { content: { media_id: String(mediaId), ...details, ...origin }, mediaId };
}

async function insertIncoming(tx: TransactionSql, stored: readonly Stored[]): Promise<void> {
  const bodies = stored.map(({ accountId, fact }) => tx.keptText(accountId, fact.content.body));
  // Without an id from its author, a template's button sends its text.
  const buttons = stored.map(({ accountId, fact: { content } }) =>
    content.buttonId === null ? null : tx.keptText(accountId, content.buttonId),
  );
  const contents = stored.map(({ accountId, content }, index) =>
    bodies[index] === null || content === null ? null : tx.waitingJson(accountId, content).text,
  );
  const { count } = await tx`
    INSERT INTO chat_incoming (account_id, id, number, client, type, body, button_id, card, reply_to, platform_id,
      client_name, client_user_id, client_username, content, media_id, about_id, is_echo, text_removed)
    SELECT w.account_id, u.id, u.number, u.client, u.type, u.body, u.button_id, u.card, u.reply_to, u.platform_id,
      u.client_name, u.client_user_id, u.client_username, u.content::jsonb, u.media_id, u.about_id, u.is_echo = 1,
      nullif(u.text_removed = 1, false)
    FROM wallets w, unnest(
      ${bigints(stored.map(({ accountId }) => accountId))}::bigint[], ${bigints(stored.map(({ id }) => id))}::bigint[],
      ${textArray(stored.map(({ number }) => number.phone))}::text[], ${textArray(stored.map(({ client }) => client))}::text[],
      ${textArray(stored.map(({ fact }) => fact.content.type))}::text[],
      ${textArray(bodies.map((body) => body ?? ''))}::text[], ${textArray(buttons)}::text[],
      ${smallints(stored.map(({ fact }) => fact.content.card))}::smallint[],
      ${bigints(stored.map(({ replyTo }) => replyTo))}::bigint[],
      ${textArray(stored.map(({ fact }) => fact.platformId))}::text[], ${textArray(stored.map(({ fact }) => fact.name))}::text[],
      ${textArray(stored.map(({ fact }) => fact.userId))}::text[], ${textArray(stored.map(({ fact }) => fact.username))}::text[],
      ${textArray(contents)}::text[], ${bigints(stored.map(({ mediaId }) => mediaId))}::bigint[],
      ${bigints(stored.map(({ aboutId }) => aboutId))}::bigint[],
      ${smallints(stored.map(({ isEcho }) => Number(isEcho)))}::smallint[],
      ${smallints(bodies.map((body) => Number(body === null)))}::smallint[]
    ) AS u (account_id, id, number, client, type, body, button_id, card, reply_to, platform_id, client_name, client_user_id,
      client_username, content, media_id, about_id, is_echo, text_removed)
    WHERE w.account_id = u.account_id AND w.account_id = ANY(${accountsOf(stored)}::bigint[])`;
  if (count !== stored.length) throw new Error('an account with a business number has no wallet');
}

function eventOf({ id, client, number, fact, replyTo, aboutId, content }: Stored, at: number): Event {
  const { type, body, buttonId, card } = fact.content;
  const common = {
    message_id: id,
    from: client,
    to: number.phone,
    body,
    reply_to: replyTo,
    user_id: fact.userId || null,
    name: fact.name,
    content,
  };
  return type === 'button'
    ? { type: 'chat.button', at, data: { ...common, type, button_id: buttonId ?? '', card } }
    : { type: 'chat.message', at, data: { ...common, type, about_id: aboutId } };
}
