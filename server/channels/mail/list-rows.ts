import { numbers } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import { Refusal } from '../../kit/errors.ts';

/** A list that is locked until the transaction ends. */
export interface LockedList {
  readonly id: number;
  readonly generation: number;
  readonly confirm: boolean;
  readonly columns: readonly string[];
}

/**
 * Locks the rows of lists until the transaction ends, ordered by id so that two requests cannot deadlock. A transaction
 * that also locks users locks them first. Lists that do not exist are not in the map.
 */
export async function lockMailLists(
  tx: TransactionSql,
  accountId: number,
  ids: Iterable<number>,
): Promise<Map<number, LockedList>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await tx<LockedList[]>`
    SELECT id, filling_id AS generation, confirm, columns FROM mail_lists
    WHERE account_id = ${accountId} AND id = ANY(${numbers(wanted)}::bigint[])
    ORDER BY id FOR UPDATE`;
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns the ids of the lists that users are in. While the users are locked, lists can only disappear, when they are
 * emptied.
 */
export async function listsOfUsers(
  sql: Queryable,
  accountId: number,
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0) return [];
  const rows = await sql<{ id: number }[]>`
    SELECT l.id FROM mail_lists l
    WHERE l.account_id = ${accountId} AND l.filling_id = ANY(ARRAY(
      SELECT DISTINCT m.filling_id FROM mail_members m
      WHERE m.account_id = ${accountId} AND m.user_id = ANY(${numbers(userIds)}::bigint[])))`;
  return rows.map((row) => row.id);
}

/** Adds locked users to the active counts of their lists (all locked), or subtracts them (`by` is 1 or -1). */
export async function countActive(
  tx: TransactionSql,
  accountId: number,
  lists: ReadonlyMap<number, LockedList>,
  userIds: readonly number[],
  by: 1 | -1,
): Promise<void> {
  if (userIds.length === 0 || lists.size === 0) return;
  await tx`
    UPDATE mail_lists l SET active_count = l.active_count + ${by}::int * c.members
    FROM (
      SELECT filling_id, count(*) AS members FROM mail_members
      WHERE account_id = ${accountId} AND user_id = ANY(${numbers(userIds)}::bigint[]) AND NOT pending
      GROUP BY filling_id) c
    WHERE l.account_id = ${accountId} AND l.filling_id = c.filling_id AND l.id = ANY(${numbers([...lists.keys()])}::bigint[])`;
}

/** Returns the refusal for a list that the account does not have. */
export const unknownList = (id: number) => new Refusal('unknown-list', `there is no mailing list ${id}`);
