import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Installation, readiness } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { allFinal, assertPaid, mustSend, phones, startNetwork, statuses } from './support.ts';

/* A network that goes away, and one that takes its time. What it answers is the matter of test/engine/dispatch. */

const WINDOW = 50;
const CREDITS = 50_000;
const network = await startNetwork();
const { smsc, port } = network;
const installation = new Installation({
  SMPP_URL: network.url({ window: WINDOW, responseTimeoutMs: 1_500 }),
  // A message may be on the wire each time that the network goes away.
  MAX_COPIES: '20',
  COPY_PAUSE_SECONDS: '0',
});
const program = await installation.start();
const account = await installation.account(program.url, 'waiting', CREDITS);
const sql = await installation.sql();
let paid = 0;

async function assertAllWell(maxDuplicates: number): Promise<void> {
  await allFinal(sql);
  assert.equal(network.taken.size, paid);
  assert.ok(network.duplicates() <= maxDuplicates, `${network.duplicates()} duplicates`);
  assert.deepEqual(await statuses(sql), { 102: paid });
  await assertPaid(sql, account.id, CREDITS, paid);
}

test('gone, with nothing on its way: messages are accepted and wait, and go when it is back', async () => {
  await smsc.close();
  await waitFor('the program has noticed', async () => !(await readiness(program.url, 'dispatch')).ready);
  assert.deepEqual((await readiness(program.url, 'dispatch')).problems, ['carriers: no connector is up']);
  await mustSend(program.url, account, phones(0, 600));
  await mustSend(program.url, account, phones(1_000, 1));
  paid += 601;
  await smsc.listen(port);
  await waitFor('the program is ready', async () => (await readiness(program.url, 'dispatch')).ready);
  await assertAllWell(0);
});

test('gone again and again in mid-campaign: all arrives, at most a window twice for each time', async () => {
  const times = 4;
  smsc.change({ answerDelayMs: 20 });
  await mustSend(program.url, account, phones(10_000, 3_000));
  for (let time = 1; time <= times; time++) {
    const goal = paid + time * 500;
    await waitFor('the campaign is under way', () => network.taken.size >= goal);
    if (time % 2 === 0) smsc.disconnect();
    else {
      await smsc.close();
      await waitFor('the program has noticed', async () => !(await readiness(program.url, 'dispatch')).ready);
      await smsc.listen(port);
    }
  }
  paid += 3_000;
  assert.ok(network.taken.size < paid);
  await assertAllWell(times * WINDOW);
  smsc.change({ answerDelayMs: 0 });
});

test('it unbinds politely: what is on its way is answered first, and nothing goes twice', async () => {
  const duplicates = network.duplicates();
  smsc.change({ answerDelayMs: 20 });
  await mustSend(program.url, account, phones(20_000, 500));
  const from = network.taken.size;
  await waitFor('the campaign is under way', () => network.taken.size >= from + 100);
  smsc.unbindAll();
  paid += 500;
  await assertAllWell(duplicates);
  smsc.change({ answerDelayMs: 0 });
});

test('answers that come late: never more than a window is unanswered', async () => {
  const duplicates = network.duplicates();
  let unanswered = 0;
  let most = 0;
  smsc.change({
    answerDelayMs(submit) {
      unanswered++;
      most = Math.max(most, unanswered);
      const delay = 50 + (submit.id % 7) * 50;
      setTimeout(() => unanswered--, delay);
      return delay;
    },
  });
  await mustSend(program.url, account, phones(30_000, 400));
  paid += 400;
  await assertAllWell(duplicates);
  assert.ok(most <= WINDOW, `${most} unanswered`);
  assert.ok(most > WINDOW / 2, `${most} unanswered`);
  smsc.change({ answerDelayMs: 0 });
});

test('missing answers end the session, and its messages are sent again', async () => {
  const duplicates = network.duplicates();
  const silent = new Set(phones(40_100, 3));
  smsc.change({
    // Once for each of them.
    answerDelayMs: (submit) => (silent.delete(submit.to) ? Number.POSITIVE_INFINITY : 0),
  });
  await mustSend(program.url, account, phones(40_000, 300));
  paid += 300;
  await assertAllWell(duplicates + WINDOW);
  assert.equal(silent.size, 0);
  assert.ok(network.duplicates() >= duplicates + 3);
});
