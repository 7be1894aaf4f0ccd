import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Installation } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { allFinal, assertPaid, mustSend, phones, startNetwork, statuses } from './support.ts';

/* A program that is killed again and again before the network answers. */

const WINDOW = 20;
const CREDITS = 10_000;
const network = await startNetwork({ answerDelayMs: Number.POSITIVE_INFINITY });
const installation = new Installation({
  SMPP_URL: network.url({ window: WINDOW, responseTimeoutMs: 600_000, messagesPerSecond: 500 }),
  COPY_PAUSE_SECONDS: '1',
});
let program = await installation.start();
const account = await installation.account(program.url, 'crashing', CREDITS);
const sql = await installation.sql();
const SIZE = 300;

test('a crash loop sends a message three times at most, and abandons only submitted ones', async () => {
  const campaign = phones(0, SIZE);
  await mustSend(program.url, account, campaign);
  for (let kill = 1; kill <= 3; kill++) {
    const most = () => Math.max(0, ...network.taken.values());
    await waitFor('the campaign is submitted', () => most() === kill);
    await program.kill();
    if (kill === 3) network.smsc.change({ answerDelayMs: 0 });
    program = await installation.start();
  }
  await allFinal(sql);
  const given = campaign.filter((number) => (network.taken.get(number) ?? 0) > 1);
  assert.ok(given.length <= WINDOW, `${given.length} messages were submitted more than once`);
  assert.equal(Math.max(...network.taken.values()), 3);
  const rows = await sql<{ recipient: string; status: number; code: string }[]>`
    SELECT recipient, status, code FROM messages WHERE status <> 102`;
  const ended = new Set(rows.map(({ recipient }) => recipient));
  assert.ok(given.every((number) => ended.has(number)));
  assert.ok(ended.size <= 50, `${ended.size} messages were given up`);
  assert.ok(rows.every(({ status, code }) => status === 105 && code === 'CARRIER_SILENT'));
  await assertPaid(sql, account.id, CREDITS, SIZE);
});

test('a clean stop does not count as a broken lease', async () => {
  const before = network.duplicates();
  const { taken } = network;
  const delivered = (await statuses(sql))[102]!;
  const [known, more] = [taken.size, phones(1_000, SIZE)];
  await mustSend(program.url, account, more);
  await waitFor('some are submitted', () => taken.size > known + 20);
  await program.stop();
  program = await installation.start();
  const rows = await sql`SELECT FROM dispatch_batches WHERE breaks > 0`;
  assert.equal(rows.length, 0);
  await allFinal(sql);
  assert.equal((await statuses(sql))[102], delivered + SIZE);
  assert.equal(network.duplicates(), before);
});
