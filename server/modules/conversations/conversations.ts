import type { Query, Row, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { aboutConversation, type ChangeDeps, type ConversationChange, changeConversation } from './change.ts';
import { insertEntry } from './entries.ts';
import { findConversation } from './list.ts';
import { type AccountReceived, type Received, type ReceivedDeps, takeReceived } from './received.ts';
import { type NotedReply, noteReply } from './reply-notes.ts';
import { type Actor, type Conversation, conversationColumns } from './rows.ts';

/** Milliseconds that a person counts as writing after their last signal. */
const WRITING_MS = 15_000;
/** Conversations deleted per statement. */
const DELETED_AT_ONCE = 1_000;

interface ConversationsDeps extends ReceivedDeps, Omit<ChangeDeps, 'events'>, Pick<Context, 'sql'> {
  /** Called after a commit that changed conversations of an account. Only a hint: it may be missed. */
  readonly changed: (accountId: number) => void;
}

/** Conversations of all accounts: messages of clients are added, and people and rules change them. */
export class Conversations {
  readonly #deps: ConversationsDeps;

  constructor(deps: ConversationsDeps) {
    this.#deps = deps;
  }

  /** Adds a message of a client to their conversation, in the transaction that stores the message. */
  received(tx: TransactionSql, accountId: number, received: Received): Promise<void> {
    return this.receivedEach(tx, [{ accountId, received }]);
  }

  /** Adds messages of clients of accounts of one placement, in the order of their ids, as `received` does. */
  receivedEach(tx: TransactionSql, all: readonly AccountReceived[]): Promise<void> {
    return takeReceived(tx, this.#deps, all);
  }

  /** Notifies watching people, after the commit of the transaction that called `received`. */
  announce(accountId: number): void {
    this.#deps.changed(accountId);
  }

  /** Returns the conversation with a client, and creates it if necessary. */
  async begin(
    accountId: number,
    { channel, sender, client }: Pick<Conversation, 'channel' | 'sender' | 'client'>,
    by: Actor,
  ): Promise<Conversation> {
    const { sql, ids, clock, channels, events, changed } = this.#deps;
    const id = ids.next();
    const at = clock.now();
    const row = await sql.begin(async (tx) => {
      const [made] = await tx<Conversation[]>`
        INSERT INTO conversations (account_id, id, sender, client, channel, state, unread, last_id, last_text,
          last_from_client, opened_id, changed_at)
        VALUES (${accountId}, ${id}, ${sender}, ${client}, ${channel}, 0, 0, ${id}, '', false, ${id}, ${at})
        ON CONFLICT ON CONSTRAINT conversations_client_key DO NOTHING RETURNING ${conversationColumns(tx)}`;
      if (made) {
        await insertEntry(tx, accountId, id, { id, kind: 'opened', by });
        const data = { ...aboutConversation(channels, made), reopened: false };
        await events.record(tx, accountId, [{ type: 'conversation.opened', at, data }]);
        return made;
      }
      const [known] = await tx<Conversation[]>`
        SELECT ${conversationColumns(tx)} FROM conversations
        WHERE account_id = ${accountId} AND client = ${client} AND sender = ${sender}`;
      return known!;
    });
    changed(accountId);
    return row;
  }

  /**
   * Opens or closes a conversation, assigns it and sets its labels. Returns undefined if no conversation has this id.
   */
  async change(
    accountId: number,
    id: number,
    change: ConversationChange,
    by: Actor,
  ): Promise<Conversation | undefined> {
    const { sql, changed } = this.#deps;
    const after = await sql.begin(async (tx) => {
      const [before] = await tx<Conversation[]>`
        SELECT ${conversationColumns(tx)} FROM conversations
        WHERE account_id = ${accountId} AND id = ${id} FOR UPDATE`;
      return before && changeConversation(tx, this.#deps, accountId, before, change, by);
    });
    if (after) changed(accountId);
    return after;
  }

  /**
   * Marks all messages up to `lastId` as read; later ones of the client stay unread. Returns false if no such
   * conversation exists.
   */
  async read(accountId: number, id: number, lastId: number): Promise<boolean> {
    const { sql } = this.#deps;
    return this.#update(accountId, id, sql`unread = CASE WHEN last_id <= ${lastId} THEN 0 ELSE unread END`);
  }

  /** Marks a conversation as unread. Returns false if no such conversation exists. */
  async markUnread(accountId: number, id: number): Promise<boolean> {
    const { sql } = this.#deps;
    return this.#update(accountId, id, sql`unread = greatest(unread, 1)`);
  }

  async #update(accountId: number, id: number, values: Query<Row[]>): Promise<boolean> {
    const { sql, clock, changed } = this.#deps;
    const rows = await sql`
      UPDATE conversations SET ${values}, changed_at = ${clock.now()}
      WHERE account_id = ${accountId} AND id = ${id} RETURNING id`;
    if (rows.length > 0) changed(accountId);
    return rows.length > 0;
  }

  /** Adds a note, which clients never see, and returns its id; undefined if no such conversation exists. */
  async addNote(accountId: number, id: number, text: string, by: Actor): Promise<number | undefined> {
    const { sql, ids, clock, changed } = this.#deps;
    const noteId = ids.next();
    const isStored = await sql.begin(async (tx) => {
      const rows = await tx`
        UPDATE conversations SET changed_at = ${clock.now()}
        WHERE account_id = ${accountId} AND id = ${id} RETURNING id`;
      return rows.length > 0 && insertEntry(tx, accountId, id, { id: noteId, kind: 'note', by, text });
    });
    if (!isStored) return undefined;
    changed(accountId);
    return noteId;
  }

  /**
   * Records that a person writes an answer, or has stopped. While another person writes, the conversation stays theirs,
   * unless `takeOver` is set. Returns the conversation afterwards; undefined if it does not exist.
   */
  async write(
    accountId: number,
    id: number,
    { personId, name }: Actor,
    { writes, takeOver }: { readonly writes: boolean; readonly takeOver: boolean },
  ): Promise<Conversation | undefined> {
    const { sql, clock, changed } = this.#deps;
    const now = clock.now();
    const [row] = await sql<Conversation[]>`
      UPDATE conversations SET writer_id = ${personId}, writer_name = ${name},
        writing_until = ${writes ? now + WRITING_MS : 0}, changed_at = ${now}
      WHERE account_id = ${accountId} AND id = ${id}
        AND (${takeOver} OR writer_id IS NULL OR writer_id = ${personId} OR writing_until <= ${now})
      RETURNING ${conversationColumns(sql)}`;
    if (!row) return findConversation(sql, accountId, id);
    changed(accountId);
    return row;
  }

  /** Throws Refusal `not-now` while another person writes an answer. */
  checkWriter({ writer_id, writer_name, writing_until }: Conversation, { personId }: Actor): void {
    if (personId === null || writer_id === personId || writing_until <= this.#deps.clock.now()) return;
    throw new Refusal('not-now', 'another person is writing a reply', undefined, {
      reason: 'somebody-writes',
      params: { by: writer_name ?? '' },
    });
  }

  /** Adds an accepted reply to its conversation, once. */
  async noteReply(accountId: number, id: number, reply: NotedReply): Promise<void> {
    const { sql, clock, changed } = this.#deps;
    await sql.begin((tx) => noteReply(tx, accountId, id, reply, clock.now()));
    changed(accountId);
  }

  /** Deletes conversations without a message since `before`, the smallest id to keep. Runs every hour. */
  async cleanUp(before: number): Promise<void> {
    const { sql } = this.#deps;
    for (;;) {
      const rows = await sql<{ account_id: number; id: number }[]>`
        SELECT account_id, id FROM conversations WHERE last_id < ${before} LIMIT ${DELETED_AT_ONCE}`;
      for (const [accountId, mine] of Map.groupBy(rows, ({ account_id }) => account_id)) {
        const ids = mine.map(({ id }) => id);
        await sql.begin(async (tx) => {
          await tx`DELETE FROM conversation_entries WHERE account_id = ${accountId} AND conversation_id = ANY(${ids})`;
          await tx`DELETE FROM conversations WHERE account_id = ${accountId} AND id = ANY(${ids}) AND last_id < ${before}`;
        });
      }
      if (rows.length < DELETED_AT_ONCE) return;
    }
  }
}
