import { numbers } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Work } from '../../engine/work/work.ts';
import type { LockedList } from './list-rows.ts';

/** Kind of background work: to ask all who wait for it in an account. */
export const MAIL_CONFIRMATION = 'mail-confirmation';
export const ALL_OF_ACCOUNT = 0;

/**
 * Milliseconds until another confirmation is requested from a user who is added again: each email may disturb somebody
 * who does not want it.
 */
const ASK_AGAIN_MS = 24 * 3_600_000;

/**
 * Requests confirmation of a list from those of these users who need it; the emails are sent in the background. Both
 * the users and the list must be locked.
 */
export async function askConfirmations(
  tx: TransactionSql,
  accountId: number,
  { generation }: LockedList,
  userIds: readonly number[],
  { work, now }: { readonly work: Pick<Work, 'want'>; readonly now: number },
): Promise<void> {
  if (userIds.length === 0) return;
  const { count } = await tx`
    INSERT INTO mail_confirmations AS c (account_id, filling_id, user_id, requested_at, due_at)
    SELECT m.account_id, m.filling_id, m.user_id, ${now}, ${now} FROM mail_members m
    WHERE m.account_id = ${accountId} AND m.filling_id = ${generation} AND m.pending
      AND m.user_id = ANY(${numbers(userIds)}::bigint[])
    ON CONFLICT ON CONSTRAINT mail_confirmations_pkey
    DO UPDATE SET requested_at = excluded.requested_at, due_at = excluded.due_at
    WHERE c.requested_at <= ${now - ASK_AGAIN_MS}`;
  if (count > 0) await work.want(tx, { accountId, kind: MAIL_CONFIRMATION, key: ALL_OF_ACCOUNT }, now);
}
