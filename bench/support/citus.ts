import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';

import { join } from 'node:path';
import { connect, type DatabaseTarget, PostgresError, type Sql } from '../../server/database/connection.ts';
import { distribute } from '../../server/database/distribution.ts';
import { migrate } from '../../server/database/migrate.ts';
import { maintainPartitions } from '../../server/database/partitions.ts';
import { tables } from '../../test/support/tables.ts';
import { freePort, until } from './wait.ts';

/*
 * PostgreSQL servers of this machine with Citus, for benchmarks and for `npm run test:cluster`.
 */

export type Server = Exclude<DatabaseTarget, { url: string }>;

/** Folders in which Debian installs PostgreSQL and its extensions. */
const PROGRAMS = '/usr/lib/postgresql';
const EXTENSIONS = '/usr/share/postgresql';
/** SQLSTATE for a database with open connections. */
const IN_USE = '55006';
const PASSWORD = 'the-password-of-the-cluster';

/** User who runs the nodes; empty for the user of the tests. PostgreSQL refuses to run as root. */
interface User {
  readonly uid?: number;
  readonly gid?: number;
}

interface ClusterOptions {
  /** Number of workers, without the coordinator. */
  readonly workers: number;
  /** Created on every node. */
  readonly database: string;
  /** Whether a commit waits for the disk (fsync). */
  readonly isDurable?: boolean;
  /** Whether to start one PostgreSQL without Citus, from the same programs, for comparison. */
  readonly isPlain?: boolean;
}

/** A coordinator and workers on this machine. */
export interface Cluster {
  /** The coordinator is first. */
  readonly nodes: readonly Server[];
  /** Returns the process ids of the servers, in the order of the nodes. */
  pids(): number[];
  /** Kills one node, like a crash. */
  kill(node: number): Promise<void>;
  start(node: number): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the programs of the newest PostgreSQL with Citus; undefined when it is not installed. */
export function findCitus(): string | undefined {
  if (!existsSync(PROGRAMS)) return undefined;
  const version = readdirSync(PROGRAMS)
    .filter((name) => existsSync(join(EXTENSIONS, name, 'extension/citus.control')))
    .sort((one, other) => Number(other) - Number(one))[0];
  return version === undefined ? undefined : join(PROGRAMS, version, 'bin');
}

/** Starts a cluster with its data below `folder`, and creates the database with Citus and every node registered. */
export async function startCluster(
  folder: string,
  { workers, database, isDurable = false, isPlain = false }: ClusterOptions,
): Promise<Cluster> {
  const bin = findCitus();
  if (bin === undefined) throw new Error('no PostgreSQL with Citus is installed');
  const as: User = process.getuid?.() === 0 ? userOf('postgres') : {};
  const passwords = join(folder, 'cluster.pgpass');
  writeFileSync(passwords, `*:*:*:carillon:${PASSWORD}\n`, { mode: 0o600 });
  if (as.uid !== undefined) chownSync(passwords, as.uid, as.gid!);
  const nodes = await Promise.all(
    Array.from({ length: workers + 1 }, async (_, index) => {
      const data = join(folder, `node-${index}`);
      mkdirSync(data, { mode: 0o755 });
      if (as.uid !== undefined) chownSync(data, as.uid, as.gid!);
      const node = new Node({ bin, data, passwords, port: await freePort(), as, isDurable, isPlain });
      node.initialise();
      await node.start();
      return node;
    }),
  );
  const servers = nodes.map((node) => node.server(database));
  await makeDatabase(servers, isPlain);
  return {
    nodes: servers,
    pids: () => nodes.map((node) => node.pid),
    kill: (index) => nodes[index]!.stop('SIGQUIT'),
    start: (index) => nodes[index]!.start(),
    async stop() {
      await Promise.all(nodes.map((node) => node.stop('SIGINT')));
    },
  };
}

/** Creates an empty database on every node, the coordinator first, with Citus and every node registered. */
export async function makeDatabase(servers: readonly Server[], isPlain = false): Promise<void> {
  await Promise.all(
    servers.map((server) =>
      run({ ...server, database: 'postgres' }, (sql) => sql.unsafe(`CREATE DATABASE ${server.database}`)),
    ),
  );
  if (isPlain) return;
  await Promise.all(servers.map((server) => run(server, (sql) => sql.unsafe('CREATE EXTENSION citus'))));
  await run(servers[0]!, async (sql) => {
    await sql`SELECT citus_set_coordinator_host('127.0.0.1', ${servers[0]!.port})`;
    for (const { port } of servers.slice(1)) await sql`SELECT citus_add_node('127.0.0.1', ${port})`;
  });
}

/** Creates the newest schema in the database of a new cluster, and distributes it if `shards` is set. */
export async function makeSchema(coordinator: Server, shards?: number): Promise<void> {
  await run(coordinator, async (sql) => {
    await migrate(sql, tables);
    await maintainPartitions(sql, Date.now(), { KEEP_DAYS: 400, REQUEST_LOG_DAYS: 7 }, tables.partitioned);
    if (shards !== undefined) await distribute(sql, tables.placements, shards, () => {});
  });
}

/** Creates a database on every node as a copy of the template, with its shards and its metadata. */
export async function copyDatabase(nodes: readonly Server[], database: string): Promise<void> {
  await Promise.all(
    nodes.map((node) =>
      run({ ...node, database: 'postgres' }, (sql) =>
        sql.unsafe(`CREATE DATABASE ${database} TEMPLATE ${node.database} STRATEGY FILE_COPY`),
      ),
    ),
  );
}

/** Ends Citus' background work in the database and closes it to connections, so that it can be copied. */
export async function closeDatabase(nodes: readonly Server[]): Promise<void> {
  for (const { database, ...node } of nodes) {
    await run({ ...node, database: 'postgres' }, async (sql) => {
      await sql.unsafe(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
      await until(async () => {
        const rows = await sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${database}`;
        return rows.length === 0;
      }, `nobody is in ${database}`);
    });
  }
}

/** Drops a database on every node. */
export async function dropDatabase(nodes: readonly Server[], database: string): Promise<void> {
  await Promise.all(
    nodes.map((node) =>
      run({ ...node, database: 'postgres' }, (sql) =>
        // Citus restarts its background work in the database, which may reconnect before the database is dropped.
        until(
          () =>
            sql.unsafe(`DROP DATABASE ${database} WITH (FORCE)`).then(
              () => true,
              (error: unknown) => {
                if (error instanceof PostgresError && error.code === IN_USE) return false;
                throw error;
              },
            ),
          `nobody is in ${database}`,
        ),
      ),
    ),
  );
}

async function run<T>(target: Server, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(target, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

interface NodeOptions extends Required<Pick<ClusterOptions, 'isDurable' | 'isPlain'>> {
  /** Folder of PostgreSQL's programs. */
  readonly bin: string;
  readonly data: string;
  /** File from which its background workers read passwords. */
  readonly passwords: string;
  readonly port: number;
  readonly as: User;
}

class Node {
  readonly #options: NodeOptions;
  #child: ChildProcess | undefined;

  constructor(options: NodeOptions) {
    this.#options = options;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  server(database: string): Server {
    const { data, port } = this.#options;
    return { host: data, port, password: PASSWORD, database };
  }

  initialise(): void {
    const { bin, data, as } = this.#options;
    const { status, stderr } = spawnSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'carillon', '--auth=scram-sha-256', `--pwfile=${this.#writePassword()}`, '-E', 'UTF8', '--locale=C', '--no-sync'],
      { ...as, cwd: data, encoding: 'utf8' },
    ); // biome-ignore format: arguments of a program
    if (status !== 0) throw new Error(`a node of the cluster cannot be made: ${stderr}`);
  }

  async start(): Promise<void> {
    const { bin, data, passwords, port, as, isDurable, isPlain } = this.#options;
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: data,
      // Each node has sessions of the other nodes and of the tests.
      max_connections: 400,
      max_worker_processes: 100,
      shared_buffers: '128MB',
      max_wal_size: '4GB',
      wal_level: 'logical',
      jit: 'off',
      fsync: isDurable ? 'on' : 'off',
      log_min_messages: 'fatal',
      ...(!isPlain && {
        shared_preload_libraries: 'citus',
        'citus.node_conninfo': 'sslmode=disable',
        'citus.local_hostname': '127.0.0.1',
        // Settings that `carillon database distribute` makes for its database, which a copy lacks.
        'citus.multi_shard_modify_mode': 'sequential',
        'citus.max_adaptive_executor_pool_size': 1,
      }),
    };
    const log = openSync(`${data}.log`, 'a');
    this.#child = spawn(
      join(bin, 'postgres'),
      ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...as,
        cwd: data,
        stdio: ['ignore', log, log],
        env: { ...process.env, LC_ALL: 'C', PGPASSFILE: passwords },
      },
    );
    closeSync(log);
    await until(
      () =>
        run(this.server('postgres'), (sql) => sql`SELECT 1`).then(
          () => true,
          () => false,
        ),
      'a node of the cluster answers',
      { withinMs: 60_000 },
    );
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  #writePassword(): string {
    const file = `${this.#options.data}.password`;
    writeFileSync(file, PASSWORD);
    chmodSync(file, 0o644);
    return file;
  }
}

function userOf(name: string): User {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout),
  );
  return { uid: uid!, gid: gid! };
}
