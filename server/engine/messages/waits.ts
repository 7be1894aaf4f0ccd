import { numbers, rangeOf } from '../../database/arrays.ts';
import { bigints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import { ofWallets, type RowAccounts } from '../../database/row-accounts.ts';
import { isOfAccounts, isWithin, rowsByKey } from '../../database/rows-by-key.ts';

/*
 * The table `waits` has the reasons why messages waited, for their timelines (docs/decisions/0051-reasons-of-waits.md).
 * Code that postpones messages stores the reason in the same transaction.
 */

/** Reasons of waits of some messages of a batch. */
export const batchReasons = [
  'sending-hours',
  'frequency-cap',
  'retry',
  'sender-rate',
  'no-connection',
  'unanswered',
] as const;
export type BatchReason = (typeof batchReasons)[number];

/** Reasons of waits of all work of a shipment, or of an account. */
type WholeReason = 'paused' | 'suspended' | 'sending-hours';

/** `subject_id` of waits of all work of an account. */
export const ALL_WORK = 0;

/** Why messages are postponed. */
export interface Wait {
  readonly reason: BatchReason;
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Connector of the failed attempt, and its code. */
  readonly connector?: string;
  readonly code?: string;
}

/** Due time of a message, in milliseconds since the epoch, with the reason if it is later than requested; null for the requested time. */
export interface DueTime {
  readonly at: number;
  readonly wait: Wait | null;
}

/** A wait to store. */
export interface NewWait extends Wait {
  readonly accountId: number;
  readonly id: number;
  /** First batch of the messages, or their shipment. */
  readonly subjectId: number;
  /** Null for all messages that are left of the batch. */
  readonly messageIds: readonly number[] | null;
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** Time until which the messages waited before. A wait until then for the same reason is extended. Null without one. */
  readonly after: number | null;
}

/** Returns the time of the attempt that a wait follows, in milliseconds since the epoch; null if the message was not submitted. */
const attemptOf = ({ reason, connector, from }: Wait): number | null =>
  connector !== undefined && (reason === 'retry' || reason === 'unanswered') ? from : null;

/** Inserts waits, as a complete statement or as part of one. */
export function insertWaits(sql: Queryable, accounts: RowAccounts, waits: readonly NewWait[]) {
  const { account, from, named, where } = accounts;
  return sql`
    INSERT INTO waits (account_id, id, subject_id, message_ids, reason, from_at, until_at, attempted_at, connector, code)
    SELECT ${account}, u.id, u.subject_id, u.message_ids::bigint[], u.reason, u.from_at, u.until_at,
      CASE WHEN u.attempted_at IS NOT NULL THEN ARRAY[u.attempted_at] END, u.connector, u.code
    FROM ${from}
      ${bigints(waits.map(({ id }) => id))}::bigint[],
      ${bigints(waits.map(({ subjectId }) => subjectId))}::bigint[],
      ${textArray(waits.map(({ messageIds }) => messageIds && numbers(messageIds)))}::text[],
      ${textArray(waits.map(({ reason }) => reason))}::text[],
      ${bigints(waits.map((wait) => wait.from))}::bigint[],
      ${bigints(waits.map(({ until }) => until))}::bigint[],
      ${bigints(waits.map(attemptOf))}::bigint[],
      ${textArray(waits.map(({ connector }) => connector ?? null))}::text[],
      ${textArray(waits.map(({ code }) => code ?? null))}::text[]
    ) AS u (${named} id, subject_id, message_ids, reason, from_at, until_at, attempted_at, connector, code)
    ${where}`;
}

/**
 * Stores waits of messages of accounts of one placement. A message that is put off again for the same reason keeps one row: a
 * carrier that is busy for a night makes no row for each attempt.
 */
export async function storeWaits(sql: Queryable, waits: readonly NewWait[]): Promise<void> {
  const extended = await extendWaits(
    sql,
    waits.filter(({ after }) => after !== null),
  );
  const others = waits.filter(({ id }) => !extended.has(id));
  if (others.length === 0) return;
  const accounts = ofWallets(
    sql,
    others.map(({ accountId }) => accountId),
  );
  await insertWaits(sql, accounts, others);
}

/** A stored wait that another one may continue. */
interface Continued {
  readonly accountId: number;
  readonly id: number;
  readonly subjectId: number;
  readonly reason: string;
  readonly until: number;
  readonly messageIds: readonly number[] | null;
}

/** Extends the waits that these continue. Returns the ids of those that were added to another one. */
async function extendWaits(sql: Queryable, waits: readonly NewWait[]): Promise<ReadonlySet<number>> {
  if (waits.length === 0) return new Set();
  const stored = await findContinued(sql, waits);
  const extended = waits.flatMap((wait) => {
    const at = stored.findIndex((one) => isContinued(one, wait));
    return at === -1 ? [] : [{ wait, storedId: stored.splice(at, 1)[0]!.id }];
  });
  if (extended.length === 0) return new Set();
  const all = extended.map(({ wait }) => wait);
  const range = rangeOf(extended.map(({ storedId }) => storedId));
  const values = sql`
    ${bigints(all.map(({ accountId }) => accountId))}::bigint[],
    ${bigints(extended.map(({ storedId }) => storedId))}::bigint[],
    ${bigints(all.map(({ until }) => until))}::bigint[],
    ${bigints(all.map(attemptOf))}::bigint[],
    ${textArray(all.map(({ connector }) => connector ?? null))}::text[],
    ${textArray(all.map(({ code }) => code ?? null))}::text[]`;
  const names = sql`account_id, id, until_at, attempted_at, connector, code`;
  await sql`
    UPDATE waits w SET until_at = u.until_at, connector = coalesce(u.connector, w.connector),
      code = coalesce(u.code, w.code),
      attempted_at = CASE WHEN u.attempted_at IS NULL THEN w.attempted_at ELSE w.attempted_at || u.attempted_at END
    FROM ${rowsByKey(sql, all.length, names, values)}
    WHERE ${isOfAccounts(sql, sql`w.account_id`, all)} AND w.account_id = u.account_id AND w.id = u.id
      AND ${isWithin(sql, sql`w.id`, range)}`;
  return new Set(all.map(({ id }) => id));
}

/** Finds the waits that ended when these begin. */
async function findContinued(sql: Queryable, waits: readonly NewWait[]): Promise<Continued[]> {
  const values = sql`
    ${bigints(waits.map(({ accountId }) => accountId))}::bigint[],
    ${bigints(waits.map(({ subjectId }) => subjectId))}::bigint[],
    ${textArray(waits.map(({ reason }) => reason))}::text[],
    ${bigints(waits.map(({ after }) => after))}::bigint[]`;
  const names = sql`account_id, subject_id, reason, until_at`;
  return sql<Continued[]>`
    SELECT DISTINCT w.account_id AS "accountId", w.id, w.subject_id AS "subjectId", w.reason, w.until_at AS until,
      w.message_ids AS "messageIds"
    FROM ${rowsByKey(sql, waits.length, names, values)}
    JOIN waits w ON w.account_id = u.account_id AND w.subject_id = u.subject_id
    WHERE ${isOfAccounts(sql, sql`w.account_id`, waits)} AND w.id >= ${Math.min(...waits.map(({ subjectId }) => subjectId))}
      AND w.reason = u.reason AND w.until_at = u.until_at`;
}

/** Whether a wait continues a stored one: all its messages waited for the same reason until now. */
const isContinued = (
  stored: Continued,
  { accountId, subjectId, reason, after, messageIds }: NewWait,
): boolean =>
  stored.accountId === accountId &&
  stored.subjectId === subjectId &&
  stored.reason === reason &&
  stored.until === after &&
  (stored.messageIds === null ||
    (messageIds !== null && new Set(messageIds).isSubsetOf(new Set(stored.messageIds))));

/** Stores the beginning of a wait whose end is not known, of a shipment or with `ALL_WORK` of an account. */
export async function beginWait(
  tx: Queryable,
  wait: {
    readonly accountId: number;
    readonly id: number;
    readonly subjectId: number;
    readonly reason: WholeReason;
    readonly from: number;
  },
): Promise<void> {
  await tx`
    INSERT INTO waits (account_id, id, subject_id, reason, from_at)
    SELECT account_id, ${wait.id}, ${wait.subjectId}, ${wait.reason}, ${wait.from} FROM wallets
    WHERE account_id = ${wait.accountId}`;
}

/** Stores the end of the waits of `beginWait`, in milliseconds since the epoch. */
export async function endWait(
  tx: Queryable,
  accountId: number,
  subjectId: number,
  reason: WholeReason,
  until: number,
): Promise<void> {
  await tx`
    UPDATE waits SET until_at = ${until}
    WHERE account_id = ${accountId} AND subject_id = ${subjectId} AND id >= ${subjectId} AND reason = ${reason}
      AND until_at IS NULL`;
}

/** Ends the waits of these batches and shipments at `now`, and removes those that have not begun: their due times change. */
export async function cutWaits(
  tx: Queryable,
  accountId: number,
  subjectIds: readonly number[],
  now: number,
): Promise<void> {
  if (subjectIds.length === 0) return;
  const ids = numbers(subjectIds);
  const first = Math.min(...subjectIds);
  await tx`
    DELETE FROM waits
    WHERE account_id = ${accountId} AND subject_id = ANY(${ids}::bigint[]) AND id >= ${first} AND from_at >= ${now}
      AND until_at IS NOT NULL`;
  await tx`
    UPDATE waits SET until_at = ${now}
    WHERE account_id = ${accountId} AND subject_id = ANY(${ids}::bigint[]) AND id >= ${first} AND until_at > ${now}`;
}
