import type { Query, Queryable, Row } from '../../database/connection.ts';
import { type Conversation, type ConversationState, conversationColumns, stateNumber } from './rows.ts';

/*
 * Lists are ordered by the last message. Each filter has its own index: state, person, unread, label. Searches match
 * the beginning of numbers and names.
 */

/** Filter of conversations; all conditions must hold. */
export interface ConversationQuery {
  readonly state?: ConversationState | undefined;
  /** Only conversations with unread messages. */
  readonly unread?: boolean | undefined;
  /** Only those assigned to a person; null: unassigned ones. */
  readonly assigneeId?: number | null | undefined;
  readonly labelId?: number | undefined;
  /** Beginning of the client's name. */
  readonly name?: string | undefined;
  /** Possible beginnings of the client's number or address. With `name`, one of the two must match. */
  readonly clients?: readonly string[] | undefined;
}

/** Numbers of waiting conversations, each up to MAX_COUNTED. */
export interface ConversationCounts {
  readonly open: number;
  readonly mine: number;
  readonly unassigned: number;
  readonly unread: number;
}

/** Maximum count; it means "this many or more". */
export const MAX_COUNTED = 1_000;

/** Returns conversations whose last message is before `before`, newest first. */
export async function listConversations(
  sql: Queryable,
  accountId: number,
  query: ConversationQuery,
  before: number | undefined,
  most: number,
): Promise<Conversation[]> {
  return sql<Conversation[]>`
    SELECT ${conversationColumns(sql)} FROM conversations
    WHERE ${conditions(sql, accountId, query)} AND last_id < ${before ?? Number.MAX_SAFE_INTEGER}
    ORDER BY last_id DESC LIMIT ${most}`;
}

/** Returns a conversation of an account. */
export async function findConversation(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<Conversation | undefined> {
  const [row] = await sql<Conversation[]>`
    SELECT ${conversationColumns(sql)} FROM conversations WHERE account_id = ${accountId} AND id = ${id}`;
  return row;
}

/** Returns conversations that changed at `since` (milliseconds since the epoch) or later, last changed first. */
export async function changedConversations(
  sql: Queryable,
  accountId: number,
  since: number,
  most: number,
): Promise<Conversation[]> {
  return sql<Conversation[]>`
    SELECT ${conversationColumns(sql)} FROM conversations
    WHERE account_id = ${accountId} AND changed_at >= ${since} ORDER BY changed_at DESC LIMIT ${most}`;
}

/** Counts waiting conversations for a person; `personId` null: without a person. */
export async function countConversations(
  sql: Queryable,
  accountId: number,
  personId: number | null,
): Promise<ConversationCounts> {
  const count = (query: ConversationQuery) => sql`
    (SELECT count(*)::int FROM (
      SELECT FROM conversations WHERE ${conditions(sql, accountId, query)} LIMIT ${MAX_COUNTED}) AS counted)`;
  const [row] = await sql<ConversationCounts[]>`
    SELECT ${count({ state: 'open' })} AS open,
      ${personId === null ? sql`0` : count({ state: 'open', assigneeId: personId })} AS mine,
      ${count({ state: 'open', assigneeId: null })} AS unassigned,
      ${count({ unread: true })} AS unread`;
  return row!;
}

function conditions(sql: Queryable, accountId: number, query: ConversationQuery): Query<Row[]> {
  const { state, unread, assigneeId, labelId, name, clients } = query;
  let all = sql`account_id = ${accountId}`;
  if (state !== undefined) all = sql`${all} AND state = ${stateNumber(state)}`;
  if (unread) all = sql`${all} AND unread > 0`;
  if (assigneeId === null) all = sql`${all} AND assignee_id IS NULL`;
  else if (assigneeId !== undefined) all = sql`${all} AND assignee_id = ${assigneeId}`;
  if (labelId !== undefined)
    all = sql`${all} AND label_ids <> '{}' AND label_ids @> ARRAY[${labelId}::bigint]`;
  if (name === undefined && clients === undefined) return all;
  let found = sql`false`;
  if (name !== undefined) {
    const beginning = name.toLowerCase();
    found = sql`${found} OR (client_name <> '' AND lower(client_name) ~>=~ ${beginning} AND lower(client_name) ~<~ ${after(beginning)})`;
  }
  for (const beginning of clients ?? [])
    found = sql`${found} OR (client >= ${beginning} AND client < ${after(beginning)})`;
  return sql`${all} AND (${found})`;
}

/**
 * Returns the end of the range of texts that begin with `text`, in the order of their bytes. A generic plan looks such a range up in an
 * index; for `LIKE` with a parameter it read all conversations of the account, 320 ms of a million.
 */
const after = (text: string): string => `${text}\u{10FFFF}`;
