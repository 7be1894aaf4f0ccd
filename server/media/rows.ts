import type { BudgetAmounts } from '../budgets/kinds.ts';
import type { Queryable, TransactionSql } from '../database/connection.ts';
import type { MediaKind, MediaProblem } from './rules.ts';

/** How far a file is. */
export const mediaState = { pending: 0, stored: 1, failed: 2, uploading: 3 } as const;

/** The names of the states, as answers have them. An upload that is under way is shown to nobody. */
export const stateNames = ['pending', 'stored', 'failed'] as const;

/** A file of an account. */
export interface MediaFile {
  readonly id: number;
  readonly accountId: number;
  readonly kind: MediaKind;
  readonly state: (typeof mediaState)[keyof typeof mediaState];
  /** As it was told; of a stored file as it is. */
  readonly mimeType: string;
  /** Empty for none. */
  readonly fileName: string;
  /** Bytes; null while that is not known. */
  readonly size: number | null;
  /** Hexadecimal; empty while it is not known. */
  readonly sha256: string;
  /** Why it failed; of a pending one what the last attempt met. Empty for nothing. */
  readonly problem: MediaProblem | '';
  /** The same in words. */
  readonly detail: string;
}

const columns = (sql: Queryable) => sql`
  id, account_id AS "accountId", kind, state, mime_type AS "mimeType", file_name AS "fileName", size, sha256, problem, detail`;

/** A file of an account; undefined when there is none, or it is still being uploaded. */
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

/** What is known of a file when it is first heard of. */
export interface NewFile {
  readonly accountId: number;
  readonly id: number;
  readonly kind: MediaKind;
  readonly state: MediaFile['state'];
  readonly mimeType: string;
  readonly fileName: string;
  /** Hexadecimal; empty for unknown. */
  readonly sha256: string;
  /** Bytes that it takes from the budget of the account; null: none yet. */
  readonly size: number | null;
  /** Where it is to be fetched; null for an upload. */
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

/** Files of chat messages that an account holds, with their bytes: those that are stored, and those that are being stored. */
export async function heldFiles(sql: Queryable, accountId: number): Promise<BudgetAmounts> {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    SELECT count(*)::int AS count, coalesce(sum(size), 0)::bigint AS bytes FROM media
    WHERE account_id = ${accountId} AND size IS NOT NULL`;
  return { ...row!, credits: 0 };
}
