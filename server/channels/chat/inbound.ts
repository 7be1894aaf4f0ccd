import type {
  IncomingContent,
  MessageFact,
  PlatformFact,
  StatusFact,
} from '../../carriers/chat-platform/webhooks.ts';
import { normaliseId } from '../../carriers/smpp/message-id.ts';
import type { Context } from '../../context.ts';
import { numbers as numberArray } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { DeliveryUpdate } from '../../dispatch/recorder.ts';
import type { Events } from '../../events/events.ts';
import type { Event } from '../../events/types.ts';
import { idFloor } from '../../ids.ts';
import { chatChannel } from './channel.ts';
import type { ChatNumber, ChatNumbers } from './numbers.ts';
import { decodeReference, type Reference } from './references.ts';
import { chatRoute, chatStatus } from './statuses.ts';
import type { Templates } from './templates.ts';
import { clientWrote } from './windows.ts';

const DAY = 86_400_000;
/** How long a message may be quoted, or its buttons pressed, to be found. */
const LOOK_BACK = 30 * DAY;
/** How long what came in is known, so that it is not taken twice. */
const KNOWN_FOR = 30 * DAY;

/** Pauses before a status without our reference is looked up again; then it is given up. */
const EARLY_PAUSES = [1, 2, 5, 15, 60, 300, 1_800].map((seconds) => seconds * 1_000);
const EARLY_AT_ONCE = 500;

interface ChatInboundDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly events: Events;
  /** Takes delivery updates of messages; `stored` is called after they were committed. */
  readonly recorder: { add(update: DeliveryUpdate, stored: () => void): void };
  /** Called after a commit with the messages that were read. */
  readonly changed?: ((accountId: number, messageIds: Iterable<number>) => void) | undefined;
  readonly numbers: ChatNumbers;
  readonly templates: Pick<Templates, 'applyReview'>;
}

interface MessageRow {
  id: number;
  shipment_id: number;
  phone: string;
  source: string;
  handed_at: number | null;
  final_at: number | null;
  read_at: number | null;
}

type OurStatus = StatusFact & Reference;

/** Stores what the platform's webhooks bring: twice, in any order, and about messages of others. */
export class ChatInbound {
  readonly #deps: ChatInboundDeps;

  constructor(deps: ChatInboundDeps) {
    this.#deps = deps;
  }

  /**
   * Fulfilled when everything is stored: only then may the platform be told so. Throws when the database is away. What
   * can never be stored is left out, since the platform would bring it, and all that came with it, again and again.
   */
  async take(facts: readonly PlatformFact[]): Promise<void> {
    const statuses: StatusFact[] = [];
    for (const fact of facts) {
      if (fact.kind === 'status') statuses.push(fact);
      else await this.#storeOrLeaveOut(fact.kind, this.#other(fact));
    }
    if (statuses.length > 0) await this.#storeOrLeaveOut('status', this.#statuses(statuses));
  }

  async #storeOrLeaveOut(kind: PlatformFact['kind'], storing: Promise<void>): Promise<void> {
    try {
      await storing;
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      this.#deps.log.error(
        { err: error, kind },
        'what the chat platform told cannot be stored, it is left out',
      );
    }
  }

  async #other(fact: Exclude<PlatformFact, StatusFact>): Promise<void> {
    switch (fact.kind) {
      case 'message':
        return this.#message(fact);
      case 'template-status':
        return this.#deps.templates.applyReview(fact);
      case 'trouble':
        this.#deps.log.warn(
          { platformCode: fact.error.code, reason: fact.error.reason },
          'the chat platform reports a trouble with a business number',
        );
        return;
      default:
    }
  }

  /** Forgets the ids of what came in a month ago. Run every hour. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM chat_received WHERE at < ${clock.now() - KNOWN_FOR}`;
  }

  async #statuses(facts: readonly StatusFact[]): Promise<void> {
    const found = await this.#withReferences(facts);
    const early = facts.filter((fact, index) => !found[index] && fact.reference === '');
    await Promise.all([this.#apply(found.filter((fact) => fact !== undefined)), this.#keepEarly(early)]);
  }

  async #apply(ours: readonly OurStatus[]): Promise<void> {
    await Promise.all(
      [...Map.groupBy(ours, ({ accountId }) => accountId)].map(([accountId, mine]) =>
        this.#statusesOf(accountId, mine),
      ),
    );
  }

  /** Keeps statuses whose message is not known yet: the answer to its send may be on its way to the database. */
  async #keepEarly(facts: readonly StatusFact[]): Promise<void> {
    const { sql, ids, clock, numbers } = this.#deps;
    for (const fact of facts) {
      const number = await numbers.byPlatformId(fact.phoneNumberId);
      if (!number) continue;
      await sql`
        INSERT INTO chat_early_statuses (account_id, id, fact, next_at, attempt)
        VALUES (${number.accountId}, ${ids.next()}, ${JSON.stringify(fact)}, ${clock.now() + EARLY_PAUSES[0]!}, 0)`;
    }
  }

  /** Looks again for the messages of statuses that came before them, the oldest first. Run every second. */
  async retryEarly(): Promise<void> {
    const { sql, clock } = this.#deps;
    const rows = await sql<{ account_id: number; id: number; fact: string; attempt: number }[]>`
      SELECT account_id, id, fact, attempt FROM chat_early_statuses
      WHERE next_at <= ${clock.now()} ORDER BY next_at, id LIMIT ${EARLY_AT_ONCE}`;
    for (const { account_id: accountId, id, fact, attempt } of rows) {
      const [found] = await this.#withReferences([JSON.parse(fact) as StatusFact]);
      if (found) await this.#apply([found]);
      const pause = found ? undefined : EARLY_PAUSES[attempt + 1];
      // A status of a message that others have sent from this number is given up in the end.
      await (pause === undefined
        ? sql`DELETE FROM chat_early_statuses WHERE account_id = ${accountId} AND id = ${id}`
        : sql`
          UPDATE chat_early_statuses SET next_at = ${clock.now() + pause}, attempt = ${attempt + 1}
          WHERE account_id = ${accountId} AND id = ${id}`);
    }
  }

  /**
   * Whose message each status is about: by the reference that the send carried, otherwise by the platform's id, which
   * was stored with the answer to the send. Undefined for messages that are not ours.
   */
  #withReferences(facts: readonly StatusFact[]): Promise<(OurStatus | undefined)[]> {
    return Promise.all(
      facts.map(async (fact) => {
        const reference = decodeReference(fact.reference) ?? (await this.#byPlatformId(fact));
        return reference && { ...fact, ...reference };
      }),
    );
  }

  async #byPlatformId({ phoneNumberId, platformId }: StatusFact): Promise<Reference | undefined> {
    const { sql, numbers } = this.#deps;
    const number = await numbers.byPlatformId(phoneNumberId);
    const messageId = number && (await this.#sent(sql, number, platformId));
    return number && messageId ? { accountId: number.accountId, messageId } : undefined;
  }

  async #statusesOf(accountId: number, facts: readonly OurStatus[]): Promise<void> {
    const { sql, recorder } = this.#deps;
    const ids = [...new Set(facts.map(({ messageId }) => messageId))];
    const rows = await sql<MessageRow[]>`
      SELECT id, shipment_id, recipient AS phone, source, handed_at, final_at, read_at FROM messages
      WHERE account_id = ${accountId} AND id = ANY(${numberArray(ids)}::bigint[]) AND channel = ${chatChannel.id}`;
    const messages = new Map(rows.map((row) => [row.id, row]));
    const stored: Promise<void>[] = [];
    const read: MessageRow[] = [];
    for (const fact of facts) {
      const message = messages.get(fact.messageId);
      if (!message) continue;
      const update = updatesOf(accountId, message, fact);
      if (update) stored.push(new Promise((resolve) => recorder.add(update, resolve)));
      if (fact.status === 'read' && message.read_at === null) read.push(message);
    }
    await Promise.all(stored);
    if (read.length > 0) await this.#read(accountId, read);
  }

  async #read(accountId: number, messages: readonly MessageRow[]): Promise<void> {
    const { sql, events, clock } = this.#deps;
    const at = clock.now();
    const byId = new Map(messages.map((message) => [message.id, message]));
    const ids = [...byId.keys()];
    await sql.begin(async (tx) => {
      const rows = await tx<{ id: number }[]>`
        UPDATE messages SET read_at = ${at}
        WHERE account_id = ${accountId} AND id = ANY(${numberArray(ids)}::bigint[]) AND read_at IS NULL
          AND status = ${chatStatus.delivered}
        RETURNING id`;
      await events.record(
        tx,
        accountId,
        rows.map(({ id }): Event => {
          const { shipment_id, source, phone } = byId.get(id)!;
          const data = { message_id: id, shipment_id, from: source, to: phone, reason: null };
          return { type: 'chat.status', at, data: { ...data, status: 'read' } };
        }),
      );
    });
    this.#deps.changed?.(accountId, ids);
  }

  async #message(fact: MessageFact): Promise<void> {
    const number = await this.#deps.numbers.byPlatformId(fact.phoneNumberId);
    if (!number) {
      this.#deps.log.warn('a chat message to a business number that is not known was left out');
      return;
    }
    await this.#deps.sql.begin((tx) => this.#insert(tx, number, fact));
  }

  async #insert(tx: TransactionSql, number: ChatNumber, fact: MessageFact): Promise<void> {
    const { ids, clock, events } = this.#deps;
    const { accountId, phone } = number;
    const now = clock.now();
    const fresh = await tx`
      INSERT INTO chat_received (account_id, platform_id, at) VALUES (${accountId}, ${fact.platformId}, ${now})
      ON CONFLICT DO NOTHING RETURNING platform_id`;
    if (fresh.length === 0) return;
    const id = ids.next();
    const { type, body, buttonId, card } = shown(fact.content);
    const replyTo = fact.replyTo === '' ? null : await this.#sent(tx, number, fact.replyTo);
    // What came before it is not known better by a clock that is ahead.
    const hasNumber = fact.from !== '';
    if (hasNumber && isWritten(fact.content))
      await clientWrote(tx, accountId, phone, fact.from, Math.min(fact.at, now));
    await tx`
      INSERT INTO chat_incoming (account_id, id, number, client, type, body, button_id, card, reply_to, platform_id,
        client_name, client_user_id)
      VALUES (${accountId}, ${id}, ${phone}, ${hasNumber ? fact.from : fact.userId}, ${type}, ${body}, ${buttonId}, ${card}, ${replyTo},
        ${fact.platformId}, ${clean(fact.name)}, ${clean(fact.userId)})`;
    // Events name clients by their numbers, and nobody can answer a client without one yet.
    if (!hasNumber) return;
    const common = { message_id: id, from: fact.from, to: phone, body, reply_to: replyTo };
    await events.record(tx, accountId, [
      type === 'button'
        ? { type: 'chat.button', at: now, data: { ...common, type, button_id: buttonId ?? '', card } }
        : { type: 'chat.message', at: now, data: { ...common, type } },
    ]);
  }

  /** Our id of a message that went out, by the platform's; null when it is not known any more. */
  async #sent(sql: Queryable, number: ChatNumber, platformId: string): Promise<number | null> {
    const [row] = await sql<{ message_id: number }[]>`
      SELECT message_id FROM carrier_messages
      WHERE carrier_id = ${normaliseId(platformId)} AND link = ${chatRoute(number.phone)}
        AND account_id = ${number.accountId}
        AND message_id >= ${idFloor(this.#deps.clock.now() - LOOK_BACK)}
      LIMIT 1`;
    return row?.message_id ?? null;
  }
}

/** What a status says that is not stored yet. A status never goes backwards: the recorder leaves final ones alone. */
function updatesOf(accountId: number, message: MessageRow, fact: StatusFact): DeliveryUpdate | undefined {
  if (message.final_at !== null) return undefined;
  const { id: messageId, phone, source, shipment_id: shipmentId } = message;
  const of = { accountId, messageId, phone, shipmentId, channel: chatChannel.id, link: chatRoute(source) };
  // Its answer was lost, or is on its way to the database: the status is as good.
  const taken =
    message.handed_at === null ? { handedAt: fact.at, carrierKeys: [normaliseId(fact.platformId)] } : {};
  switch (fact.status) {
    case 'sent':
      return message.handed_at === null ? { ...of, ...taken } : undefined;
    case 'delivered':
    case 'read':
      return { ...of, ...taken, delivered: -1 };
    case 'failed':
      return {
        ...of,
        ...taken,
        failure: chatStatus.undelivered,
        code: fact.error?.reason ?? 'platform',
        refund: true,
      };
  }
}

const NOTICES: ReadonlySet<string> = new Set(['system', 'unsupported']);

/**
 * Whether a client wrote it, so that the 24-hour window opens. `system` tells of a changed number, `unsupported` of
 * something that the platform does not pass on.
 */
const isWritten = (content: IncomingContent): boolean =>
  content.kind !== 'other' || !NOTICES.has(content.type);

/** An incoming message in the words of events and of the handset. */
function shown(content: IncomingContent): {
  type: string;
  body: string;
  buttonId: string | null;
  card: number | null;
} {
  const plain = { buttonId: null, card: null };
  switch (content.kind) {
    case 'text':
      return { ...plain, type: 'text', body: clean(content.body) };
    case 'button':
      return { type: 'button', body: clean(content.body), buttonId: clean(content.id), card: content.card };
    case 'list':
      return { ...plain, type: 'list', body: clean(content.body), buttonId: clean(content.id) };
    case 'media':
      return { ...plain, type: content.type, body: clean(content.body) };
    case 'reaction':
      return { ...plain, type: 'reaction', body: clean(content.emoji) };
    case 'location':
      return { ...plain, type: 'location', body: `${content.latitude},${content.longitude}` };
    case 'other':
      return { ...plain, type: 'other', body: '' };
  }
}

/** PostgreSQL has no NUL in texts. */
const clean = (text: string) => text.replaceAll('\0', '');
