import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatRemains } from '../../../server/channels/chat/campaign-source.ts';
import { listRemains } from '../../../server/channels/sms/list-campaigns.ts';
import { unrenderedOf } from '../../../server/engine/campaigns/rows.ts';
import { Canceller } from '../../../server/engine/messages/cancel.ts';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { newPhone } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** `cancel` by a name that several hundred shipments have, most of them sent. */
const service = await startTestService();
const { sql, demo, appContext } = service;
const { ids, clock } = appContext;
const other = await service.addAccount({ username: 'other' });

const announced: number[][] = [];
const unrendered = unrenderedOf((channel) =>
  [listRemains, chatRemains].find((remains) => remains.channel === channel),
);
// On connections of the test's own, so that the statements are all its own.
const canceller = new Canceller({
  endFallback: async () => false,
  sql,
  ids,
  clock,
  unrendered,
  announce: ({ shipmentIds }) => void announced.push([...shipmentIds]),
});

const inAnHour = () => formatLocal(clock.now() + 3_600_000, 'Asia/Jerusalem');
const userOf = (account: { username: string; token?: string }) => ({
  user: { username: account.username },
  options: { token: account.token },
});

async function send(count: number, name: string, timing?: string, account: { username: string } = demo) {
  const { user, options } = userOf(account);
  const sent: number[] = [];
  while (sent.length < count) {
    const some = await Promise.all(
      Array.from({ length: Math.min(50, count - sent.length) }, async () => {
        const phones = [newPhone(), newPhone()];
        const content = { user, source: 'Shop', message: 'Hello', destinations: { phone: phones } };
        const given = { ...content, campaign_name: name, ...(timing !== undefined && { timing }) };
        const answer = await service.call('json', 'sms', given, options);
        assert.equal(answer.status, 0, answer.message);
        return Number(answer.fields.shipment_id);
      }),
    );
    sent.push(...some);
  }
  return sent;
}

/** Messages of a name by their status. */
async function statusesOf(accountId: number, name: string): Promise<Record<string, number>> {
  const rows = await sql<{ status: number; n: number }[]>`
    SELECT m.status, count(*)::int AS n FROM shipments s
    JOIN messages m ON m.account_id = s.account_id AND m.shipment_id = s.id
    WHERE s.account_id = ${accountId} AND s.campaign_name = ${name} GROUP BY 1 ORDER BY 1`;
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

async function delivered(name: string, count: number): Promise<void> {
  await waitFor('all to be delivered', async () => (await statusesOf(demo.id, name))[102] === count);
}

/** The statements that `work` makes. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = [];
  sql.options.observe = (text) => void asked.push(text.trim());
  try {
    await work();
  } finally {
    sql.options.observe = undefined;
  }
  return asked;
}

const refusal = (code: string) => (error: unknown) => (error as { code?: unknown }).code === code;

test('those that were sent are read together, and each group of the others is one transaction', async () => {
  const name = 'many sent';
  const sent = await send(260, name);
  await delivered(name, 2 * sent.length);
  const few = await statementsOf(async () => {
    await assert.rejects(canceller.byName(demo.id, name), refusal('already-sent'));
  });
  assert.equal(few.length, 4, few.join('\n'));
  assert.ok(!few.some((text) => /^(BEGIN|UPDATE|DELETE)|FOR UPDATE/i.test(text)));

  await send(2, name, inAnHour());
  const two = await statementsOf(() => canceller.byName(demo.id, name));
  const waiting = await send(150, name, inAnHour());
  announced.length = 0;
  const group = await statementsOf(async () => {
    const results = await canceller.byName(demo.id, name);
    assert.deepEqual(
      results.map(({ shipmentId, cancelled, submitted }) => [shipmentId, cancelled, submitted]),
      waiting.sort((a, b) => a - b).map((id) => [id, 2, 0]),
    );
  });
  assert.deepEqual(announced, [waiting]);
  assert.equal(group.length, two.length, group.join('\n'));
  assert.ok(group.length <= 16, group.join('\n'));
  assert.deepEqual(await statusesOf(demo.id, name), { 102: 520, 104: 304 });
  await assertBooksBalance(sql);
});

test('by id it is a handful of statements, whatever else has the name', async () => {
  const [id] = await send(1, 'many sent', inAnHour());
  const one = await statementsOf(() => canceller.byId(demo.id, id!));
  assert.ok(one.length <= 12, one.join('\n'));
  const again = await statementsOf(() =>
    assert.rejects(canceller.byId(demo.id, id!), refusal('already-cancelled')),
  );
  assert.ok(again.length <= 3, again.join('\n'));
});

test('several concurrent cancellations of the same name, by name and by id, over two accounts: each campaign is cancelled once', async () => {
  const name = 'at once';
  const before = [await service.balance(), await service.balance(other.id)];
  const sent = await send(60, name);
  const mine = await send(320, name, inAnHour());
  const theirs = await send(220, name, inAnHour(), other);
  await waitFor('those that were to go at once', async () => {
    return (await statusesOf(demo.id, name))[102] === 2 * sent.length;
  });
  const cancel = async (account: { username: string; token?: string }, content: object) => {
    const { user, options } = userOf(account);
    return service.call('json', 'cancel', { user, ...content }, options);
  };
  const [named, single] = await Promise.all([
    Promise.all([demo, demo, other, demo, other].map((who) => cancel(who, { campaign_name: name }))),
    Promise.all([...mine.slice(-10), ...mine.slice(0, 10)].map((id) => cancel(demo, { campaign_id: id }))),
  ]);
  for (const { status } of named) assert.ok([0, 955, 966].includes(status), String(status));
  for (const { status } of single) assert.ok([0, 955].includes(status), String(status));
  const counted = (answers: typeof named) =>
    answers.reduce((sum, { fields }) => sum + Number(fields.count ?? 0), 0);
  const byId = single.filter(({ status }) => status === 0).length;
  assert.equal(counted([named[0]!, named[1]!, named[3]!]) + byId, mine.length);
  assert.equal(counted([named[2]!, named[4]!]), theirs.length);
  assert.deepEqual(await statusesOf(demo.id, name), { 102: 120, 104: 640 });
  assert.deepEqual(await statusesOf(other.id, name), { 104: 440 });
  assert.deepEqual([await service.balance(), await service.balance(other.id)], [before[0]! - 120, before[1]]);
  const ledger = await sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM ledger l JOIN shipments s ON s.account_id = l.account_id AND s.id = l.shipment_id
    WHERE s.campaign_name = ${name} AND l.kind = 'release' GROUP BY l.account_id, l.shipment_id`;
  assert.ok(ledger.every(({ n }) => n === 1));
  assert.equal(ledger.length, mine.length + theirs.length);
  assert.equal((await cancel(demo, { campaign_name: name })).status, 966);
  assert.equal((await cancel(other, { campaign_name: name })).status, 955);
  await assertBooksBalance(sql);
});

test('cancelling by name during sending charges the submitted messages and refunds the rest', async () => {
  const name = 'in the middle';
  const before = await service.balance();
  let isSending = true;
  const sending = send(300, name).finally(() => {
    isSending = false;
  });
  let count = 0;
  let handed = 0;
  while (isSending) {
    const answer = await service.call('json', 'cancel', { campaign_name: name });
    assert.ok([0, 955, 966, 977].includes(answer.status), answer.message);
    const said = /being sent: (\d+) messages cancelled, (\d+) handed over/.exec(answer.message);
    count += Number(answer.fields.count ?? 0);
    handed += Number(said?.[2] ?? 0);
  }
  await sending;
  await waitFor('each message to have its end', async () => {
    const found = await statusesOf(demo.id, name);
    return (found[102] ?? 0) + (found[104] ?? 0) === 600;
  });
  await waitFor('the wallet to have what was not sent', async () => {
    return (await service.balance()) === before - ((await statusesOf(demo.id, name))[102] ?? 0);
  });
  const [cancelled] = await sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM shipments WHERE account_id = ${demo.id} AND campaign_name = ${name} AND state = 2`;
  assert.equal(cancelled!.n, count);
  assert.ok(handed <= ((await statusesOf(demo.id, name))[102] ?? 0));
  await assertBooksBalance(sql);
});
