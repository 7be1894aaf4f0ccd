import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Installation, readiness } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { allFinal, assertPaid, mustSend, phones, send, startNetwork, statuses } from './support.ts';

/*
 * How a process of the program ends, and how the next one begins on the same data folder. One that does not stop in time
 * ends itself with the code 1 (server/commands/stop-requests.ts).
 */

const CREDITS = 50_000;
const network = await startNetwork();
const installation = new Installation({ SMPP_URL: network.url({ window: 100, messagesPerSecond: 2_000 }) });
let program = await installation.start();
const account = await installation.account(program.url, 'stopped', CREDITS);
const sql = await installation.sql();
let paid = 0;

test('a data folder in use: the second start fails with the reason, and the first is unaffected', async () => {
  const second = await installation.startInVain();
  assert.equal(second.code, 1);
  assert.match(second.output, /the data folder \S+ is in use by another Carillon process/);
  assert.deepEqual(await readiness(program.url), { ready: true, problems: [] });
  await mustSend(program.url, account, phones(0, 10));
  paid += 10;
  await allFinal(sql);
});

test('after kill -9, the next start continues with the PostgreSQL that was left behind', async () => {
  const postmaster = installation.postmaster();
  assert.ok(postmaster);
  await program.kill();
  assert.equal(installation.postmaster(), postmaster);
  program = await installation.start();
  assert.equal(installation.postmaster(), postmaster);
  await mustSend(program.url, account, phones(100, 10));
  paid += 10;
  await allFinal(sql);
});

test('a killed PostgreSQL is restarted, the folder is still in use, and all work continues', async () => {
  const postmaster = installation.postmaster()!;
  await mustSend(program.url, account, phones(200, 300));
  paid += 300;
  process.kill(postmaster, 'SIGKILL');
  await waitFor('another PostgreSQL runs', () => (installation.postmaster() ?? postmaster) !== postmaster);
  await waitFor('the folder is locked', async () => {
    // It may not take connections yet.
    const rows = await sql`
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'`.catch(() => []);
    return rows.length === 1;
  });
  await waitFor('the program is ready', async () => (await readiness(program.url)).ready);
  assert.match((await installation.startInVain()).output, /in use by another Carillon process/);
  // What /readyz says may be half a second old.
  await waitFor(
    'requests are stored again',
    async () => (await send(program.url, account, phones(600, 10))).status === 0,
  );
  paid += 10;
  await allFinal(sql);
  assert.equal(network.taken.size, paid);
  assert.equal(network.duplicates(), 0);
});

test('SIGTERM under load: ends within 10 seconds with code 0; nothing is lost and nothing goes twice', async () => {
  const SIZE = 50;
  const requests: { to: string[]; status: number | undefined }[] = [];
  let stopped = false;
  network.smsc.change({ answerDelayMs: 30 });
  await mustSend(program.url, account, phones(1_000, 5_000));
  const workers = Promise.all(
    Array.from({ length: 6 }, async () => {
      while (!stopped) {
        const to = phones(10_000 + requests.length * SIZE, SIZE);
        const request = { to, status: undefined as number | undefined };
        requests.push(request);
        // No answer: the program does not listen any more.
        request.status = (await send(program.url, account, to).catch(() => undefined))?.status;
        if (request.status === undefined) return;
      }
    }),
  );
  await waitFor('it is under load', () => requests.length > 40 && network.taken.size > 1_000);
  const ending = await program.stop();
  stopped = true;
  await workers;
  assert.deepEqual(ending, { code: 0, signal: null }, program.output().slice(-2_000));
  assert.equal(installation.postmaster(), undefined, 'PostgreSQL runs on');
  assert.ok(network.taken.size < 5_000, 'everything was out before the end');

  network.smsc.change({ answerDelayMs: 0 });
  program = await installation.start();
  await allFinal(sql);
  const stored = new Set(
    (await sql<{ phone: string }[]>`SELECT recipient AS phone FROM messages`).map(({ phone }) => phone),
  );
  for (const { to, status } of requests) {
    const found = to.filter((number) => stored.has(number)).length;
    if (status === 0) assert.equal(found, SIZE);
    else assert.ok(found === 0 || found === SIZE);
  }
  paid = stored.size;
  assert.deepEqual(await statuses(sql), { 102: paid });
  assert.equal(network.taken.size, paid);
  assert.equal(network.duplicates(), 0);
  await assertPaid(sql, account.id, CREDITS, paid);
});

test('SIGTERM while the network does not answer: ends within 10 seconds, and at most a window goes again', async () => {
  network.smsc.change({ answerDelayMs: Number.POSITIVE_INFINITY });
  const before = network.taken.size;
  await mustSend(program.url, account, phones(900_000, 500));
  await waitFor('it is under way', () => network.taken.size > before);
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
  network.smsc.change({ answerDelayMs: 0 });
  program = await installation.start();
  await allFinal(sql);
  paid += 500;
  assert.equal(network.taken.size, paid);
  assert.ok(network.duplicates() <= 100);
  await assertPaid(sql, account.id, CREDITS, paid);
});
