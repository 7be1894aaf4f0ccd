import type { Readable } from 'node:stream';
import type { TransactionSql } from '../../database/connection.ts';
import type { Work } from '../../engine/work/work.ts';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import type { ByteRange } from '../../kit/http/byte-range.ts';
import { idFloor } from '../../kit/ids.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import { findFile, insertFile, type MediaFile, mediaState } from './rows.ts';
import {
  digestOf,
  fileNameOf,
  isSendable,
  type MediaKind,
  outgoingLimits,
  sendableTypes,
  typeOf,
} from './rules.ts';
import type { Sniffer } from './sniffer.ts';
import { OverLimit, type Spool, type SpooledFile } from './spool.ts';
import { keyOf, type MediaStore } from './store.ts';

/** Kind of background work: to fetch a file, by the id of its row. */
export const MEDIA_FETCH = 'media-fetch';
const DAY_MS = 86_400_000;
/** Age after which an unfinished upload counts as abandoned: its process was killed. */
const UPLOAD_MS = 3_600_000;
/** Files that one statement reads for deletion, and how many of them are deleted concurrently. */
const DELETED_AT_ONCE = 500;
const DELETED_SIDE_BY_SIDE = 4;

/** Where files are received, checked and stored. */
export interface MediaFiles {
  readonly store: MediaStore;
  readonly spool: Spool;
  readonly sniffer: Sniffer;
}

export interface MediaDeps extends MediaFiles, Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly budgets: Pick<BudgetBook, 'take' | 'tryTake'>;
  /** Retention of files in days. */
  readonly keepDays: number;
  readonly work: Work;
}

/** A file that a client sent, as described by the webhook. */
export interface IncomingFile {
  readonly kind: MediaKind;
  readonly mimeType: string;
  readonly fileName: string;
  /** Hexadecimal or base64; any other value counts as unknown. */
  readonly sha256: string;
  /** Origin that fetches it (`MediaFetches`), our number that received it, and its id at the origin. */
  readonly from: { readonly origin: string; readonly number: string; readonly id: string };
}

/** A file that a person uploads to send it. */
interface Upload {
  readonly kind: MediaKind;
  readonly fileName: string;
  /** Bytes of the content; undefined when the size is unknown until the end. */
  readonly size: number | undefined;
  readonly content: AsyncIterable<Buffer>;
}

/** The files of chat messages: their rows, and their bytes in the media store. */
export class Media {
  readonly #deps: MediaDeps;

  constructor(deps: MediaDeps) {
    this.#deps = deps;
  }

  /**
   * Records a file to fetch, in the transaction that stores its message. Returns its id, with which its state can be read
   * from then.
   */
  async expect(tx: TransactionSql, accountId: number, file: IncomingFile): Promise<number> {
    const { ids, work } = this.#deps;
    const { kind, mimeType, fileName, sha256, from } = file;
    const id = ids.next();
    const state = mediaState.pending;
    await insertFile(tx, {
      ...{ accountId, id, kind, state, mimeType, from },
      fileName: fileNameOf(fileName),
      sha256: digestOf(sha256),
      size: null,
    });
    await work.add(tx, { accountId, kind: MEDIA_FETCH, key: id });
    return id;
  }

  /** Returns a file of an account; undefined when the id does not exist. */
  find(accountId: number, id: number): Promise<MediaFile | undefined> {
    return findFile(this.#deps.sql, accountId, id);
  }

  /** Returns the bytes of a stored file; undefined when retention has deleted it in the meantime. */
  read(
    { accountId, id }: Pick<MediaFile, 'accountId' | 'id'>,
    range?: ByteRange,
  ): Promise<Readable | undefined> {
    return this.#deps.store.read(keyOf(accountId, id), range);
  }

  /**
   * Stores a file to be sent. Throws Refusal: `too-large` over the platform's limit of the kind, `over-budget` before any
   * write when the file would exceed the account's budget, `bad-field` for a type that the platform does not accept as this
   * kind; also errors of `content`. A file of unknown size counts as the largest file of its kind.
   */
  async upload(accountId: number, { kind, fileName: told, size, content }: Upload): Promise<MediaFile> {
    const { sql, spool } = this.#deps;
    const fileName = fileNameOf(told);
    const maxBytes = outgoingLimits[kind];
    if (size !== undefined && size > maxBytes) throw tooLarge(kind);
    const id = await this.#reserve(accountId, kind, fileName, size ?? maxBytes);
    let file: SpooledFile | undefined;
    try {
      file = await spool.receive(content, { maxBytes }).catch((error: unknown) => {
        throw error instanceof OverLimit ? tooLarge(kind) : error;
      });
      if (file.size === 0) throw badField('file', 'is empty', 'missing');
      const mimeType = await this.typeOf(file, kind, fileName);
      if (mimeType === null || !isSendable(kind, mimeType)) {
        const wanted = sendableTypes(kind).join(', ');
        throw badField('file', `must be one of ${wanted} for the kind ${kind}`, 'file-type');
      }
      return await this.#keep(accountId, id, { kind, fileName, mimeType }, file);
    } catch (error) {
      // Once the row has a digest, the store may have the file, so `cleanUp` removes both later.
      await sql`
        DELETE FROM media
        WHERE account_id = ${accountId} AND id = ${id} AND state = ${mediaState.uploading} AND sha256 = ''`;
      throw error;
    } finally {
      await file?.discard();
    }
  }

  /** Detects the type of a file from its content; null when the content does not match the kind. */
  async typeOf(file: Pick<SpooledFile, 'path'>, kind: MediaKind, fileName: string): Promise<string | null> {
    return typeOf({ kind, fileName }, await this.#deps.sniffer.read(file.path));
  }

  /**
   * Charges an upload to the account's budget and inserts its row together, so that concurrent uploads cannot exceed the
   * limit. Returns the id of the row.
   */
  async #reserve(accountId: number, kind: MediaKind, fileName: string, size: number): Promise<number> {
    const { sql, ids, budgets } = this.#deps;
    const id = ids.next();
    await sql.begin(async (tx) => {
      await budgets.take(tx, accountId, 'files', { count: 1, bytes: size });
      await insertFile(tx, {
        ...{ accountId, id, kind, fileName, size, mimeType: '', sha256: '', from: null },
        state: mediaState.uploading,
      });
    });
    return id;
  }

  /**
   * Moves an upload into the store. The digest is written to the row first, because the row is deleted together with the
   * stored file.
   */
  async #keep(
    accountId: number,
    id: number,
    told: Pick<MediaFile, 'kind' | 'fileName' | 'mimeType'>,
    file: SpooledFile,
  ): Promise<MediaFile> {
    const { sql, store } = this.#deps;
    const { size, sha256 } = file;
    const { count } = await sql`
      UPDATE media SET mime_type = ${told.mimeType}, size = ${size}, sha256 = ${sha256}
      WHERE account_id = ${accountId} AND id = ${id}`;
    if (count === 0)
      throw new Refusal('not-now', 'the upload took too long', undefined, { reason: 'upload-too-slow' });
    await store.put(keyOf(accountId, id), file, told.mimeType);
    const state = mediaState.stored;
    await sql`UPDATE media SET state = ${state} WHERE account_id = ${accountId} AND id = ${id}`;
    return { id, accountId, ...told, state, size, sha256, problem: '', detail: '' };
  }

  /**
   * Deletes a file, its bytes first: a file without a row would never be deleted. Returns the number of deleted files, 0 or
   * 1.
   */
  async remove(accountId: number, id: number): Promise<number> {
    const { sql, store } = this.#deps;
    await store.remove(keyOf(accountId, id));
    const { count } = await sql`DELETE FROM media WHERE account_id = ${accountId} AND id = ${id}`;
    return count;
  }

  /** Deletes expired files, interrupted uploads, and files of killed processes in the spool. */
  async cleanUp(): Promise<void> {
    const { clock, keepDays, spool } = this.#deps;
    await spool.cleanUp();
    const now = clock.now();
    await this.#delete(idFloor(now - keepDays * DAY_MS), false);
    await this.#delete(idFloor(now - UPLOAD_MS), true);
  }

  /** Deletes files of an account that are older than an id, at most a few hundred. Returns how many there were. */
  async deleteOf(accountId: number, before: number): Promise<number> {
    const { sql } = this.#deps;
    const rows = await sql<{ account_id: number; id: number }[]>`
      SELECT account_id, id FROM media
      WHERE account_id = ${accountId} AND id < ${before} AND state <> ${mediaState.uploading}
      ORDER BY id LIMIT ${DELETED_AT_ONCE}`;
    await this.#deleteFiles(rows);
    return rows.length;
  }

  /** Deletes files with ids below `before`; the row last, so that no file is left without a row. */
  async #delete(before: number, onlyUploading: boolean): Promise<void> {
    const { sql } = this.#deps;
    for (;;) {
      const rows = await sql<{ account_id: number; id: number }[]>`
        SELECT account_id, id FROM media
        WHERE id < ${before} AND (NOT ${onlyUploading}::boolean OR state = ${mediaState.uploading})
        ORDER BY id LIMIT ${DELETED_AT_ONCE}`;
      await this.#deleteFiles(rows);
      if (rows.length < DELETED_AT_ONCE) return;
    }
  }

  async #deleteFiles(rows: readonly { readonly account_id: number; readonly id: number }[]): Promise<void> {
    const due = rows.values();
    const work = async () => {
      for (const { account_id: accountId, id } of due) {
        await this.remove(accountId, id);
      }
    };
    await Promise.all(Array.from({ length: DELETED_SIDE_BY_SIDE }, work));
  }
}

const KIB = 1024;

function tooLarge(kind: MediaKind): Refusal {
  const max = outgoingLimits[kind];
  const said = max >= KIB * KIB ? `${max / KIB / KIB} MiB` : `${max / KIB} KiB`;
  return new Refusal('too-large', `is over ${said}, the limit of the kind ${kind}`, 'file');
}
