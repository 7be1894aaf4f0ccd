import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Installation, readiness } from '../support/process.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { waitFor } from '../support/wait-for.ts';
import { allFinal, assertPaid, mustSend, phones, send, startNetwork } from './support.ts';

/* The disk of the database is full: a file system of its own, filled to its last byte. */

const CREDITS = 1_000_000;
const disk = mountSmallDisk(300);
const network = await startNetwork();
const installation = new Installation(
  { SMPP_URL: network.url(), METRICS_PORT: '0' },
  { parent: disk.folder },
);
after(() => disk.remove());
const program = await installation.start();
const metrics = /"monitoring":"([^"]+)"/.exec(program.output())![1]!;
const account = await installation.account(program.url, 'full', CREDITS);
const sql = await installation.sql();
const lines = (msg: string) => program.output().match(new RegExp(`^.*"msg":"${msg}".*$`, 'gm')) ?? [];
let sent = 0;

test('a full disk is logged once, counted and makes the process not ready, until there is space', async () => {
  await mustSend(program.url, account, phones(sent, 100));
  sent += 100;
  await allFinal(sql);
  disk.fill();
  await waitFor('a send is refused', async () => {
    const { http, status } = await send(program.url, account, phones(sent, 500));
    if (status === 0) sent += 500;
    else assert.deepEqual([http, status], [200, 6]);
    return status === 6;
  });
  const problems = ['database: refuses writes (SQLSTATE 53100)'];
  await waitFor('it is not ready', async () => !(await readiness(program.url)).ready);
  for (const purpose of ['accept', 'dispatch'] as const)
    assert.deepEqual(await readiness(program.url, purpose), { ready: false, problems });
  await send(program.url, account, phones(sent, 500));
  await waitFor('it is logged', () => lines('database refuses writes').length > 0);
  const [gone, ...more] = lines('database refuses writes').map((line) => JSON.parse(line));
  assert.deepEqual([gone.sqlstate, gone.outage, more], ['53100', 'database writes', []]);
  assert.match(gone.err.message, /No space left on device/);
  const shown = await (await fetch(`${metrics}/metrics`)).text();
  assert.match(shown, /^carillon_database_refusals_total\{class="53"\} [1-9]/m);

  disk.empty();
  await waitFor('it is ready', async () => (await readiness(program.url, 'dispatch')).ready);
  const [line] = await waitFor('it is logged', () => {
    const found = lines('database takes writes again');
    return found.length > 0 && found;
  });
  const back = JSON.parse(line!);
  assert.ok(back.failures >= 2 && back.seconds > 0, JSON.stringify(back));
  await mustSend(program.url, account, phones(sent, 500));
  sent += 500;
  await allFinal(sql);
  assert.equal(network.taken.size, sent);
  await assertPaid(sql, account.id, CREDITS, sent);
});
