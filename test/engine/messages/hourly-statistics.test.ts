import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailChannel } from '../../../server/channels/mail/channel.ts';
import { smsChannel } from '../../../server/channels/sms/channel.ts';
import { onePlacement } from '../../../server/database/placements.ts';
import { HourlyStatistics } from '../../../server/engine/messages/hourly-statistics.ts';
import { HOUR_MS, hourOf } from '../../../server/engine/messages/hours.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { formatAmount, parseAmount } from '../../../server/modules/accounts/money.ts';
import { json, v1 } from '../../api/v1/support.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The table of hours, and `/v1/overview` on it. */
const service = await startTestService();
const { sql } = service;
const api = v1(service.url, DEMO_TOKEN);
const accountId = service.demo.id;

interface Row {
  readonly at: string;
  readonly channel: string;
  readonly accepted: number;
  readonly sent: number;
  readonly waiting: number;
  readonly submitted: number;
  readonly delivered: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly spent: string;
}
interface Overview {
  readonly from: string;
  readonly to: string;
  readonly rows: Row[];
  readonly totals: Omit<Row, 'at'>[];
  readonly counted_at: string | null;
}

const overview = (query = '') => json<Overview>(api.get(`/overview?${query}`));

async function send(phones: readonly string[], over: object = {}): Promise<string> {
  const body = JSON.stringify({ source: 'Shop', message: 'hello', phones, ...over });
  const headers = { 'content-type': 'application/json' };
  return (await json<{ shipment_id: string }>(api.post('/sms', body, headers), 202)).shipment_id;
}

/** A table of hours of its own, as another process has it. */
const another = () =>
  new HourlyStatistics({
    sql,
    placements: onePlacement,
    clock: service.appContext.clock,
    log: createLogger('error'),
  });

async function checkCounts(): Promise<void> {
  const counted = await sql`
    SELECT channel, sum(taken)::int AS taken, sum(waiting)::int AS waiting, sum(handed_over)::int AS handed_over,
      sum(delivered)::int AS delivered, sum(failed)::int AS failed, sum(cancelled)::int AS cancelled
    FROM message_hours WHERE account_id = ${accountId} GROUP BY channel`;
  const real = await sql`
    SELECT channel, count(handed_at)::int AS taken,
      (count(*) FILTER (WHERE final_at IS NULL AND handed_at IS NULL))::int AS waiting,
      (count(*) FILTER (WHERE final_at IS NULL AND handed_at IS NOT NULL))::int AS handed_over,
      (count(*) FILTER (WHERE status = 102))::int AS delivered,
      (count(*) FILTER (WHERE final_at IS NOT NULL AND status <> 102 AND code IS DISTINCT FROM 'CANCELLED'))::int
        AS failed,
      (count(*) FILTER (WHERE code = 'CANCELLED'))::int AS cancelled
    FROM messages WHERE account_id = ${accountId} GROUP BY channel`;
  assert.deepEqual([...counted], [...real]);
}

test('what was sent, delivered, failed, cancelled and spent, by hour and in all', async () => {
  const stem = newPhone().slice(0, 6);
  await send([...newPhones(3), `${stem}0001`, `${stem}0004`]);
  const at = new Date(service.appContext.clock.now() + HOUR_MS).toISOString();
  const later = await send(newPhones(2), { at });
  await json(api.post(`/shipments/${later}/cancel`));
  const before = await service.balance();
  const told = await waitFor('all is counted', async () => {
    const found = await overview();
    const [sms] = found.totals;
    const isCounted = sms?.delivered === 3 && sms.failed === 1 && sms.cancelled === 2 && sms.submitted === 1;
    // Changed hours are counted before those that are looked for, and by when is known after the latter.
    return isCounted && found.counted_at !== null && found;
  });
  const [sms] = told.totals;
  assert.deepEqual([sms!.channel, sms!.accepted, sms!.sent, sms!.waiting, sms!.spent], ['sms', 7, 5, 0, '5']);
  assert.equal(before, 100_000 - Number(sms!.spent));
  const sum = told.rows.reduce((total, row) => total + parseAmount(row.spent), 0);
  assert.equal(formatAmount(sum), '5');
  assert.ok(told.rows.every((row) => Date.parse(row.at) % HOUR_MS === 0));
  await checkCounts();
});

test('delivery by prefix of the number is that of the latest messages', async () => {
  const { token } = await service.addAccount({ username: 'prefixes' });
  const own = v1(service.url, token);
  const body = JSON.stringify({
    source: 'Shop',
    message: 'hello',
    phones: ['0521230001', '0521231234', '0541231234', '0541231235'],
  });
  await json(own.post('/sms', body, { 'content-type': 'application/json' }), 202);
  interface Prefixes {
    readonly sample: number;
    readonly rows: { prefix: string; channel: string; accepted: number; delivered: number; failed: number }[];
  }
  const from = new Date(service.appContext.clock.now() - HOUR_MS).toISOString();
  const told = await waitFor('all have ended', async () => {
    const found = await json<Prefixes>(own.get(`/overview/prefixes?from=${encodeURIComponent(from)}`));
    return found.rows.every((row) => row.delivered + row.failed === row.accepted) && found;
  });
  assert.equal(told.sample, 4);
  assert.deepEqual(
    told.rows.map(({ prefix, channel, accepted, delivered, failed }) => [
      prefix,
      channel,
      accepted,
      delivered,
      failed,
    ]),
    [
      ['052', 'sms', 2, 1, 1],
      ['054', 'sms', 2, 2, 0],
    ],
  );
});

test('the outcome of a message days later is counted in the hour when it was accepted', async () => {
  const accepted = hourOf(service.appContext.clock.now());
  const countedIn = async () => {
    const [row] = await sql<{ waiting: number; delivered: number }[]>`
      SELECT waiting, delivered FROM message_hours WHERE account_id = ${accountId} AND hour = ${accepted}`;
    return row;
  };
  const before = await waitFor('the hour is counted', countedIn);
  const day = 86_400;
  const at = new Date(service.appContext.clock.now() + 3 * day * 1_000).toISOString();
  await send([newPhone()], { at });
  await waitFor('it is counted as waiting', async () => (await countedIn())!.waiting === before.waiting + 1);
  await service.advance(2 * day);
  // From here on the hour is not looked at for new messages any more.
  await waitFor('what is new has been looked for', async () => {
    const [seen] = await sql<{ value: number }[]>`SELECT value FROM state WHERE key = 'message-hours.seen'`;
    const marks = await sql`SELECT 1 FROM message_hours_changed`;
    return hourOf(seen!.value) > accepted + 40 && marks.length === 0;
  });
  await service.advance(day + 60);
  await waitFor('it is counted as delivered', async () => {
    const row = await countedIn();
    return row!.delivered === before.delivered + 1 && row!.waiting === before.waiting;
  });
  await checkCounts();
});

test('counting twice, concurrently, or from nothing has the same result', async () => {
  const phones = newPhones(4);
  await send(phones);
  await waitFor('nothing is on its way', async () => {
    const rows =
      await sql`SELECT 1 FROM messages WHERE final_at IS NULL AND recipient = ANY(${phones.map(stored)})`;
    return rows.length === 0;
  });
  await sql`DELETE FROM message_hours`;
  await sql`DELETE FROM state WHERE key = 'message-hours.seen'`;
  await Promise.all([another().run(), another().run()]);
  await waitFor(
    'every hour is counted',
    async () => (await sql`SELECT 1 FROM message_hours_changed`).length === 0,
  );
  await checkCounts();
  const before =
    await sql`SELECT account_id, hour, channel, delivered, spent FROM message_hours ORDER BY 1, 2, 3`;
  await sql`
    INSERT INTO message_hours_changed (account_id, hour) SELECT DISTINCT account_id, hour FROM message_hours
    ON CONFLICT DO NOTHING`;
  await another().run();
  assert.deepEqual(
    [...(await sql`SELECT account_id, hour, channel, delivered, spent FROM message_hours ORDER BY 1, 2, 3`)],
    [...before],
  );
});

test('days are those of the account; spans are bounded; nobody sees those of others', async () => {
  const { token } = await service.addAccount({ username: 'idle' });
  const theirs = await json<Overview>(v1(service.url, token).get('/overview'));
  assert.deepEqual([theirs.rows, theirs.totals], [[], []]);
  const now = service.appContext.clock.now();
  const from = new Date(now - 30 * 86_400_000).toISOString();
  const days = await overview(`step=day&from=${from}`);
  const hourOfDay = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Jerusalem', hour: '2-digit' });
  assert.ok(days.rows.length > 0);
  for (const { at } of days.rows) assert.equal(hourOfDay.format(new Date(at)), '00');
  for (const query of [
    `from=${new Date(now - 40 * 86_400_000).toISOString()}`,
    `from=${from}&to=${new Date(now - 31 * 86_400_000).toISOString()}`,
    'step=week',
    'from=today',
  ]) {
    await json(api.get(`/overview?${query}`), 400);
  }
});

test('the search skips hours without matching messages', async () => {
  const hourlyStatistics = another();
  const now = hourOf(service.appContext.clock.now());
  // Nothing has been read so far, where nobody has chat.
  assert.equal(await hourlyStatistics.latestWith(accountId, { state: 'read' }, now - 2), null);
  assert.equal(await hourlyStatistics.latestWith(accountId, { state: 'failed' }, now), now);
  assert.ok((await hourlyStatistics.latestWith(accountId, { state: 'failed' }, now - 24))! < now);
  // Of a channel: its own hours count alone.
  const channel = mailChannel.id;
  assert.equal(await hourlyStatistics.latestWith(accountId, { channel }, now - 2), null);
  const add = (state: 'failed' | 'delivered', hour: number, of: number) => sql`
    INSERT INTO message_hours (account_id, hour, channel, taken, waiting, handed_over, delivered, read, failed, cancelled,
      parts, spent, counted_at)
    VALUES (${accountId}, ${hour}, ${of}, 1, 0, 0, ${state === 'delivered' ? 1 : 0}, 0, ${state === 'failed' ? 1 : 0},
      0, 1, 0, 0)`;
  await add('delivered', now - 30, channel);
  await add('failed', now - 40, channel);
  await add('failed', now - 25, smsChannel.id);
  assert.equal(await hourlyStatistics.latestWith(accountId, { channel }, now - 2), now - 30);
  assert.equal(await hourlyStatistics.latestWith(accountId, { channel, state: 'failed' }, now - 2), now - 40);
  assert.equal(await hourlyStatistics.latestWith(accountId, { state: 'failed' }, now - 2), now - 25);
  await sql`DELETE FROM message_hours WHERE hour = ANY(${[now - 25, now - 30, now - 40]}::int[])`;
});

test('the queue of an account has what waits, what is for later and what is paused', async () => {
  interface Queue {
    readonly lanes: { lane: string; due: number; oldest_seconds: number; later: number; paused: number }[];
  }
  const queue = async (token: string) =>
    (await json<Queue>(v1(service.url, token).get('/queue'))).lanes.map(({ lane, due, later, paused }) => [
      lane,
      due,
      later,
      paused,
    ]);
  const at = new Date(service.appContext.clock.now() + HOUR_MS).toISOString();
  const own = await service.addAccount({ username: 'queue-own' }, 100);
  const api = v1(service.url, own.token);
  const sendLater = async (phones: readonly string[]) => {
    const body = JSON.stringify({ source: 'Shop', message: 'hello', phones, at });
    return json<{ shipment_id: string }>(api.post('/sms', body, { 'content-type': 'application/json' }), 202);
  };
  await sendLater(newPhones(1));
  await sendLater(newPhones(2));
  const { shipment_id } = await sendLater(newPhones(3));
  await json(api.post(`/shipments/${shipment_id}/pause`));
  assert.deepEqual(await queue(own.token), [
    ['otp', 0, 0, 0],
    ['single', 0, 1, 0],
    ['bulk', 0, 2, 3],
  ]);
  const other = await service.addAccount({ username: 'queue-other' });
  assert.deepEqual(
    (await queue(other.token)).flatMap(([, ...counts]) => counts),
    Array(9).fill(0),
  );
});
