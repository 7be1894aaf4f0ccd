/*
 * Writes what the tests of the next release need of this one, into test/upgrade/release: its data after a kill
 * (data.tar.zst), its program (program.tar.zst), and what it answered (history.json). Run in the tree of the release:
 * `node test/upgrade/write-release.ts`.
 */
import { createWriteStream, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { pack } from 'tar-stream';
import { readMigrations } from '../../server/database/migration-files.ts';
import { Installation } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { makeHistory, TOKEN } from './history.ts';

const root = join(import.meta.dirname, '../..');
const release = join(import.meta.dirname, 'release');
/** The catalogs of the four databases of a cluster are alike: a window over all of them makes a fourth of the file. */
const WINDOW_LOG = 27;

rmSync(release, { recursive: true, force: true });
await mkdir(release, { recursive: true });
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
const installation = new Installation(
  { SANDBOX: 'on', SANDBOX_RECEIPT_DELAY_MS: '50', CARILLON_DEMO_TOKEN: TOKEN },
  { empty: true },
);
const history = await makeHistory(await installation.start());
process.kill(installation.postmaster()!, 'SIGINT');
await waitFor('PostgreSQL has stopped', () => installation.postmaster() === undefined);
await write('data', installation.folder, ['postgres', 'postgres.password', 'media']);
await write('program', root, ['server', 'client/src', 'package.json']);
const migration = (await readMigrations()).at(-1)!.number;
await writeFile(join(release, 'history.json'), `${JSON.stringify({ version, migration, ...history })}\n`);

/** Packs what is there of some paths of a folder. */
async function write(name: string, folder: string, paths: readonly string[]): Promise<void> {
  const archive = pack();
  const written = pipeline(
    archive,
    createZstdCompress({
      params: {
        [constants.ZSTD_c_compressionLevel]: 22,
        [constants.ZSTD_c_windowLog]: WINDOW_LOG,
        [constants.ZSTD_c_enableLongDistanceMatching]: 1,
      },
    }),
    createWriteStream(join(release, `${name}.tar.zst`)),
  );
  for (const path of paths) await add(join(folder, path));
  archive.finalize();
  await written;

  async function add(path: string): Promise<void> {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return;
    const header = { name: relative(folder, path), mode: found.mode & 0o777 };
    if (found.isDirectory()) {
      archive.entry({ ...header, type: 'directory' });
      // The tests of the next release run the sources.
      for (const name of readdirSync(path).sort()) if (name !== 'dist') await add(join(path, name));
    } else archive.entry(header, await readFile(path));
  }
}
