import { accountsOf, texts } from '../../database/arrays.ts';
import { bigints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { ChatProblem } from '../../kit/errors.ts';
import type { ChatNumber } from './business-numbers.ts';

/**
 * Kinds of messages with different rules: templates are permitted unless two are unanswered, the others only within the
 * window; buttons and carousels not while a template is unanswered (interface, "Conversation windows"), a rule that
 * does not apply to replies of people.
 */
export type MessageKind = 'template' | 'text' | 'media' | 'buttons' | 'carousel';

/** Whether some messages of this kind are free each month (interface, "Limits"). */
export const isCountedInMonth = (kind: MessageKind): boolean => kind === 'buttons' || kind === 'carousel';

/** Milliseconds that a client can be answered freely after their message, and that a conversation lasts (interface). */
export const DAY_MS = 86_400_000;
/** Maximum unanswered template messages of a client (interface, "Conversation windows"). */
const MAX_UNANSWERED = 2;
const MINUTE_MS = 60_000;
/**
 * A template up to this many milliseconds after the client's time counts as answered, because the platform truncates
 * that time to whole seconds.
 */
export const ANSWERED_WITHIN_MS = 1_000;

/** State between a business number and a client; times in milliseconds since the epoch. */
export interface Window {
  readonly client: string;
  /** Time of the client's last message; null: never. */
  readonly clientAt: number | null;
  /** Beginning of the last conversation; null: none was opened. */
  readonly conversationAt: number | null;
  /** Number of template messages since the client's last message, and the acceptance time of the last one. */
  readonly unanswered: number;
  readonly templateAt: number | null;
}

type NumberKey = Pick<ChatNumber, 'accountId' | 'phone'>;

/** The columns of a Window; must be followed by its conditions. */
const windows = (sql: Queryable) => sql`
  SELECT client, client_at AS "clientAt", conversation_at AS "conversationAt", unanswered, template_at AS "templateAt"
  FROM chat_windows`;

/** Returns the window of a client without any messages. */
export const newWindow = (client: string): Window => ({
  client,
  clientAt: null,
  conversationAt: null,
  unanswered: 0,
  templateAt: null,
});

/** Reads the window of one client, without a lock. */
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
 * Locks the windows of these clients until the transaction ends, and returns them. With `create`, missing ones are
 * created first; without, they are missing from the result, and not locked.
 * Missing rows are created before the first row is locked, and both in the order of the phones. A transaction that
 * creates a row may wait for any other, but no transaction that has begun to lock waits for it, because others see
 * created rows only after the commit. So two of these transactions cannot deadlock.
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

/** A window before and after a message of ours. */
export interface WindowChange {
  readonly before: Window;
  readonly after: Window;
}

/**
 * Stores locked windows that our messages have changed. Windows with the same new values share one statement, which
 * finds them by key. A join with a list of values would read all windows of the number whenever the database's
 * statistics are older than a large campaign.
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

/** Returns `conversationAt`, `unanswered` and `templateAt`; null for an unchanged time. */
function newValues({ before, after }: WindowChange) {
  const changed = (time: number | null, earlier: number | null) => (time === earlier ? null : time);
  return [
    changed(after.conversationAt, before.conversationAt),
    after.unanswered,
    changed(after.templateAt, before.templateAt),
  ] as const;
}

/** A message of a client to a business number. */
export interface Written {
  readonly accountId: number;
  /** The business number and the client, as in a Window. */
  readonly number: string;
  readonly client: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Stores that clients have written: the window of each is open for 24 hours from then, and earlier templates are answered.
 * Messages may arrive in any order, and late: the window never goes back, and a template accepted after the client's
 * message stays unanswered. Locks the windows, in the same order as `lockWindows` and after the same creation.
 */
export async function clientsWrote(tx: TransactionSql, written: readonly Written[]): Promise<void> {
  const last = new Map<string, Written>();
  for (const one of written) {
    const key = keyOf(one);
    if (one.at >= (last.get(key)?.at ?? 0)) last.set(key, one);
  }
  const rows = [...last.values()];
  if (rows.length <= 1) {
    // One row needs no order.
    if (rows.length > 0) await writeAll(tx, rows);
    return;
  }
  const created = await tx<Omit<Written, 'at'>[]>`
    ${newWindows(tx, rows)} ON CONFLICT (account_id, number, client) DO NOTHING
    RETURNING account_id AS "accountId", number, client`;
  for (const one of created) last.delete(keyOf(one));
  if (last.size > 0) await writeAll(tx, [...last.values()]);
}

const keyOf = ({ accountId, number, client }: Omit<Written, 'at'>) => `${accountId} ${number} ${client}`;

/** Stores the time of each client. An upsert finds the rows by key, as explained at `saveWindows`. */
async function writeAll(tx: TransactionSql, rows: readonly Written[]): Promise<void> {
  await tx`
    ${newWindows(tx, rows)} ON CONFLICT (account_id, number, client) DO UPDATE SET
      client_at = excluded.client_at,
      unanswered = CASE
        WHEN c.template_at IS NULL OR c.template_at < excluded.client_at + ${ANSWERED_WITHIN_MS} THEN 0
        ELSE least(c.unanswered, 1)
      END
    WHERE c.client_at IS NULL OR c.client_at <= excluded.client_at`;
}

/** The insertion of windows in the order of their keys; must be followed by ON CONFLICT. */
const newWindows = (tx: TransactionSql, rows: readonly Written[]) => tx`
  INSERT INTO chat_windows AS c (account_id, number, client, client_at)
  SELECT w.account_id, u.number, u.client, u.at
  FROM wallets w, unnest(
    ${bigints(rows.map(({ accountId }) => accountId))}::bigint[], ${textArray(rows.map(({ number }) => number))}::text[],
    ${textArray(rows.map(({ client }) => client))}::text[], ${bigints(rows.map(({ at }) => at))}::bigint[]
  ) AS u (account_id, number, client, at)
  WHERE w.account_id = u.account_id AND w.account_id = ANY(${accountsOf(rows)}::bigint[])
  ORDER BY u.account_id, u.number, u.client`;

/** Whether the client's last message is less than 24 hours old. */
export function isCustomerWindowOpen({ clientAt }: Window, now: number): boolean {
  return clientAt !== null && now < clientAt + DAY_MS;
}

/** Whether a message would belong to a paid conversation. */
export function isConversationOpen({ conversationAt }: Window, now: number): boolean {
  return conversationAt !== null && now < conversationAt + DAY_MS;
}

/** Returns the number of unanswered templates. They are forgotten `forgetMs` after the last one; 0: never. */
function unansweredOf({ unanswered, templateAt }: Window, now: number, forgetMs: number): number {
  const isForgotten = forgetMs > 0 && templateAt !== null && now >= templateAt + forgetMs;
  return isForgotten ? 0 : unanswered;
}

/**
 * Returns why a message of this kind may not be sent to the client now; null if it may (interface, "Conversation
 * windows").
 */
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
 * Returns why buttons and carousels may not be sent to the client now; null if they may. `unanswered`: the client wrote
 * within 24 hours, and a later template has no answer.
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
 * Returns the window after a message of ours. Times never go back, even if the message waited for the lock behind one
 * that was accepted later.
 */
export function afterMessage(window: Window, kind: MessageKind, now: number, forgetMs: number): Window {
  const conversationAt = isConversationOpen(window, now) ? window.conversationAt : now;
  if (kind !== 'template') return { ...window, conversationAt };
  const unanswered = unansweredOf(window, now, forgetMs) + 1;
  return { ...window, conversationAt, unanswered, templateAt: Math.max(now, window.templateAt ?? 0) };
}

/** Returns the whole minutes left of the 24 hours since `start`; 0 if none are left, or there was no start. */
export function minutesLeft(start: number | null, now: number): number {
  if (start === null) return 0;
  return Math.max(0, Math.floor((Math.min(start, now) + DAY_MS - now) / MINUTE_MS));
}
