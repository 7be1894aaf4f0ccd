import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { connect, type DatabaseTarget, type Sql } from '../../server/database/connection.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { migrate } from '../../server/database/migrate.ts';
import { maintainPartitions } from '../../server/database/partitions.ts';

type Server = Exclude<DatabaseTarget, { url: string }>;
const TEMPLATE = 'carillon_template';

/** Starts a PostgreSQL for tests with a migrated template database. `test/run.ts` does it once for all files. */
export async function startTestServer(): Promise<{ server: Server; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-test-'));
  // The server does not run as root, and has to be let through.
  chmodSync(folder, 0o755);
  // Nobody's data is at stake here, and fsync is most of the time of a short test.
  const embedded = await startEmbedded(folder, { fsync: false });
  const server = embedded.target as Server;
  const owner = connect({ ...server, database: 'postgres' }, { max: 1 });
  await owner.unsafe(`CREATE DATABASE ${TEMPLATE}`);
  const template = connect({ ...server, database: TEMPLATE }, { max: 2 });
  await migrate(template);
  await maintainPartitions(template, Date.now(), { KEEP_DAYS: 400, REQUEST_LOG_DAYS: 7 });
  await template.end();
  await owner.end();
  return {
    server,
    async stop() {
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<Server> | undefined;
// Undone at the end of the file and in the opposite order: hooks run in the order in which they were made, and a server
// must not stop before its databases are dropped.
const undo: (() => Promise<void>)[] = [];
after(async () => {
  const problems: unknown[] = [];
  // One that fails does not leave the others standing: the process would not end.
  for (const step of undo.reverse()) await step().catch((problem: unknown) => problems.push(problem));
  if (problems.length > 0) throw problems.length === 1 ? problems[0] : new AggregateError(problems);
});

/** Does this at the end of the file, before what was set up earlier is undone: while its database is still there. */
export function atEnd(step: () => Promise<void>): void {
  undo.push(step);
}

async function testServer(): Promise<Server> {
  const given = process.env.CARILLON_TEST_SERVER;
  if (given) return JSON.parse(given) as Server;
  const { server, stop } = await startTestServer();
  undo.push(stop);
  return server;
}

/** A fresh, migrated database of its own for the test file or test that asks. Dropped when the file ends. */
export async function createDatabase(): Promise<{ sql: Sql; target: Server }> {
  shared ??= testServer();
  const server = await shared;
  const target = { ...server, database: `t_${randomBytes(8).toString('hex')}` };
  const owner = connect({ ...server, database: 'postgres' }, { max: 1 });
  await owner.unsafe(`CREATE DATABASE ${target.database} TEMPLATE ${TEMPLATE}`);
  const sql = connect(target);
  undo.push(async () => {
    await sql.end({ timeout: 1 });
    await owner.unsafe(`DROP DATABASE ${target.database} WITH (FORCE)`);
    await owner.end();
  });
  return { sql, target };
}
