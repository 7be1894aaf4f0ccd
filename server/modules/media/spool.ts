import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A completely received file. `discard` removes it, unless the store has moved it away. */
export interface SpooledFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  discard(): Promise<void>;
}

/** A file exceeds the limit passed to `receive`. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit';
}

/** Age after which files of killed processes are removed; longer than any upload takes. */
const LEFT_BEHIND_MS = 3_600_000;

/** Receives files into a local folder, before they are checked and stored. */
export class Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Receives a file; resolves when all of it is on disk. Throws OverLimit as soon as it exceeds `maxBytes`, errors of
   * `content`, and the error of `signal`; it leaves nothing behind after an error.
   */
  async receive(
    content: AsyncIterable<Buffer>,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<SpooledFile> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, randomUUID());
    const hash = createHash('sha256');
    let size = 0;
    async function* measured(pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        size += piece.length;
        if (size > maxBytes) throw new OverLimit(`over ${maxBytes} bytes`);
        hash.update(piece);
        yield piece;
      }
    }
    const discard = () => rm(path, { force: true });
    try {
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(content, measured, file, signal ? { signal } : {});
    } catch (error) {
      await discard();
      throw error;
    }
    return { path, size, sha256: hash.digest('hex'), discard };
  }

  /** Removes files of killed processes. */
  async cleanUp(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      // Both times are from the machine's clock, as the time of the file is.
      const changedAt = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      if (changedAt !== undefined && Date.now() - changedAt > LEFT_BEHIND_MS) await rm(path, { force: true });
    }
  }
}
