import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange } from '../../kit/http/byte-range.ts';
import type { SpooledFile } from './spool.ts';
import type { MediaStore } from './store.ts';

/** Files in a folder of this machine, or one that every machine of the service has mounted. */
export class FolderStore implements MediaStore {
  readonly #folder: string;

  /** The spool must be on the file system of `folder`, because files are renamed from one to the other. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(key: string, { path }: SpooledFile): Promise<void> {
    const target = join(this.#folder, key);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(path, target);
    await syncFolder(dirname(target));
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = await open(join(this.#folder, key)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return file?.createReadStream(range && { start: range.first, end: range.last });
  }

  async remove(key: string): Promise<void> {
    const path = join(this.#folder, key);
    await rm(path, { force: true });
    // Removes the folder of the day if it is empty.
    await rmdir(dirname(path)).catch(() => undefined);
  }

  async close(): Promise<void> {}
}

/** A name in a folder survives a power failure once the folder is on the disk, too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
