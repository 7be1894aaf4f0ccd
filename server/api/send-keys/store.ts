import { texts } from '../../database/arrays.ts';
import { byteaArray, textArray } from '../../database/binary-arrays.ts';
import { type Queryable, type Sql, violatedConstraint } from '../../database/connection.ts';
import { type RowAccounts, rowsOf } from '../../database/row-accounts.ts';

/** Milliseconds that a key is valid. */
const SEND_KEY_MS = 86_400_000;

/** Keys deleted per step. */
const STEP = 5_000;

/** A key as the transaction that does the work stores it. */
export interface SendKeyRow {
  readonly key: string;
  readonly fingerprint: Buffer;
  /** JSON; null if it is encrypted. */
  readonly answer: string | null;
  readonly sealedAnswer: Buffer | null;
  /** Milliseconds by which the program's clock is ahead of the database's on purpose (the sandbox). */
  readonly aheadMs: number;
}

/** An existing key. */
export interface StoredSendKey {
  readonly fingerprint: Buffer;
  readonly answer: string | null;
  readonly sealedAnswer: Buffer | null;
}

/** The key exists already, or did a moment ago until its work was rolled back. */
export class SendKeyTaken extends Error {
  override readonly name = 'SendKeyTaken';
}

/** Whether a transaction failed because another one had stored the same key. */
export function isSendKeyTaken(error: unknown): boolean {
  return error instanceof SendKeyTaken || violatedConstraint(error) === 'send_keys_pkey';
}

/** The database's clock in milliseconds since the epoch, at the beginning of its transaction. */
const databaseTime = (sql: Queryable) => sql`(date_part('epoch', now()) * 1000)::bigint`;

/**
 * Inserts keys, as a statement or as a part of one. Waits for a transaction that is storing one of them, and if that
 * commits, rejects with a violation that `isSendKeyTaken` recognises. The keys of an account must be in order
 * (`inOrderOfKeys`), so that two groups with the same keys do not deadlock.
 */
export function insertSendKeys(
  sql: Queryable,
  accounts: number | RowAccounts,
  rows: readonly Omit<SendKeyRow, 'aheadMs'>[],
  aheadMs: number,
) {
  const { account, from, named, where } = rowsOf(sql, accounts);
  return sql`
    INSERT INTO send_keys (account_id, key, fingerprint, answer, sealed_answer, created_at)
    SELECT ${account}, u.key, u.fingerprint, u.answer, u.sealed_answer, ${databaseTime(sql)} + ${aheadMs}::bigint
    FROM ${from}
      ${textArray(rows.map(({ key }) => key))}::text[],
      ${byteaArray(rows.map(({ fingerprint }) => fingerprint))}::bytea[],
      ${textArray(rows.map(({ answer }) => answer))}::text[],
      ${byteaArray(rows.map(({ sealedAnswer }) => sealedAnswer))}::bytea[]
    ) AS u (${named} key, fingerprint, answer, sealed_answer)
    ${where}`;
}

/** Sorts the keys of a group in the order of insertion. */
export const inOrderOfKeys = <Row extends { readonly key: string }>(rows: readonly Row[]): readonly Row[] =>
  rows.length > 1 ? rows.toSorted((one, other) => (one.key < other.key ? -1 : 1)) : rows;

/** Returns those of these keys of an account that exist, expired or not. */
export async function knownSendKeys(
  sql: Queryable,
  accountId: number,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ key: string }[]>`
    SELECT key FROM send_keys WHERE account_id = ${accountId} AND key = ANY(${texts(keys)}::text[])`;
  return new Set(rows.map(({ key }) => key));
}

/** Returns a key of an account. An expired one is deleted, and not returned. */
export async function findSendKey(
  sql: Sql,
  accountId: number,
  key: string,
  aheadMs: number,
): Promise<StoredSendKey | undefined> {
  const [row] = await sql<(StoredSendKey & { createdAt: number; isOver: boolean })[]>`
    SELECT fingerprint, answer, sealed_answer AS "sealedAnswer", created_at AS "createdAt",
      created_at <= ${databaseTime(sql)} + ${aheadMs - SEND_KEY_MS}::bigint AS "isOver"
    FROM send_keys WHERE account_id = ${accountId} AND key = ${key}`;
  if (!row?.isOver) return row;
  await sql`
    DELETE FROM send_keys WHERE account_id = ${accountId} AND key = ${key} AND created_at = ${row.createdAt}`;
  return undefined;
}

/**
 * Deletes the response of a key if the encrypted one can no longer be decrypted. The key stays, with a fingerprint that
 * matches no request, so that a retry is refused in place of running again.
 */
export async function discardAnswer(sql: Queryable, accountId: number, key: string): Promise<void> {
  await sql`
    UPDATE send_keys SET sealed_answer = NULL, answer = 'null', fingerprint = ''
    WHERE account_id = ${accountId} AND key = ${key}`;
}

/** Deletes expired keys, some thousand at a time, until none is left or `isStopping` returns true. */
export async function removeOldSendKeys(sql: Sql, aheadMs: number, isStopping: () => boolean): Promise<void> {
  const [clock] = await sql<{ now: number }[]>`SELECT ${databaseTime(sql)} AS now`;
  const before = clock!.now + aheadMs - SEND_KEY_MS;
  for (let count = STEP; count === STEP && !isStopping(); ) {
    const rows = await sql<{ account_id: number; key: string }[]>`
      SELECT account_id, key FROM send_keys WHERE created_at <= ${before} ORDER BY created_at LIMIT ${STEP}`;
    count = rows.length;
    // One statement per account, so that each runs on one shard (docs/decisions/0005-sql-that-can-be-distributed.md).
    for (const [accountId, some] of Map.groupBy(rows, (row) => row.account_id)) {
      await sql`
        DELETE FROM send_keys
        WHERE account_id = ${accountId} AND key = ANY(${texts(some.map(({ key }) => key))}::text[])
          AND created_at <= ${before}`;
    }
  }
}
