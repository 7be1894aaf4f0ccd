import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  allFinal,
  assertPaid,
  call,
  mustSend,
  phone,
  phones,
  startNetwork,
  statuses,
} from '../../faults/support.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from './support.ts';

/* Who goes first, on a connector that is much slower than what waits for it. Order is told by what the network took. */

const WINDOW = 20;
const CREDITS = 100_000;
const network = await startNetwork();
const { url, sql, clock, account } = await startDispatching(network, {
  window: WINDOW,
  messagesPerSecond: 300,
});
const crowd = await account('crowd', CREDITS);
const single = await account('single', CREDITS);
const small = await account('small', CREDITS);

const taken = () => network.submits.length;
/** The place of the last of these numbers in what the network took; -1 until all are there. */
const lastPlace = (numbers: readonly string[]) => {
  const wanted = new Set(numbers);
  return numbers.every((number) => network.taken.has(number))
    ? network.submits.findLastIndex(({ to }) => wanted.has(to))
    : -1;
};

let campaign = 0;

test('single messages go before a campaign of another account that waits', async () => {
  campaign = await mustSend(url, crowd, phones(0, 5_000), { campaign_name: 'crowd' });
  await waitFor('the campaign is under way', () => taken() > 50);
  const numbers = phones(100_000, 5);
  const answered = await Promise.all(
    numbers.map(async (to) => {
      await mustSend(url, single, [to]);
      return taken();
    }),
  );
  await waitFor('the singles are out', () => lastPlace(numbers) >= 0);
  const between = lastPlace(numbers) - Math.max(...answered);
  // What was in flight already, and what left while they were read from the database.
  assert.ok(between <= 2 * WINDOW + 60, `${between} messages of the campaign went before the last single`);
  assert.ok(taken() < 5_000);
});

test('within a lane accounts take turns: a small campaign does not wait for a large one', async () => {
  const numbers = phones(110_000, 200);
  await mustSend(url, small, numbers);
  const from = taken();
  await waitFor('the small campaign is out', () => lastPlace(numbers) >= 0);
  const span = lastPlace(numbers) - from;
  assert.ok(span <= 2 * 200 + 2 * WINDOW + 60, `the small campaign was spread over ${span} messages`);
  assert.ok(network.submits.slice(from, from + span).some(({ to }) => to < phone(5_000)));
  assert.ok(taken() < 5_000);
});

test('cancelling a running campaign keeps the rest here, and refunds exactly its price', async () => {
  const answer = await call(url, crowd, 'cancel', { campaign_id: campaign });
  assert.equal(answer.status, 0, answer.message);
  assert.match(answer.message, /cancelled while it was being sent/);
  const cancelled = Number(/(\d+) messages cancelled/.exec(answer.message)![1]);
  // What was on the wire in that moment may have been taken: then it counts as submitted again.
  const { paid, kept } = await waitFor('what arrived, and nothing else, counts as delivered', async () => {
    const arrived = network.submits.filter(({ to }) => to < phone(5_000)).length;
    const { 102: paid = 0, 104: kept = 0 } = await statuses(sql, crowd.id);
    return paid === arrived && paid + kept === 5_000 && { paid, kept };
  });
  assert.ok(kept <= cancelled && kept >= cancelled - 2 * WINDOW, `${kept} of ${cancelled} stayed`);
  await assertPaid(sql, crowd.id, CREDITS, paid);
  assert.equal((await call(url, crowd, 'cancel', { campaign_id: campaign })).status, 955);
});

/** As `timing` is written, in the time zone of accounts that have none. */
function timing(inMs: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Jerusalem',
    day: '2-digit',
    month: '2-digit',
    year: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(clock.now() + inMs);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)!.value;
  return `${part('day')}/${part('month')}/${part('year')} ${part('hour')}:${part('minute')}`;
}

test('scheduled messages wait until they are due, their price is held, and what is cancelled is released', async () => {
  const planner = await account('planner', 1_000);
  const [later, never, now] = [phones(120_000, 30), phones(121_000, 20), phones(122_000, 10)];
  const due = await mustSend(url, planner, later, { timing: timing(30 * 60_000) });
  const dropped = await mustSend(url, planner, never, { timing: timing(40 * 60_000) });
  await mustSend(url, planner, now);
  const kinds = async (shipment: number) => {
    const rows = await sql<{ kind: string; sum: number }[]>`
      SELECT kind, sum(amount)::float8 AS sum FROM ledger WHERE shipment_id = ${shipment} GROUP BY kind`;
    return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]));
  };
  assert.deepEqual(await kinds(due), { hold: -30 });
  assert.equal((await call(url, planner, 'cancel', { campaign_id: dropped })).status, 0);
  assert.deepEqual(await kinds(dropped), { hold: -20, release: 20 });
  // What was sent after them has gone; they have not, nor a quarter of an hour later.
  await waitFor('the others are out', () => lastPlace(now) >= 0);
  clock.advance(15 * 60_000);
  const more = phones(123_000, 10);
  await mustSend(url, planner, more);
  await waitFor('the others are out', () => lastPlace(more) >= 0);
  assert.ok(later.every((number) => !network.taken.has(number)));

  clock.advance(16 * 60_000);
  await allFinal(sql);
  assert.ok(later.every((number) => network.taken.get(number) === 1));
  assert.ok(never.every((number) => !network.taken.has(number)));
  assert.deepEqual(await kinds(due), { hold: -30, release: 30, charge: -30 });
  await assertPaid(sql, planner.id, 1_000, 50);
});

after(() => assert.equal(network.duplicates(), 0));
