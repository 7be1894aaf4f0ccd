import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, conversionOf } from '../../../server/modules/otp/reports.ts';
import { createEventModule } from '../../../server/run/app-context.ts';
import { covers } from '../../conformance/covers.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { stored } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { lastCode } from './support.ts';

/**
 * The fraud guard against traffic pumping at work, with its default settings: attacks that it stops, and people that it
 * must not hold up. The limits are off, so that nothing else stops anything.
 */
const service = await startTestService({
  settings: { OTP_BRAKE: 'on', OTP_PER_ACCOUNT_MINUTE: '0', OTP_PER_PHONE_HOUR: '0' },
});
const { sql, appContext } = service;
const now = () => appContext.clock.now();
const MINUTE = 60;

/** To the beginning of an hour, since what is stopped is counted by the hour. */
const toNextHour = () => service.advance(60 * MINUTE - (Math.floor(now() / 1_000) % (60 * MINUTE)));

let made = 0;
let ranges = 10;

/** A range of 100,000 numbers of its own: the first five digits of `05xxxxxxxx`, one prefix of the fraud guard. */
const newRange = () => `050${ranges++}`;
const phoneIn = (range: string, n: number) => `${range}${String(n).padStart(5, '0')}`;

async function newAccount() {
  made += 1;
  const { id, username, token } = await service.addAccount({ username: `pumped-${made}` }, 10_000);
  const ask = (root: string, content: object) =>
    service.call('json', root, { user: { username }, ...content }, { token });
  const send = async (phone: string) => (await ask('send_otp', { phone, source: 'Shop' })).status;
  const use = async (phone: string) => {
    const code = await lastCode(service, id, phone);
    assert.equal((await ask('validate_otp', { phone, code })).status, 0);
  };
  return {
    id,
    send,
    use,
    /** Sends to all, 20 at a time; the statuses. */
    async sendAll(phones: readonly string[]): Promise<number[]> {
      const statuses: number[] = [];
      for (let from = 0; from < phones.length; from += 20) {
        statuses.push(...(await Promise.all(phones.slice(from, from + 20).map(send))));
      }
      return statuses;
    },
    spent: async () => 10_000 - (await service.balance(id)),
    blocks: () => blocksOf(sql, id, { from: 0, to: now() }, 100),
  };
}

const accepted = (statuses: readonly number[]) => statuses.filter((status) => status === 0).length;

/** Numbers as people have them: all over a range, in no order. */
function scattered(range: string, count: number): string[] {
  // 100,000 and 40,503 have no common divisor: no number comes twice.
  return Array.from({ length: count }, (_, i) => phoneIn(range, (20_011 + i * 40_503) % 100_000));
}

test('a run of neighbouring numbers is stopped after ten', covers('B4.pumping'), async () => {
  await toNextHour();
  const account = await newAccount();
  const range = newRange();
  const run = Array.from({ length: 80 }, (_, i) => phoneIn(range, 41_100 + i));
  const statuses = await account.sendAll(run);
  assert.deepEqual([accepted(statuses), statuses.filter((status) => status === 5).length], [10, 70]);
  assert.equal(await account.spent(), 10, 'what is stopped costs nothing');
  const [block, ...more] = await account.blocks();
  assert.deepEqual(more, []);
  assert.deepEqual([block!.rule, block!.count, block!.prefix], ['neighbours', 70, stored(range).slice(0, 7)]);
  assert.equal(await account.send(phoneIn(range, 77_777)), 0, 'others in the range are not held up');
});

test('a run that skips numbers, downwards and at leisure, is stopped all the same', async () => {
  const account = await newAccount();
  const range = newRange();
  const statuses: number[] = [];
  for (let i = 0; i < 30; i++) {
    statuses.push(await account.send(phoneIn(range, 55_900 - i * 7)));
    await service.advance(20);
  }
  assert.deepEqual(statuses, [...Array(10).fill(0), ...Array(20).fill(5)]);
});

test(
  'codes all over a range that nobody uses are stopped, but for one a minute',
  covers('B4.pumping'),
  async () => {
    await toNextHour();
    const account = await newAccount();
    const [range, other] = [newRange(), newRange()];
    const phones = scattered(range, 60);
    assert.equal(accepted(await account.sendAll(phones.slice(0, 20))), 20, 'nothing is known of them yet');
    await service.advance(3 * MINUTE + 1);
    const statuses = await account.sendAll(phones.slice(20, 40));
    assert.equal(accepted(statuses), 1, 'one shows whether they are used by now');
    await service.advance(MINUTE);
    assert.equal(accepted(await account.sendAll(phones.slice(40, 60))), 1);
    const [block] = await account.blocks();
    assert.deepEqual([block!.rule, block!.count], ['conversion', 38]);
    assert.equal(await account.send(phoneIn(other, 12_345)), 0, 'other ranges are not held up');
    const stranger = await newAccount();
    assert.equal(await stranger.send(phoneIn(range, 12_345)), 0, 'nor are other accounts');
    await service.advance(60 * MINUTE);
    assert.equal(accepted(await account.sendAll(phones.slice(0, 10))), 10, 'an hour later it is forgotten');
  },
);

test('a range that was stopped in error opens when its codes are used again', async () => {
  const account = await newAccount();
  const range = newRange();
  const phones = scattered(range, 60);
  await account.sendAll(phones.slice(0, 25));
  await service.advance(3 * MINUTE + 1);
  for (let minute = 0; minute < 4; minute++) {
    assert.equal(await account.send(phones[30 + minute]!), 0);
    assert.equal(await account.send(phones[40 + minute]!), 5);
    await account.use(phones[30 + minute]!);
    await service.advance(MINUTE);
  }
  // Four of the last twenty are the fifth that it takes.
  assert.equal(accepted(await account.sendAll(phones.slice(50))), 10);
});

test('a wave of logins is not stopped: nobody has used their code yet', async () => {
  const account = await newAccount();
  const range = newRange();
  const people = [...scattered(range, 120), ...scattered(newRange(), 60), ...scattered(newRange(), 20)];
  assert.equal(accepted(await account.sendAll(people)), people.length);
  // Most of them use it within two minutes; some never.
  await service.advance(MINUTE);
  for (const [index, phone] of people.entries()) if (index % 3 !== 0) await account.use(phone);
  await service.advance(5 * MINUTE);
  const next = Array.from({ length: 100 }, (_, i) => phoneIn(range, (31_337 + i * 40_503) % 100_000));
  assert.equal(accepted(await account.sendAll(next)), next.length, 'the next wave');
  assert.deepEqual(await account.blocks(), []);
});

test('a company with a block of numbers starts work: its earlier users are not stopped', async () => {
  const account = await newAccount();
  const range = newRange();
  const staff = Array.from({ length: 40 }, (_, i) => phoneIn(range, 62_100 + i));
  // They came in one by one.
  for (let from = 0; from < staff.length; from += 8) {
    const few = staff.slice(from, from + 8);
    assert.equal(accepted(await account.sendAll(few)), 8);
    for (const phone of few) await account.use(phone);
  }
  await service.advance(24 * 60 * MINUTE);
  assert.equal(accepted(await account.sendAll(staff)), staff.length, 'all at once, with no code used yet');
  await service.advance(91 * 24 * 60 * MINUTE);
  assert.equal(accepted(await account.sendAll(staff)), 10, 'unknown again after 90 days');
});

test('somebody who asks again and again is one person, and does not count against themselves', async () => {
  const account = await newAccount();
  const phone = phoneIn(newRange(), 33_333);
  for (let i = 0; i < 30; i++) {
    assert.equal(await account.send(phone), 0);
    await service.advance(10);
  }
  await account.use(phone);
});

test(
  'what is stopped is an event: the first of an hour, the tenth, the hundredth',
  covers('B4.pumping.told'),
  async () => {
    await toNextHour();
    const receiver = await startReceiver();
    const account = await newAccount();
    const room = createEventModule(appContext, { allowPrivate: true, deliver: false });
    await room.endpoints.register({ accountId: account.id, kind: 'webhook', url: receiver.url });
    const events = () =>
      receiver.received.map(
        ({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
      );
    // The service knows of the endpoint when it hears of the code's delivery.
    await waitFor('the endpoint is known', async () => {
      await account.send(phoneIn('05090', 50_000));
      return events().length > 0;
    });
    const range = newRange();
    const run = Array.from({ length: 130 }, (_, i) => phoneIn(range, 71_100 + i));
    assert.equal(accepted(await account.sendAll(run)), 10);
    const blocked = await waitFor('the events come', () => {
      const found = events().filter(({ type }) => type === 'otp.blocked');
      return found.length >= 3 && found;
    });
    assert.deepEqual(
      blocked
        .map(({ data }) => [data.rule, data.prefix, data.count])
        .sort((a, b) => Number(a[2]) - Number(b[2])),
      [1, 10, 100].map((count) => ['neighbours', stored(range).slice(0, 7), count]),
    );
    assert.ok(run.map(stored).includes(String(blocked[0]!.data.phone)));
  },
);

test('the report of conversion: by prefix, people and codes, those with the most unused first', async () => {
  const account = await newAccount();
  const [poor, good] = [newRange(), newRange()];
  const from = now();
  const people = scattered(good, 4);
  await account.sendAll(people);
  // After the others: of two codes to one phone that are asked for at once, either may be the one that counts.
  await account.send(people[0]!);
  for (const phone of people) await account.use(phone);
  await account.sendAll(scattered(poor, 3));
  const rows = await conversionOf(sql, account.id, { from, to: now() }, 10);
  assert.deepEqual(
    rows.map(({ lastAt: _, ...row }) => row),
    [
      { prefix: stored(poor).slice(0, 7), sent: 3, verified: 0, phones: 3, verifiedPhones: 0 },
      { prefix: stored(good).slice(0, 7), sent: 5, verified: 4, phones: 4, verifiedPhones: 4 },
    ],
  );
  assert.deepEqual(await conversionOf(sql, account.id, { from: 0, to: from - 1 }, 10), []);
});
