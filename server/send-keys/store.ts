import { texts } from '../database/arrays.ts';
import { type Queryable, type Sql, violatedConstraint } from '../database/connection.ts';
import { type RowAccounts, rowsOf } from '../database/row-accounts.ts';

/** How long a key is known, in milliseconds. */
const SEND_KEY_MS = 86_400_000;

/** Keys that are removed at a time. */
const STEP = 5_000;

/** A key as the transaction that does the work stores it. */
export interface SendKeyRow {
  readonly key: string;
  readonly fingerprint: Buffer;
  /** JSON; null when it is sealed. */
  readonly answer: string | null;
  readonly sealedAnswer: Buffer | null;
  /** How far the clock of the program is ahead of the database's on purpose, in milliseconds (the sandbox). */
  readonly aheadMs: number;
}

/** A key that is there. */
export interface StoredSendKey {
  readonly fingerprint: Buffer;
  readonly answer: string | null;
  readonly sealedAnswer: Buffer | null;
}

/** The key of a request is there already, or was a moment ago: the work was undone. */
export class SendKeyTaken extends Error {
  override readonly name = 'SendKeyTaken';
}

/** Whether a transaction failed because another one had stored the same key. */
export function isSendKeyTaken(error: unknown): boolean {
  return error instanceof SendKeyTaken || violatedConstraint(error) === 'send_keys_pkey';
}

const hex = (bytes: Buffer | null) => bytes?.toString('hex') ?? null;
/** The database's clock in milliseconds: when its transaction began. */
const databaseTime = (sql: Queryable) => sql`(date_part('epoch', now()) * 1000)::bigint`;

/**
 * Inserts keys, as a statement or as a part of one. It waits for a transaction that is storing one of them, and rejects
 * with a violation that `isSendKeyTaken` knows when that is committed. Those of an account are given in the order of their
 * keys (`inOrderOfKeys`), so that two groups with the same ones do not wait for each other.
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
    SELECT ${account}, u.key, decode(u.fingerprint, 'hex'), u.answer, decode(u.sealed_answer, 'hex'),
      ${databaseTime(sql)} + ${aheadMs}::bigint
    FROM ${from}
      ${texts(rows.map(({ key }) => key))}::text[],
      ${texts(rows.map(({ fingerprint }) => hex(fingerprint)))}::text[],
      ${texts(rows.map(({ answer }) => answer))}::text[],
      ${texts(rows.map(({ sealedAnswer }) => hex(sealedAnswer)))}::text[]
    ) AS u (${named} key, fingerprint, answer, sealed_answer)
    ${where}`;
}

/** A group's own keys in the order in which they are inserted. */
export const inOrderOfKeys = <Row extends { readonly key: string }>(rows: readonly Row[]): readonly Row[] =>
  rows.length > 1 ? rows.toSorted((one, other) => (one.key < other.key ? -1 : 1)) : rows;

/** Which of these keys of an account are there, over or not. */
export async function knownSendKeys(
  sql: Queryable,
  accountId: number,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ key: string }[]>`
    SELECT key FROM send_keys WHERE account_id = ${accountId} AND key = ANY(${texts(keys)}::text[])`;
  return new Set(rows.map(({ key }) => key));
}

/** A key of an account. One that is over is removed, and not found. */
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
 * Forgets the answer of a key, for a sealed one that nobody can open any more. The key stays, with the fingerprint of no
 * request, so that a retry is refused and not done again.
 */
export async function discardAnswer(sql: Queryable, accountId: number, key: string): Promise<void> {
  await sql`
    UPDATE send_keys SET sealed_answer = NULL, answer = 'null', fingerprint = ''
    WHERE account_id = ${accountId} AND key = ${key}`;
}

/** Removes keys that are over, some thousand at a time, until none is left or `isStopping` says so. */
export async function removeOldSendKeys(sql: Sql, aheadMs: number, isStopping: () => boolean): Promise<void> {
  const [clock] = await sql<{ now: number }[]>`SELECT ${databaseTime(sql)} AS now`;
  const before = clock!.now + aheadMs - SEND_KEY_MS;
  for (let count = STEP; count === STEP && !isStopping(); ) {
    const rows = await sql<{ account_id: number; key: string }[]>`
      SELECT account_id, key FROM send_keys WHERE created_at <= ${before} ORDER BY created_at LIMIT ${STEP}`;
    count = rows.length;
    // Account by account, so that each is a statement of one shard
    // (docs/decisions/0005-sql-that-can-be-distributed.md).
    for (const [accountId, some] of Map.groupBy(rows, (row) => row.account_id)) {
      await sql`
        DELETE FROM send_keys
        WHERE account_id = ${accountId} AND key = ANY(${texts(some.map(({ key }) => key))}::text[])
          AND created_at <= ${before}`;
    }
  }
}
