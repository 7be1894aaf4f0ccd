import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyDatabase, dropDatabase } from '../../bench/support/citus.ts';
import { connect, type DatabaseTarget, type Sql } from '../../server/database/connection.ts';
import { isDistributed } from '../../server/database/distribution.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { migrate } from '../../server/database/migrate.ts';
import { maintainPartitions } from '../../server/database/partitions.ts';
import { cpuTimeOf } from './file-times.ts';
import { atEnd } from './grouped-hooks.ts';
import { copySeed } from './seed-cluster.ts';
import { tables } from './tables.ts';

export { atEnd } from './grouped-hooks.ts';

export type Server = Exclude<DatabaseTarget, { url: string }>;
/** The database of the seed, to which no test connects. */
const TEMPLATE = 'carillon';

/** PostgreSQL for tests. */
export interface TestServer {
  readonly server: Server;
  /** A data folder with an empty database of the newest schema, in which nothing runs (seed-cluster.ts). */
  readonly seed: string;
  /** Milliseconds of processor time of PostgreSQL for sessions that have ended. */
  cpuTime(): number;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL for tests with a migrated template database. `test/run.ts` does it once for all files. */
export async function startTestServer(): Promise<TestServer> {
  const seed = await makeSeed();
  const folder = newFolder();
  copySeed(folder, seed);
  // Nobody's data is at stake here, and fsync is most of the time of a short test. Files of several processes share the server.
  const embedded = await startEmbedded(folder, { fsync: false, connections: 300 });
  return {
    server: embedded.target as Server,
    seed,
    cpuTime: () =>
      cpuTimeOf(Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10)),
    async stop() {
      await embedded.stop();
      for (const path of [folder, seed]) await rm(path, { recursive: true, force: true });
    },
  };
}

/** A data folder as the first start leaves it, but for what a service writes into the database. */
async function makeSeed(): Promise<string> {
  const folder = newFolder();
  const embedded = await startEmbedded(folder, { fsync: false });
  const sql = connect(embedded.target, { max: 2 });
  await migrate(sql, tables);
  await maintainPartitions(sql, Date.now(), { KEEP_DAYS: 400, REQUEST_LOG_DAYS: 7 }, tables.partitioned);
  // Each connection of a client computes as many digests as its password was stored with, 4,096 without this.
  const { password } = embedded.target as Server;
  await sql.unsafe(`SET scram_iterations = 1; ALTER ROLE carillon PASSWORD '${password}'`);
  await sql.end();
  await embedded.stop();
  return folder;
}

/** A folder that the server, which does not run as root, can be let into. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-test-'));
  // The server does not run as root, and has to be let through.
  chmodSync(folder, 0o755);
  return folder;
}

let shared: Promise<Server> | undefined;
async function testServer(): Promise<Server> {
  const given = process.env.CARILLON_TEST_SERVER;
  if (given) return JSON.parse(given) as Server;
  const { server, stop } = await startTestServer();
  atEnd(stop);
  return server;
}

/** Creates a fresh, migrated database for the calling test or test file, and drops it when the file ends. */
export async function createDatabase(): Promise<{ sql: Sql; target: Server }> {
  if (process.env.CARILLON_TEST_CLUSTER) {
    return createDistributed(JSON.parse(process.env.CARILLON_TEST_CLUSTER) as Server[], newName());
  }
  return createOnServer(TEMPLATE);
}

/** One without tables, for schemas of earlier versions. It is not distributed in a run on a cluster either. */
export async function createEmptyDatabase(): Promise<{ sql: Sql; target: Server }> {
  return createOnServer('template1');
}

const newName = () => `t_${randomBytes(8).toString('hex')}`;

async function createOnServer(template: string): Promise<{ sql: Sql; target: Server }> {
  shared ??= testServer();
  const server = await shared;
  const target = { ...server, database: newName() };
  const owner = connect({ ...server, database: 'postgres' }, { max: 1 });
  // Files instead of pages that go through the log: half the work, where nothing is synced.
  await owner.unsafe(`CREATE DATABASE ${target.database} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const sql = connect(target);
  atEnd(async () => {
    await sql.end({ timeout: 1 });
    await owner.unsafe(`DROP DATABASE ${target.database} WITH (FORCE)`);
    await owner.end();
  });
  return { sql, target };
}

/** Servers of this database; if it is distributed, the coordinator and then the workers. */
export async function serversOf(sql: Sql): Promise<DatabaseTarget[]> {
  if (!(await isDistributed(sql))) return [sql.options.target];
  const [row] = await sql<{ database: string }[]>`SELECT current_database() AS database`;
  return (JSON.parse(process.env.CARILLON_TEST_CLUSTER!) as Server[]).map((server) => ({
    ...server,
    ...row!,
  }));
}

/** The same on the cluster of the run (`npm run test:cluster`). */
async function createDistributed(
  nodes: readonly Server[],
  database: string,
): Promise<{ sql: Sql; target: Server }> {
  await copyDatabase(nodes, database);
  const target = { ...nodes[0]!, database };
  const sql = connect(target);
  atEnd(async () => {
    await sql.end({ timeout: 1 });
    await dropDatabase(nodes, database);
  });
  return { sql, target };
}
