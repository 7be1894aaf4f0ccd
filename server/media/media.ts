import type { Readable } from 'node:stream';
import type { BudgetBook } from '../budgets/budgets.ts';
import type { Context } from '../context.ts';
import type { TransactionSql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import type { ByteRange } from '../http/byte-range.ts';
import { idFloor } from '../ids.ts';
import type { Work } from '../work/work.ts';
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
/** An upload of which nothing was heard for so long was cut off with its process. */
const UPLOAD_MS = 3_600_000;
/** Files to be deleted that are read in one statement, and of these are deleted at a time. */
const DELETED_AT_ONCE = 500;
const DELETED_SIDE_BY_SIDE = 4;

export interface MediaDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly store: MediaStore;
  readonly spool: Spool;
  readonly sniffer: Sniffer;
  readonly budgets: Pick<BudgetBook, 'take' | 'tryTake'>;
  /** How long files are kept, in days. */
  readonly keepDays: number;
  readonly work: Work;
}

/** A file that a client sent, as the webhook told of it. */
export interface IncomingFile {
  readonly kind: MediaKind;
  readonly mimeType: string;
  readonly fileName: string;
  /** Hexadecimal or base64; anything else counts as unknown. */
  readonly sha256: string;
  /** Who fetches it (`MediaFetches`), for which number of ours, by which id of theirs. */
  readonly from: { readonly origin: string; readonly number: string; readonly id: string };
}

/** A file that somebody uploads to send it. */
interface Upload {
  readonly kind: MediaKind;
  readonly fileName: string;
  /** Bytes of the content; undefined: not known before it ends. */
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
   * Notes a file that is to be fetched, in the transaction that stores the message with it. Its id, by which it can be asked
   * for from then on.
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

  /** A file of an account; undefined when there is none. */
  find(accountId: number, id: number): Promise<MediaFile | undefined> {
    return findFile(this.#deps.sql, accountId, id);
  }

  /** The bytes of a stored file; undefined when its time was over meanwhile. */
  read(
    { accountId, id }: Pick<MediaFile, 'accountId' | 'id'>,
    range?: ByteRange,
  ): Promise<Readable | undefined> {
    return this.#deps.store.read(keyOf(accountId, id), range);
  }

  /**
   * Stores a file that is to be sent. Throws Refusal: `too-large` for one over the platform's limit of its kind, `over-budget`
   * before anything is written when the account has no room for it, `bad-field` for one of a type that the platform does not
   * take as this kind; and what `content` throws. A file of unknown size needs room for the largest file of its kind.
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
      if (file.size === 0) throw new Refusal('bad-field', 'is empty', 'file', { reason: 'missing' });
      const mimeType = await this.typeOf(file, kind, fileName);
      if (mimeType === null || !isSendable(kind, mimeType)) {
        const wanted = sendableTypes(kind).join(', ');
        throw new Refusal('bad-field', `must be one of ${wanted} for the kind ${kind}`, 'file', {
          reason: 'file-type',
        });
      }
      return await this.#keep(accountId, id, { kind, fileName, mimeType }, file);
    } catch (error) {
      // After this, `cleanUp` removes the row: the store may have the file.
      await sql`
        DELETE FROM media
        WHERE account_id = ${accountId} AND id = ${id} AND state = ${mediaState.uploading} AND sha256 = ''`;
      throw error;
    } finally {
      await file?.discard();
    }
  }

  /** What a file is by its content; null when it is none of the kind. */
  async typeOf(file: Pick<SpooledFile, 'path'>, kind: MediaKind, fileName: string): Promise<string | null> {
    return typeOf({ kind, fileName }, await this.#deps.sniffer.read(file.path));
  }

  /**
   * Takes the bytes of an upload from the budget of the account, together with its row: concurrent uploads cannot pass the
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

  /** Moves an upload into the store. The row has its digest first: it is deleted together with the stored file. */
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
    if (count === 0) throw new Refusal('not-now', 'the upload took too long');
    await store.put(keyOf(accountId, id), file, told.mimeType);
    const state = mediaState.stored;
    await sql`UPDATE media SET state = ${state} WHERE account_id = ${accountId} AND id = ${id}`;
    return { id, accountId, ...told, state, size, sha256, problem: '', detail: '' };
  }

  /** Deletes a file, with its bytes first: a file without a row would never be deleted. How many there were, 0 or 1. */
  async remove(accountId: number, id: number): Promise<number> {
    const { sql, store } = this.#deps;
    await store.remove(keyOf(accountId, id));
    const { count } = await sql`DELETE FROM media WHERE account_id = ${accountId} AND id = ${id}`;
    return count;
  }

  /** Deletes files whose time is over, uploads that were cut off, and what killed processes left in the spool. */
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

  /** Deletes files that are older than an id; the row last, so that a file without a row is none. */
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
