import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system that a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all space that is left. */
  fill(): void;
  /** Gives that space back. */
  empty(): void;
  remove(): void;
}

const CHUNK = Buffer.alloc(64 * 1024, 1);

/** Mounts a file system of `megabytes` in memory; needs the rights of root. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-disk-'));
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      try {
        // Fills the last bytes too: the last write stores only a part of a chunk.
        while (writeSync(file, CHUNK) > 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      // Lazily: a process that ends may still have a file open.
      run('umount', '-l', folder);
      rmdirSync(folder);
    },
  };
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
}
