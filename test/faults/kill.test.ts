import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../conformance/covers.ts';
import { Installation } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { allFinal, assertPaid, mustSend, phones, send, startNetwork, statuses } from './support.ts';

/* The program is killed (kill -9) and started again, on its embedded PostgreSQL with fsync on, as it is delivered. */

const WINDOW = 100;
const CREDITS = 100_000;

const network = await startNetwork();
const installation = new Installation({
  // Slow enough that a campaign is still under way when it is killed.
  SMPP_URL: network.url({ window: WINDOW, messagesPerSecond: 2_000 }),
  COPY_PAUSE_SECONDS: '0',
});
let program = await installation.start();
const account = await installation.account(program.url, 'killed', CREDITS);
const sql = await installation.sql();
/** Accepted so far. */
let accepted = 0;

async function killAndStart(): Promise<void> {
  await program.kill();
  program = await installation.start();
}

test(
  'killed while requests are answered: each is stored whole or not at all, and whole when it was answered',
  covers('credit.one transaction'),
  async () => {
    const SIZE = 20;
    const kills = 2;
    const requests: { first: number; answered: boolean }[] = [];
    let answered = 0;
    let killing = true;
    const workers = Array.from({ length: 8 }, async () => {
      while (killing) {
        const request = { first: requests.length * SIZE, answered: false };
        requests.push(request);
        const current = program;
        try {
          const answer = await send(current.url, account, phones(request.first, SIZE));
          assert.equal(answer.status, 0, answer.message);
          request.answered = true;
          answered++;
        } catch (error) {
          // Cut off, or the next start does not listen yet: the caller does not know, which is what this is about.
          if (error instanceof assert.AssertionError) throw error;
          await waitFor('the program is back', () => program !== current || !killing);
        }
      }
    });
    try {
      for (let kill = 1; kill <= kills; kill++) {
        const before = answered;
        await waitFor('requests are being answered', () => answered >= before + 25);
        await killAndStart();
      }
    } finally {
      killing = false;
      await Promise.all(workers);
    }
    await allFinal(sql);

    const rows = await sql<{ phone: string }[]>`SELECT recipient AS phone FROM messages`;
    const stored = new Set(rows.map((row) => row.phone));
    assert.equal(stored.size, rows.length, 'a message is stored twice');
    for (const { first, answered } of requests) {
      const found = phones(first, SIZE).filter((number) => stored.has(number)).length;
      if (answered) assert.equal(found, SIZE, 'an accepted request is not stored whole');
      else assert.ok(found === 0 || found === SIZE, `${found} of ${SIZE} messages of a request are stored`);
    }
    assert.ok(requests.some((request) => !request.answered));
    accepted = rows.length;
    assert.deepEqual(new Set(network.taken.keys()), stored);
    assert.ok(network.duplicates() <= WINDOW * kills, `${network.duplicates()} duplicates`);
    await assertPaid(sql, account.id, CREDITS, accepted);
  },
);

test('killed again and again in mid-campaign: all arrives, and at most a window for each kill arrives twice', async () => {
  // The machine `kills` of `npm run torture` kills as often as its time allows.
  const SIZE = 6_000;
  const kills = 2;
  const duplicatesBefore = network.duplicates();
  const campaign = phones(500_000, SIZE);
  for (let at = 0; at < SIZE; at += 2_000) {
    await mustSend(program.url, account, campaign.slice(at, at + 2_000));
  }
  accepted += SIZE;
  const arrived = () => network.taken.size - (accepted - SIZE);
  for (let kill = 1; kill <= kills; kill++) {
    const enough = Math.max(arrived() + 500, (SIZE * kill) / (kills + 1));
    await waitFor('the campaign is under way', () => arrived() >= enough);
    assert.ok(arrived() < SIZE, 'the campaign was over before the kill');
    await killAndStart();
  }
  await allFinal(sql);

  assert.deepEqual(
    campaign.filter((number) => !network.taken.has(number)),
    [],
  );
  assert.equal(network.taken.size, accepted, 'a message went out that nobody asked for');
  const duplicates = network.duplicates() - duplicatesBefore;
  assert.ok(duplicates <= WINDOW * kills, `${duplicates} duplicates`);
  assert.deepEqual(await statuses(sql), { 102: accepted });
  await assertPaid(sql, account.id, CREDITS, accepted);
});
