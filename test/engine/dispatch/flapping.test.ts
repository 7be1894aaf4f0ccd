import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPaid, mustSend, phone, phones, startNetwork, statuses } from '../../faults/support.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from './support.ts';

/* A carrier that drops its sessions again and again, with submits on the way. */

const WINDOW = 100;
const network = await startNetwork({ answerDelayMs: 30 });
const { smsc } = network;
const { url, sql, clock, account } = await startDispatching(network, { window: WINDOW });
const CREDITS = 10_000;
const caller = await account('flapping', CREDITS);

const openMessages = async () => {
  const [row] = await sql<{ open: number }[]>`
    SELECT count(*)::int AS open FROM messages WHERE final_at IS NULL`;
  return row!.open;
};

/** Moves the clock on until every message is final. */
async function allFinalLater(): Promise<void> {
  await waitFor('every message is final', async () => {
    clock.advance(10_000);
    return (await openMessages()) === 0;
  });
}

test('a carrier that drops its sessions for some seconds gets every message in the end', async () => {
  const drops = 10;
  const numbers = phones(0, 2_000);
  await mustSend(url, caller, numbers);
  for (let drop = 1; drop <= drops; drop++) {
    const goal = network.submits.length + 20;
    await waitFor('a session has submits on the way', () => network.submits.length >= goal);
    smsc.disconnect();
    await waitFor('a new session is bound', () => smsc.boundSessions > 0);
  }
  await waitFor('what was not lost is submitted', () => network.taken.size === numbers.length);
  assert.equal((await statuses(sql, caller.id))[105], undefined);
  await allFinalLater();
  assert.deepEqual(await statuses(sql, caller.id), { 102: numbers.length });
  const most = Math.max(...network.taken.values());
  assert.equal(most, 2, `${most} copies of one message`);
  await assertPaid(sql, caller.id, CREDITS, numbers.length);
});

test('a message of a lost session is submitted again after a minute, not before', async () => {
  const to = phone(5_000);
  const copies = () => network.submits.filter((submit) => submit.to === to).length;
  smsc.change({ answerDelayMs: Number.POSITIVE_INFINITY });
  await mustSend(url, caller, [to]);
  await waitFor('it is submitted', () => copies() === 1);
  smsc.change({ answerDelayMs: 0 });
  smsc.disconnect();
  await waitFor('its batch waits', async () => {
    const [batch] = await sql<{ copies: number[]; in_ms: number }[]>`
      SELECT copies, due_at - ${clock.now()} AS in_ms FROM dispatch_batches WHERE copies IS NOT NULL`;
    return batch?.copies[0] === 1 && Number(batch.in_ms) > 50_000;
  });
  await mustSend(url, caller, [phone(5_001)]);
  await waitFor('a later message is delivered', async () => (await openMessages()) === 1);
  assert.equal(copies(), 1);
  await allFinalLater();
  assert.equal(copies(), 2);
});
