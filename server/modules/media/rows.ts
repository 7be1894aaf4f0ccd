import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { BudgetAmounts } from '../budgets/kinds.ts';
import type { MediaKind, MediaProblem } from './rules.ts';

/** States of a file. */
export const mediaState = { pending: 0, stored: 1, failed: 2, uploading: 3 } as const;

/** Names of the states in responses. Running uploads are not visible. */
export const stateNames = ['pending', 'stored', 'failed'] as const;

/** A file of an account. */
export interface MediaFile {
  readonly id: number;
  readonly accountId: number;
  readonly kind: MediaKind;
  readonly state: (typeof mediaState)[keyof typeof mediaState];
  /** Type as the sender declared it; of a stored file, the detected type. */
  readonly mimeType: string;
  /** Empty without a name. */
  readonly fileName: string;
  /** Bytes; null while unknown. */
  readonly size: number | null;
  /** Hexadecimal; empty while unknown. */
  readonly sha256: string;
  /** Reason of the failure; for a pending file, of the last failed attempt. Empty without one. */
  readonly problem: MediaProblem | '';
  /** Explanation of the problem as text. */
  readonly detail: string;
}

const columns = (sql: Queryable) => sql`
  id, account_id AS "accountId", kind, state, mime_type AS "mimeType", file_name AS "fileName", size, sha256, problem, detail`;

/** Returns a file of an account; undefined when the id does not exist, or the upload has not ended. */
export async function findFile(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<MediaFile | undefined> {
  const [row] = await sql<MediaFile[]>`
    SELECT ${columns(sql)} FROM media
    WHERE account_id = ${accountId} AND id = ${id} AND state <> ${mediaState.uploading}`;
  return row;
}

/** Fields of a file at its creation. */
export interface NewFile {
  readonly accountId: number;
  readonly id: number;
  readonly kind: MediaKind;
  readonly state: MediaFile['state'];
  readonly mimeType: string;
  readonly fileName: string;
  /** Hexadecimal; empty if unknown. */
  readonly sha256: string;
  /** Bytes to reserve from the account's budget; null if none are reserved yet. */
  readonly size: number | null;
  /** Source to fetch from; null for an upload. */
  readonly from: { readonly origin: string; readonly number: string; readonly id: string } | null;
}

export async function insertFile(tx: Queryable | TransactionSql, file: NewFile): Promise<void> {
  const { accountId, id, kind, state, mimeType, fileName, sha256, size, from } = file;
  await tx`
    INSERT INTO media (account_id, id, kind, state, mime_type, file_name, size, sha256, origin, origin_number, origin_id,
      problem, detail, attempts, lease_until)
    VALUES (${accountId}, ${id}, ${kind}, ${state}, ${mimeType}, ${tx.waitingText(accountId, fileName)}, ${size}, ${sha256}, ${from?.origin ?? ''},
      ${from?.number ?? ''}, ${from?.id ?? ''}, '', '', 0, 0)`;
}

/** Number and bytes of an account's files, both stored ones and uploads in progress. */
export async function heldFiles(sql: Queryable, accountId: number): Promise<BudgetAmounts> {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    SELECT count(*)::int AS count, coalesce(sum(size), 0)::bigint AS bytes FROM media
    WHERE account_id = ${accountId} AND size IS NOT NULL`;
  return { ...row!, credits: 0 };
}
