import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file that came whole. `discard` removes it, unless the store has moved it away. */
export interface SpooledFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  discard(): Promise<void>;
}

/** A file is over the limit that it was received with. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit';
}

/** What a killed process has left behind is removed after this: longer than any file may take to come. */
const LEFT_BEHIND_MS = 3_600_000;

/** Takes files piece by piece into a folder of this machine, before they are looked at and stored. */
export class Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Takes a file; fulfilled when all of it is on the disk. Throws OverLimit as soon as it has more than `maxBytes`, what
   * `content` throws, and the error of `signal`; nothing is left of it then.
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

  /** Removes what killed processes have left. */
  async cleanUp(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      // By the machine's clock, as the file has it.
      const changedAt = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      if (changedAt !== undefined && Date.now() - changedAt > LEFT_BEHIND_MS) await rm(path, { force: true });
    }
  }
}
