import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { waitFor } from './wait-for.ts';

/* PostgreSQL of Debian's package, with its client programs (pg_dump and others): a database that is not embedded. */

const PROGRAMS = '/usr/lib/postgresql';

/** A server of Debian's PostgreSQL. */
export interface ExternalPostgres {
  /** Folder of its socket, for PGHOST. */
  readonly host: string;
  /** The setting DATABASE_URL for one of its databases. */
  url(database: string): string;
}

/** Starts a server with an empty database `carillon` of the user `carillon`, until the file ends. */
export async function startExternalPostgres(): Promise<ExternalPostgres> {
  const version = readdirSync(PROGRAMS)
    .filter((name) => existsSync(join(PROGRAMS, name, 'bin/postgres')))
    .sort((one, other) => Number(other) - Number(one))[0];
  if (version === undefined) throw new Error(`there is no PostgreSQL in ${PROGRAMS}`);
  const program = (name: string) => join(PROGRAMS, version, 'bin', name);
  const folder = mkdtempSync(join(tmpdir(), 'carillon-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const as = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (as.uid !== undefined) for (const path of [folder, data]) chownSync(path, as.uid, as.gid);
  // The tests connect as another user.
  chmodSync(folder, 0o755);
  const options = { ...as, cwd: folder, env: { PATH: process.env.PATH }, stdio: 'ignore' } as const;
  const initArgs = ['-D', data, '-U', 'carillon', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(program('initdb'), initArgs, options);
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off'];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(program('postgres'), args, options);
  after(async () => {
    await ended(server);
    await rm(folder, { recursive: true });
  });
  await waitFor('PostgreSQL answers', () => {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    try {
      execFileSync('createdb', ['-h', folder, '-U', 'carillon', 'carillon'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  return {
    host: folder,
    url: (database) => `postgres://carillon@localhost/${database}?host=${encodeURIComponent(folder)}`,
  };
}

/** User or group id of the user `postgres`. */
const idOf = (option: '-u' | '-g') => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  await gone;
}
