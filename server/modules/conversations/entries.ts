import type { Queryable, TransactionSql } from '../../database/connection.ts';
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

/** An action of a person or a rule in a conversation. */
export interface Entry {
  /** For a reply, the id of its message. */
  readonly id: number;
  readonly kind: EntryKind;
  readonly person_id: number | null;
  readonly person_name: string | null;
  readonly rule_id: number | null;
  /** For a note only. */
  readonly text: string | null;
  /** Details that the kind does not show: the assigned person, added and removed labels. */
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

/** Stores an entry, once: recording the same reply again changes nothing. */
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

/** Returns entries of a conversation before an id, newest first. */
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
