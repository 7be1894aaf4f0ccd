import type { TransactionSql } from '../../database/connection.ts';
import { insertEntry } from './entries.ts';
import { type Actor, beginning } from './rows.ts';

/** An accepted reply. */
export interface NotedReply {
  readonly shipmentId: number;
  /** Type in events. */
  readonly type: string;
  /** Text for lists. */
  readonly text: string;
  readonly by: Actor;
  /** For an automatic reply: its rule, or null for the away message; undefined if a person wrote it. */
  readonly ruleId?: number | null | undefined;
}

/**
 * Adds a reply to its conversation, once: its author, and that it is the last message. A reply by a person marks the
 * client's earlier messages as read. `now` in milliseconds since the epoch.
 */
export async function noteReply(
  tx: TransactionSql,
  accountId: number,
  id: number,
  { shipmentId, type, text, by, ruleId }: NotedReply,
  now: number,
): Promise<void> {
  const [shipment] = await tx<{ first_id: number }[]>`
    SELECT first_id FROM shipments WHERE account_id = ${accountId} AND id = ${shipmentId}`;
  const messageId = shipment!.first_id;
  const isPersons = ruleId === undefined;
  const details = isPersons ? null : { automatic: true };
  const entry = { id: messageId, kind: 'reply', by, ruleId: ruleId ?? null, details } as const;
  if (!(await insertEntry(tx, accountId, id, entry))) return;
  await tx`
    UPDATE conversations SET changed_at = ${now},
      last_id = greatest(last_id, ${messageId}),
      last_type = CASE WHEN last_id < ${messageId} THEN ${type} ELSE last_type END,
      last_text = CASE WHEN last_id < ${messageId} THEN ${tx.keptText(accountId, beginning(text)) ?? ''} ELSE last_text END,
      last_from_client = last_from_client AND last_id > ${messageId},
      unread = CASE WHEN ${isPersons} AND last_id < ${messageId} THEN 0 ELSE unread END,
      writing_until = CASE WHEN writer_id = ${by.personId} THEN 0 ELSE writing_until END
    WHERE account_id = ${accountId} AND id = ${id}`;
}
