import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import {
  access,
  chown,
  constants,
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Header, type Pack, pack } from 'tar-stream';
import type { Sql } from './connection.ts';
import type { Tables } from './define-tables.ts';
import { DataFolderError, findPlace, type Place } from './embedded-files.ts';
import { readMigrations } from './migration-files.ts';

/*
 * Backups of the embedded PostgreSQL while the service runs, by PostgreSQL's interface for that (PostgreSQL 18, "Making
 * a Base Backup Using the Low Level API"): the files of the cluster, copied while they change, and the write-ahead log
 * that makes them consistent. An archive is a tar.gz with a manifest, the cluster, its password, and the media folder.
 * It does not contain the key of the secrets.
 */

const MANIFEST = 'carillon-backup.json';
const CLUSTER = 'postgres';
const PASSWORD = 'postgres.password';
const MEDIA = 'media';
/** Bytes of a file read at a time. */
const CHUNK = 262_144;
/** Maximum duration of the session of a backup, in milliseconds. A cluster of 100 GB takes a quarter of an hour. */
const DEADLINE_MS = 6 * 3_600_000;
/** File names in the write-ahead log. */
const SEGMENT = /^[0-9A-F]{24}$/;

/**
 * Files that a cluster recreates at its start (PostgreSQL, "Backing Up the Data Directory"), and our log. For folders,
 * only their files are left out; the empty folders stay.
 */
const leftOut = [
  /^postmaster\.(pid|opts)$/,
  /^pg_wal\/./,
  /^pg_(dynshmem|notify|replslot|serial|snapshots|stat_tmp|subtrans)\/./,
  /(^|\/)pgsql_tmp/,
  /(^|\/)pg_internal\.init/,
  /^log\/./,
  /^backup_label(\.old)?$/,
  /^tablespace_map$/,
];

/** Manifest of an archive. */
export interface Manifest {
  readonly program: 'carillon';
  /** Start time (ISO 8601). */
  readonly startedAt: string;
  readonly postgres: number;
  /** Number of the last migration of the schema. */
  readonly migration: number;
}

export interface BackupReport {
  readonly file: string;
  /** Size of the archive. */
  readonly bytes: number;
  /** Number of files of the cluster and of media. */
  readonly files: number;
}

interface BackupDeps {
  readonly tables: Pick<Tables, 'migrationFolders'>;
  /** Pool of the embedded server. */
  readonly sql: Sql;
  readonly dataDir: string;
  /** Undefined when the files of chat messages are stored elsewhere. */
  readonly mediaDir: string | undefined;
}

/**
 * Writes an archive of the embedded database and of the media folder while the service runs. It contains everything
 * that was committed when the copy of the cluster ended. The file gets its final name when it is complete.
 *
 * @throws DataFolderError for an existing file, for a folder that is missing or cannot be written, for a full disk, and
 * for a server started by a version without backups
 */
export async function writeBackup(
  { tables, sql, dataDir, mediaDir }: BackupDeps,
  file: string,
): Promise<BackupReport> {
  if (existsSync(file)) throw new DataFolderError(`${file} is there already`);
  await requireWritable(dirname(file), file);
  const place = await findPlace(dataDir);
  const part = `${file}.part`;
  const archive = pack();
  let files = 0;
  const add = async (folder: string, name: string, skip: (path: string) => boolean) => {
    for await (const path of pathsBelow(folder)) {
      if (skip(relative(folder, path))) continue;
      if (await addFile(archive, path, join(name, relative(folder, path)))) files++;
    }
  };
  const written = pipeline(archive, createGzip({ level: 1 }), createWriteStream(part, { mode: 0o600 }));
  // The first failure: later additions fail with another message, that the archive is destroyed.
  let failure: Error | undefined;
  written.catch((error: Error) => {
    failure = error;
  });
  const session = await sql.reserve({ deadlineMs: DEADLINE_MS });
  try {
    const [server] = await session<{ version: number; wal_level: string }[]>`
      SELECT current_setting('server_version_num')::int AS version, current_setting('wal_level') AS wal_level`;
    if (server!.wal_level === 'minimal') {
      throw new DataFolderError(
        'the PostgreSQL of this folder was started by a version of Carillon without backups (wal_level is minimal): restart the service, then run the backup again',
      );
    }
    await addText(
      archive,
      MANIFEST,
      JSON.stringify(manifestOf(server!.version, await lastMigration(tables)), null, 2),
    );
    await addFile(archive, join(place.folder, PASSWORD), PASSWORD);
    // Keeps the log files until this session ends.
    await session`SELECT pg_create_physical_replication_slot('carillon_backup', true, true)`;
    const [begun] = await session<{ segment: string }[]>`
      SELECT pg_walfile_name(pg_backup_start('carillon backup', true)) AS segment`;
    const cluster = join(place.folder, CLUSTER);
    await add(cluster, CLUSTER, (path) => leftOut.some((pattern) => pattern.test(path)));
    const [ended] = await session<{ label: string; map: string; segment: string }[]>`
      SELECT labelfile AS label, spcmapfile AS map, pg_walfile_name(lsn) AS segment FROM pg_backup_stop(false)`;
    await addText(archive, join(CLUSTER, 'backup_label'), ended!.label);
    if (ended!.map !== '') await addText(archive, join(CLUSTER, 'tablespace_map'), ended!.map);
    for (const name of await readdir(join(cluster, 'pg_wal'))) {
      if (!SEGMENT.test(name) || name < begun!.segment || name > ended!.segment) continue;
      await addFile(archive, join(cluster, 'pg_wal', name), join(CLUSTER, 'pg_wal', name));
    }
    if (mediaDir !== undefined && existsSync(mediaDir)) {
      // Files whose names begin with a full stop are incomplete uploads.
      await add(mediaDir, MEDIA, (path) => path.startsWith('.'));
    }
    archive.finalize();
    await written;
    await settle(part, file);
    return { file, bytes: (await stat(file)).size, files };
  } catch (error) {
    const notWritten = failure;
    archive.destroy();
    await written.catch(() => {});
    await rm(part, { force: true }).catch(() => {});
    if (notWritten) {
      throw new DataFolderError(`the backup cannot be written: ${notWritten.message}`, { cause: notWritten });
    }
    throw error;
  } finally {
    // With the session, its slot ends and an unfinished backup is cancelled.
    session.release();
  }
}

/** @throws DataFolderError if the folder of a backup is missing or cannot be written by this user */
async function requireWritable(folder: string, file: string): Promise<void> {
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DataFolderError(
      code === 'ENOENT'
        ? `there is no folder ${folder} for the backup ${basename(file)}: make it, or name another file`
        : `the backup cannot be written: ${message}`,
      { cause: error },
    );
  }
}

const lastMigration = async ({ migrationFolders }: Pick<Tables, 'migrationFolders'>) =>
  (await readMigrations(migrationFolders)).at(-1)!.number;

const manifestOf = (postgres: number, migration: number): Manifest => ({
  program: 'carillon',
  startedAt: new Date().toISOString(),
  postgres,
  migration,
});

/** Yields the files in a folder, recursively, and its empty folders. */
async function* pathsBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(absent([]));
  if (entries.length === 0) yield folder;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      yield path;
      yield* pathsBelow(path);
    } else if (entry.isFile()) yield path;
  }
}

/**
 * Returns a handler that replaces the error of a missing file: tables and log segments are dropped while the service
 * runs.
 */
const absent =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };

/** Adds an entry; resolves when it is in the archive. `write` must write exactly the number of bytes in the header. */
async function addEntry(
  archive: Pack,
  header: Partial<Header> & Pick<Header, 'name'>,
  write: (entry: ReturnType<Pack['entry']>) => Promise<void> = async () => {},
): Promise<void> {
  const { promise: added, resolve, reject } = Promise.withResolvers<null>();
  const entry = archive.entry(header, (error) => (error ? reject(error) : resolve(null)));
  // It fails when the archive fails, which may happen while the file is read.
  added.catch(() => {});
  await write(entry);
  entry.end(null);
  await added;
}

async function addText(archive: Pack, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await addEntry(archive, { name, mode: 0o600, size: bytes.length }, async (entry) => {
    entry.write(bytes);
  });
}

/**
 * Adds a file with the length that it had when opened. If it became shorter since, the rest is zeros, which replaying
 * the log overwrites. Returns false for a folder, and for a file that no longer exists.
 */
async function addFile(archive: Pack, path: string, name: string): Promise<boolean> {
  const handle = await open(path, 'r').catch(absent(undefined));
  if (!handle) return false;
  try {
    const status = await handle.stat();
    if (status.isDirectory()) {
      await addEntry(archive, { name, type: 'directory', mode: 0o700 });
      return false;
    }
    await addEntry(archive, { name, size: status.size, mode: 0o600 }, async (entry) => {
      for (let at = 0; at < status.size; ) {
        const bytes = Buffer.alloc(Math.min(CHUNK, status.size - at));
        await handle.read(bytes, 0, bytes.length, at);
        at += bytes.length;
        if (!entry.write(bytes)) await once(entry, 'drain');
      }
    });
    return true;
  } finally {
    await handle.close();
  }
}

/** Flushes a written file to the disk and gives it its final name. */
async function settle(part: string, file: string): Promise<void> {
  const handle = await open(part, 'r');
  await handle.sync();
  await handle.close();
  await rename(part, file);
}

interface RestoreDeps {
  readonly tables: Pick<Tables, 'migrationFolders'>;
  readonly dataDir: string;
  /** Undefined when the files of chat messages are stored elsewhere: those of the archive are then left out. */
  readonly mediaDir: string | undefined;
}

/**
 * Unpacks an archive into a data folder without a database. At its next start, the service brings the cluster up to
 * date from its log. If unpacking fails, nothing is left behind.
 *
 * @throws DataFolderError for a file that is not an archive of `writeBackup`, for one of another PostgreSQL or of a
 * later version of the program, and for a folder that has a database
 */
export async function restoreBackup(
  { tables, dataDir, mediaDir }: RestoreDeps,
  file: string,
): Promise<Manifest> {
  const place = await findPlace(dataDir);
  const cluster = join(place.folder, CLUSTER);
  if (existsSync(cluster)) {
    throw new DataFolderError(`${place.folder} has a database: set DATA_DIR to an empty folder`);
  }
  const making = await mkdtemp(join(place.folder, 'restoring-'));
  try {
    const manifest = await unpack(file, making, place, await lastMigration(tables));
    if (mediaDir !== undefined && existsSync(join(making, MEDIA))) {
      await mkdir(mediaDir, { recursive: true });
      await cp(join(making, MEDIA), mediaDir, { recursive: true });
    }
    await rename(join(making, PASSWORD), join(place.folder, PASSWORD));
    await rename(join(making, CLUSTER), cluster);
    return manifest;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** Unpacks an archive into a folder, the cluster for the user of the server. Returns the manifest. */
async function unpack(file: string, folder: string, { as }: Place, known: number): Promise<Manifest> {
  const archive = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), archive);
  reading.catch(() => {});
  let manifest: Manifest | undefined;
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header;
      if (manifest === undefined) {
        manifest = await readManifest(name, entry, known);
        continue;
      }
      const path = join(folder, name);
      if (!isOurs(name))
        throw new DataFolderError(`${file} holds ${JSON.stringify(name)}, which is not ours`);
      if (type === 'directory') await mkdir(path, { recursive: true, mode: 0o700 });
      else {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await pipeline(entry, createWriteStream(path, { mode: 0o600 }));
      }
      if (as && name.startsWith(`${CLUSTER}/`)) {
        await chown(path, as.uid, as.gid);
        await chown(dirname(path), as.uid, as.gid);
      }
    }
    await reading;
  } catch (error) {
    if (error instanceof DataFolderError) throw error;
    throw new DataFolderError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (!existsSync(join(folder, CLUSTER, 'backup_label'))) {
    throw new DataFolderError(`${file} is not a whole backup`);
  }
  return manifest!;
}

/** Whether `writeBackup` writes files of this name. */
const isOurs = (name: string): boolean =>
  (name === PASSWORD || name.startsWith(`${CLUSTER}/`) || name.startsWith(`${MEDIA}/`) || name === CLUSTER) &&
  !name.split('/').includes('..');

async function readManifest(name: string, entry: AsyncIterable<unknown>, known: number): Promise<Manifest> {
  if (name !== MANIFEST) throw new DataFolderError('this is no backup of Carillon');
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  const manifest = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Manifest;
  if (manifest.migration > known) {
    throw new DataFolderError(
      `the backup has the schema ${manifest.migration}, this version knows ${known}: restore it with a newer one`,
    );
  }
  return manifest;
}
