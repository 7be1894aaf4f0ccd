import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { after } from 'node:test';
import { constants, createZstdDecompress } from 'node:zlib';
import { extract } from 'tar-stream';
import { findPlace } from '../../server/database/embedded-files.ts';
import type { History } from './history.ts';

/* The release before this version, as write-release.ts has written it down. */

const folder = join(import.meta.dirname, 'release');
const modules = join(import.meta.dirname, '../../node_modules');
const WINDOW_LOG = 27;

/** What the release had done when it was killed. */
export const history = JSON.parse(readFileSync(join(folder, 'history.json'), 'utf8')) as History & {
  /** The version of the release. */
  readonly version: string;
  /** The last migration that it knew. */
  readonly migration: number;
};

/** Unpacks the data of the release into an empty data folder, for the user of the embedded server. */
export async function unpackData(dataDir: string): Promise<void> {
  const { as } = await findPlace(dataDir);
  await unpack('data', dataDir, as && ((path) => chown(path, as.uid, as.gid)));
}

/** Unpacks the program of the release beside the packages of this version; its main file. Removed with the test file. */
export async function unpackProgram(): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'carillon-release-'));
  after(() => rm(place, { recursive: true, force: true }));
  await unpack('program', place);
  symlinkSync(modules, join(place, 'node_modules'));
  return join(place, 'server/main.ts');
}

async function unpack(name: string, into: string, own?: (path: string) => Promise<void>): Promise<void> {
  const archive = extract();
  const reading = pipeline(
    createReadStream(join(folder, `${name}.tar.zst`)),
    createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG } }),
    archive,
  );
  for await (const entry of archive) {
    const { name: inside, type, mode } = entry.header;
    const path = join(into, inside);
    if (type === 'directory') mkdirSync(path, { recursive: true, mode: mode! });
    else {
      mkdirSync(dirname(path), { recursive: true });
      await pipeline(entry, createWriteStream(path, { mode: mode! }));
    }
    await own?.(path);
    entry.resume();
  }
  await reading;
}
