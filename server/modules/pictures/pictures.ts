import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Queryable, Sql } from '../../database/connection.ts';
import { BatchedLookup } from '../../kit/batched-lookup.ts';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import { idFloor } from '../../kit/ids.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import type { BudgetAmounts } from '../budgets/kinds.ts';
import type { MediaFiles } from '../media/media.ts';
import { fileNameOf, typeOf } from '../media/rules.ts';
import { OverLimit, type SpooledFile } from '../media/spool.ts';
import { keyOf } from '../media/store.ts';

const MIB = 1024 * 1024;
/** Maximum size in bytes: emails load pictures on phones. */
const MAX_BYTES = 2 * MIB;
/** Types that every email program displays; Outlook does not display WebP. */
const TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif']);
/** Random bytes of a code. Nobody guesses the address of a picture that has not been sent. */
const CODE_BYTES = 16;
/** Age after which an unfinished upload counts as abandoned: its process was killed. */
const UPLOAD_MS = 3_600_000;
/** The file of a deleted picture is gone, so its row may be cached. */
const CACHE = { maxAgeMs: 60_000, max: 5_000 };

interface PicturesDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly files: MediaFiles;
  readonly accounts: Pick<Accounts, 'removeLogo'>;
  readonly budgets: Pick<BudgetBook, 'take'>;
}

/** A stored picture of an account. */
export interface Picture {
  readonly id: number;
  readonly accountId: number;
  /** The end of its address. */
  readonly code: string;
  /** Name of the uploaded file; empty without one. */
  readonly name: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A picture that a person uploads. */
interface Upload {
  readonly name: string;
  /** Bytes of the content; undefined when the size is unknown until the end. */
  readonly size: number | undefined;
  readonly content: AsyncIterable<Buffer>;
}

/** Pictures of emails and logos. They are public, and are kept until they are deleted: sent emails show them for years. */
export class Pictures {
  readonly #deps: PicturesDeps;
  readonly #byCode: BatchedLookup<string, Picture>;

  constructor(deps: PicturesDeps) {
    this.#deps = deps;
    this.#byCode = new BatchedLookup({ read: (codes) => readByCode(deps.sql, codes), cache: CACHE });
  }

  /**
   * Stores a picture. Throws Refusal: `too-large` over 2 MiB, `over-budget` before any write when it would exceed the
   * account's budget `files`, `bad-field` for a file that is no JPEG, PNG or GIF; also errors of `content`.
   */
  async add(accountId: number, { name: told, size, content }: Upload): Promise<Picture> {
    if (size !== undefined && size > MAX_BYTES) throw tooLarge();
    const { spool } = this.#deps.files;
    const picture = await this.#reserve(accountId, fileNameOf(told), size ?? MAX_BYTES);
    let file: SpooledFile | undefined;
    try {
      file = await spool.receive(content, { maxBytes: MAX_BYTES }).catch((error: unknown) => {
        throw error instanceof OverLimit ? tooLarge() : error;
      });
      return await this.#keep(picture, file);
    } catch (error) {
      await this.#discard(accountId, picture.id);
      throw error;
    } finally {
      await file?.discard();
    }
  }

  /** Returns up to `limit` pictures of an account, the latest first. `before` is the last id of the previous page. */
  list(
    accountId: number,
    { before, limit }: { before?: number | undefined; limit: number },
  ): Promise<Picture[]> {
    const { sql } = this.#deps;
    return sql<Picture[]>`
      SELECT ${columns(sql)} FROM pictures
      WHERE account_id = ${accountId} AND stored AND id < ${before ?? Number.MAX_SAFE_INTEGER}
      ORDER BY id DESC LIMIT ${limit}`;
  }

  /** Returns a picture of an account; undefined when the id does not exist. */
  async find(accountId: number, id: number): Promise<Picture | undefined> {
    const { sql } = this.#deps;
    const [row] = await sql<Picture[]>`
      SELECT ${columns(sql)} FROM pictures WHERE account_id = ${accountId} AND id = ${id} AND stored`;
    return row;
  }

  /** Returns the picture with a code; undefined for an unknown code. */
  byCode(code: string): Promise<Picture | undefined> {
    return this.#byCode.get(code);
  }

  /** Returns the bytes of a picture; undefined when it was deleted in the meantime. */
  read({ accountId, id }: Pick<Picture, 'accountId' | 'id'>): Promise<Readable | undefined> {
    return this.#deps.files.store.read(keyOf(accountId, id));
  }

  /** Deletes a picture, also as a logo. Emails that were sent with it show their alternative text. */
  async remove({ accountId, id, code }: Picture): Promise<void> {
    await this.#deps.accounts.removeLogo(accountId, code);
    await this.#discard(accountId, id);
    this.#byCode.forget(code);
  }

  /** Deletes interrupted uploads. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    const rows = await sql<{ account_id: number; id: number }[]>`
      SELECT account_id, id FROM pictures WHERE NOT stored AND id < ${idFloor(clock.now() - UPLOAD_MS)}`;
    for (const { account_id: accountId, id } of rows) await this.#discard(accountId, id);
  }

  /** Takes from the budget and inserts the row together, so that concurrent uploads cannot exceed the limit. */
  async #reserve(accountId: number, name: string, size: number) {
    const { sql, ids, budgets } = this.#deps;
    const picture = { accountId, id: ids.next(), code: randomBytes(CODE_BYTES).toString('base64url'), name };
    await sql.begin(async (tx) => {
      await budgets.take(tx, accountId, 'files', { count: 1, bytes: size });
      await tx`
        INSERT INTO pictures (account_id, id, code, name, size)
        VALUES (${accountId}, ${picture.id}, ${picture.code}, ${name}, ${size})`;
    });
    return picture;
  }

  async #keep(
    picture: Pick<Picture, 'accountId' | 'id' | 'code' | 'name'>,
    file: SpooledFile,
  ): Promise<Picture> {
    const { sql, files } = this.#deps;
    const { accountId, id, name } = picture;
    const { size, sha256 } = file;
    if (size === 0) throw badField('file', 'is empty', 'missing');
    const mimeType = typeOf({ kind: 'image', fileName: name }, await files.sniffer.read(file.path));
    if (mimeType === null || !TYPES.has(mimeType))
      throw badField('file', `must be one of ${[...TYPES].join(', ')}`, 'picture-type');
    await files.store.put(keyOf(accountId, id), file, mimeType);
    const { count } = await sql`
      UPDATE pictures SET mime_type = ${mimeType}, size = ${size}, sha256 = ${sha256}, stored = true
      WHERE account_id = ${accountId} AND id = ${id}`;
    if (count === 0)
      throw new Refusal('not-now', 'the upload took too long', undefined, { reason: 'upload-too-slow' });
    return { ...picture, mimeType, size, sha256 };
  }

  /** Deletes the bytes first: a file without a row would never be deleted. */
  async #discard(accountId: number, id: number): Promise<void> {
    const { sql, files } = this.#deps;
    await files.store.remove(keyOf(accountId, id));
    await sql`DELETE FROM pictures WHERE account_id = ${accountId} AND id = ${id}`;
  }
}

const columns = (sql: Queryable) => sql`
  id, account_id AS "accountId", code, name, mime_type AS "mimeType", size, sha256`;

async function readByCode(sql: Sql, codes: readonly string[]): Promise<Map<string, Picture>> {
  const rows = await sql<Picture[]>`
    SELECT ${columns(sql)} FROM pictures WHERE code = ANY(${[...codes]}::text[]) AND stored`;
  return new Map(rows.map((row) => [row.code, row]));
}

/** Number and bytes of an account's pictures, both stored ones and uploads in progress. */
export async function heldPictures(sql: Queryable, accountId: number): Promise<BudgetAmounts> {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    SELECT count(*)::int AS count, coalesce(sum(size), 0)::bigint AS bytes FROM pictures
    WHERE account_id = ${accountId}`;
  return { ...row!, credits: 0 };
}

const tooLarge = () => new Refusal('too-large', `is over ${MAX_BYTES / MIB} MiB`, 'file');
