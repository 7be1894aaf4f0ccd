import type { Queryable, TransactionSql } from '../database/connection.ts';
import type { Actor } from './rows.ts';

export const entryKinds = [
  'note',
  'reply',
  'opened',
  'closed',
  'assigned',
  'unassigned',
  'labels',
  'rule',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** What a person or a rule did in a conversation. */
export interface Entry {
  /** Of a reply that of its message. */
  readonly id: number;
  readonly kind: EntryKind;
  readonly person_id: number | null;
  readonly person_name: string | null;
  readonly rule_id: number | null;
  /** Of a note. */
  readonly text: string | null;
  /** What the kind does not say: the person assigned, labels added and removed. */
  readonly details: Readonly<Record<string, unknown>> | null;
}

interface EntryInput {
  readonly id: number;
  readonly kind: EntryKind;
  readonly by: Actor;
  readonly ruleId?: number | null;
  readonly text?: string;
  readonly details?: Entry['details'];
}

/** Stores an entry, once: a reply that is noted again changes nothing. */
export async function insertEntry(
  tx: TransactionSql,
  accountId: number,
  conversationId: number,
  { id, kind, by, ruleId = null, text, details }: EntryInput,
): Promise<boolean> {
  const stored = await tx`
    INSERT INTO conversation_entries (account_id, conversation_id, id, kind, person_id, person_name, rule_id, text, details)
    VALUES (${accountId}, ${conversationId}, ${id}, ${kind}, ${by.personId}, ${by.name}, ${ruleId}, ${tx.waitingText(accountId, text ?? null)},
      ${details ? JSON.stringify(details) : null}::text::jsonb)
    ON CONFLICT DO NOTHING RETURNING id`;
  return stored.length > 0;
}

/** Entries of a conversation before an id, the newest first. */
export async function readEntries(
  sql: Queryable,
  accountId: number,
  conversationId: number,
  before: number,
  most: number,
): Promise<Entry[]> {
  return sql<Entry[]>`
    SELECT id, kind, person_id, person_name, rule_id, text, details FROM conversation_entries
    WHERE account_id = ${accountId} AND conversation_id = ${conversationId} AND id < ${before}
    ORDER BY id DESC LIMIT ${most}`;
}
