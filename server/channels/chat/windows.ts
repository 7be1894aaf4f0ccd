import { texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { ChatProblem } from '../../errors.ts';
import type { ChatNumber } from './numbers.ts';

/**
 * What decides whether a message may go: templates always but for two unanswered ones, the others in the window only; buttons and
 * carousels not while a template has no answer (interface, "Conversation windows"), to which replies of people are not bound.
 */
export type MessageKind = 'template' | 'text' | 'media' | 'buttons' | 'carousel';

/** Whether a message is one of those of which a month has some for nothing (interface, "Limits"). */
export const isCountedInMonth = (kind: MessageKind): boolean => kind === 'buttons' || kind === 'carousel';

/** How long a client may be answered freely after they wrote, and how long a conversation lasts (interface). */
export const DAY_MS = 86_400_000;
/** Template messages that a client may have without an answer (interface, "Conversation windows"). */
const MAX_UNANSWERED = 2;
const MINUTE_MS = 60_000;
/**
 * A template of so long after the client's time is answered all the same: the platform tells when they wrote in whole
 * seconds, cut off.
 */
export const ANSWERED_WITHIN_MS = 1_000;

/** How it stands between a business number and a client; times in milliseconds since the epoch. */
export interface Window {
  readonly client: string;
  /** The client's last message; null: they have never written. */
  readonly clientAt: number | null;
  /** When the conversation began that was opened last; null: none was. */
  readonly conversationAt: number | null;
  /** Template messages since the client's last message, and when the last of them was accepted. */
  readonly unanswered: number;
  readonly templateAt: number | null;
}

type NumberKey = Pick<ChatNumber, 'accountId' | 'phone'>;

/** The columns of a Window; to be followed by its conditions. */
const windows = (sql: Queryable) => sql`
  SELECT client, client_at AS "clientAt", conversation_at AS "conversationAt", unanswered, template_at AS "templateAt"
  FROM chat_windows`;

/** A client with whom there was nothing yet. */
export const newWindow = (client: string): Window => ({
  client,
  clientAt: null,
  conversationAt: null,
  unanswered: 0,
  templateAt: null,
});

/** How it stands with one client, without a lock. */
export async function readWindow(
  sql: Queryable,
  { accountId, phone }: NumberKey,
  client: string,
): Promise<Window> {
  const [window] = await sql<Window[]>`
    ${windows(sql)} WHERE account_id = ${accountId} AND number = ${phone} AND client = ${client}`;
  return window ?? newWindow(client);
}

/**
 * Locks the windows of these clients until the transaction ends, and returns them. With `create` those that are missing
 * are made first; without, they are missing from the result too, and nothing is locked for them.
 *
 * Missing rows are made before the first row is locked, and both in the order of the phones. One who makes a row may
 * wait for anybody, but nobody who has begun to lock waits for them: rows that are made are seen by the others after
 * the commit only. So two of these cannot wait for each other.
 */
export async function lockWindows(
  tx: TransactionSql,
  { accountId, phone }: NumberKey,
  clients: readonly string[],
  create: boolean,
): Promise<Map<string, Window>> {
  const sorted = texts([...clients].sort());
  const [, rows] = await Promise.all([
    create &&
      tx`
        INSERT INTO chat_windows (account_id, number, client)
        SELECT w.account_id, ${phone}, u.client FROM wallets w, unnest(${sorted}::text[]) AS u (client)
        WHERE w.account_id = ${accountId}
        ON CONFLICT (account_id, number, client) DO NOTHING`,
    tx<Window[]>`
      ${windows(tx)}
      WHERE account_id = ${accountId} AND number = ${phone} AND client = ANY(${sorted}::text[])
      ORDER BY client FOR UPDATE`,
  ]);
  return new Map(rows.map((row) => [row.client, row]));
}

/** A window as it was and as it is after a message of ours. */
export interface WindowChange {
  readonly before: Window;
  readonly after: Window;
}

/**
 * Stores windows that are locked, and were changed by messages of ours. Those that change to the same are one statement
 * that finds them by their key: joined with a list of values, all windows of the number would be read whenever the
 * database's statistics are older than a large campaign.
 */
export async function saveWindows(
  tx: TransactionSql,
  { accountId, phone }: NumberKey,
  changes: readonly WindowChange[],
): Promise<void> {
  const alike = Map.groupBy(changes, (change) => JSON.stringify(newValues(change)));
  await Promise.all(
    alike.values().map((group) => {
      const [conversationAt, unanswered, templateAt] = newValues(group[0]!);
      return tx`
        UPDATE chat_windows SET conversation_at = coalesce(${conversationAt}::bigint, conversation_at),
          unanswered = ${unanswered}, template_at = coalesce(${templateAt}::bigint, template_at)
        WHERE account_id = ${accountId} AND number = ${phone}
          AND client = ANY(${texts(group.map(({ after }) => after.client))}::text[])`;
    }),
  );
}

/** `conversationAt`, `unanswered` and `templateAt`; null for a time that stays as it was. */
function newValues({ before, after }: WindowChange) {
  const changed = (time: number | null, earlier: number | null) => (time === earlier ? null : time);
  return [
    changed(after.conversationAt, before.conversationAt),
    after.unanswered,
    changed(after.templateAt, before.templateAt),
  ] as const;
}

/**
 * Stores that a client has written at `at` (milliseconds since the epoch): their window is open for 24 hours from then,
 * and the templates before it are answered. Messages may become known in any order, and late: the window never goes
 * back, and a template that was accepted after they wrote stays unanswered. A transaction that tells of several clients
 * does so in the order of their phones.
 */
export async function clientWrote(
  tx: TransactionSql,
  accountId: number,
  number: string,
  client: string,
  at: number,
): Promise<void> {
  await tx`
    INSERT INTO chat_windows AS w (account_id, number, client, client_at)
    VALUES (${accountId}, ${number}, ${client}, ${at})
    ON CONFLICT (account_id, number, client) DO UPDATE SET
      client_at = excluded.client_at,
      unanswered = CASE
        WHEN w.template_at IS NULL OR w.template_at < excluded.client_at + ${ANSWERED_WITHIN_MS} THEN 0
        ELSE least(w.unanswered, 1)
      END
    WHERE w.client_at IS NULL OR w.client_at <= excluded.client_at`;
}

/** Whether the client's last message is not 24 hours old. */
export function isCustomerWindowOpen({ clientAt }: Window, now: number): boolean {
  return clientAt !== null && now < clientAt + DAY_MS;
}

/** Whether a message would be part of a conversation that is paid for. */
export function isConversationOpen({ conversationAt }: Window, now: number): boolean {
  return conversationAt !== null && now < conversationAt + DAY_MS;
}

/** Templates without an answer. `forgetMs` after the last one they are forgotten; 0: never. */
function unansweredOf({ unanswered, templateAt }: Window, now: number, forgetMs: number): number {
  const isForgotten = forgetMs > 0 && templateAt !== null && now >= templateAt + forgetMs;
  return isForgotten ? 0 : unanswered;
}

/** Why a message of this kind may not go to the client now; null when it may (interface, "Conversation windows"). */
export function windowProblem(
  window: Window,
  kind: MessageKind,
  now: number,
  forgetMs: number,
): ChatProblem | null {
  if (kind === 'template') {
    return unansweredOf(window, now, forgetMs) >= MAX_UNANSWERED ? 'two-unanswered' : null;
  }
  const problem = freeFormProblem(window, now, forgetMs);
  if (problem !== 'unanswered') return problem;
  // The interface has one reason for both.
  return kind === 'text' || kind === 'media' ? null : 'window-closed';
}

/**
 * Why buttons and carousels may not go to the client now; null when they may. `unanswered`: the client wrote within 24 hours, and
 * a template since then has no answer.
 */
export function freeFormProblem(
  window: Window,
  now: number,
  forgetMs: number,
): 'never-written' | 'window-closed' | 'unanswered' | null {
  if (window.clientAt === null) return 'never-written';
  if (!isCustomerWindowOpen(window, now)) return 'window-closed';
  return unansweredOf(window, now, forgetMs) > 0 ? 'unanswered' : null;
}

/**
 * The window after a message of ours. Nothing goes back when it waited for the lock behind one that was accepted later.
 */
export function afterMessage(window: Window, kind: MessageKind, now: number, forgetMs: number): Window {
  const conversationAt = isConversationOpen(window, now) ? window.conversationAt : now;
  if (kind !== 'template') return { ...window, conversationAt };
  const unanswered = unansweredOf(window, now, forgetMs) + 1;
  return { ...window, conversationAt, unanswered, templateAt: Math.max(now, window.templateAt ?? 0) };
}

/** Whole minutes of the 24 hours since `start` that are left; 0 when none are, or there was no start. */
export function minutesLeft(start: number | null, now: number): number {
  if (start === null) return 0;
  return Math.max(0, Math.floor((Math.min(start, now) + DAY_MS - now) / MINUTE_MS));
}
