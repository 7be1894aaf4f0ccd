import { createHmac } from 'node:crypto';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Maximum bytes of the path of a Unix socket: `sun_path` of macOS has 104 with the final zero. */
const MAX_PATH_BYTES = 100;

interface SocketName {
  /** Key of the installation. */
  readonly key: Buffer;
  readonly process: { readonly number: number; readonly boot: string };
  /** Folder in which the private folder is; by default that of the user's session, or the temporary folder. */
  readonly parent?: string;
}

/**
 * Returns the path for the socket of this process, in a folder that only its user can open, and removes sockets that
 * killed processes with its number have left. Undefined if this machine has no such folder. Throws system errors.
 */
export async function socketPath({
  key,
  process: { number, boot },
  parent = process.env.XDG_RUNTIME_DIR || tmpdir(),
}: SocketName): Promise<string | undefined> {
  const folder = await privateFolder(parent);
  if (folder === undefined) return undefined;
  const installation = createHmac('sha256', key).update('socket').digest('hex').slice(0, 12);
  const prefix = `${installation}-${number}-`;
  for (const name of await readdir(folder)) if (name.startsWith(prefix)) await removeDead(join(folder, name));
  const path = join(folder, `${prefix}${boot.slice(0, 8)}`);
  return Buffer.byteLength(path) <= MAX_PATH_BYTES ? path : undefined;
}

/** Returns the folder for sockets, created if necessary; undefined if it is not private. */
async function privateFolder(parent: string): Promise<string | undefined> {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  const folder = join(parent, `carillon-${user}`);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  // Not `stat`: another user can create a link in the temporary folder.
  const found = await lstat(folder);
  return found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0 ? folder : undefined;
}

/** Removes a socket at which no process listens: a copy of the database has the same names. */
async function removeDead(path: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path, () => resolve(false)).once('error', () => resolve(true));
  if (await promise) await rm(path, { force: true });
  socket.destroy();
}
