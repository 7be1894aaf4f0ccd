import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDatabase, type Server } from '../support/database.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { Installation, readiness } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

/* A database that keeps its connections open and answers nothing, as behind a broken network or on a machine that stands still. */

/** Failed attempts after which every kind of work has met the outage. */
const ATTEMPTS = 15;
const METRICS_TOKEN = 'metrics-of-the-silent-database';
const { target } = await createDatabase();
const { host, port, password, database } = target as Server;
const proxy = await DatabaseProxy.start(join(host, `.s.PGSQL.${port}`));
after(() => proxy.stop());
const installation = new Installation({
  METRICS_TOKEN,
  DATABASE_URL: `postgres://carillon:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}/${database}`,
});
const program = await installation.start({ ready: false });

interface Line {
  readonly msg: string;
  readonly err?: unknown;
  readonly failures?: number;
}

/** Lines of the log about errors, and the line that ends the outage. */
const lines = () =>
  program
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg, err }) => err !== undefined || msg === 'database available again');

async function failures(): Promise<number> {
  const response = await fetch(`${program.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const [, count] = /^carillon_outage_failures_total\{what="database"\} (\d+)$/m.exec(await response.text())!;
  return Number(count);
}

test('a database that answers nothing is two lines of the log, however much work waits for it', async () => {
  proxy.holdNew();
  proxy.silence();
  await waitFor('the work has met the outage', async () => (await failures()) >= ATTEMPTS, 120_000);
  assert.deepEqual((await readiness(program.url)).problems, ['database: not available']);
  proxy.resume();
  await waitFor('the database is back', () => lines().length > 1, 60_000);
  await waitFor('the process is ready', async () => (await readiness(program.url)).ready, 60_000);
  const [gone, back, ...more] = lines();
  assert.deepEqual(
    [gone!.msg, back!.msg, more],
    ['database unavailable', 'database available again', []],
    program.output(),
  );
  assert.ok(back!.failures! >= ATTEMPTS);
});
