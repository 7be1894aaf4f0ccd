import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastCode } from '../../modules/otp/support.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { asPerson, withToken } from './calls.ts';

/** What the console shows of one-time codes, and how it lets stopped ones through. */
const service = await startTestService({
  settings: { OTP_BRAKE: 'on', OTP_PER_ACCOUNT_MINUTE: '0', OTP_PER_PHONE_HOUR: '0' },
});
const { url, appContext } = service;

interface Hour {
  readonly at: string;
  readonly sent: number;
  readonly verified: number;
  readonly stopped: number;
}
interface Block {
  readonly rule: string;
  readonly prefix: string;
  readonly count: number;
  readonly lifted_at: string | null;
}

let accounts = 0;
async function newAccount() {
  const { id, username, token } = await service.addAccount({ username: `codes-${++accounts}` });
  const ask = async (root: string, content: object) =>
    (await service.call('json', root, { user: { username }, ...content }, { token })).status;
  const calls = withToken(url, token);
  return {
    id,
    calls,
    send: (phone: string, app_id = 1) => ask('send_otp', { phone, source: 'Shop', app_id }),
    use: async (phone: string, app_id = 1) =>
      ask('validate_otp', { phone, app_id, code: await lastCode(service, id, phone) }),
    hours: async (query = '') => (await calls.get<{ hours: Hour[] }>(`/otp/hours${query}`)).hours,
    blocks: async () => (await calls.get<{ blocks: Block[] }>('/otp/blocks')).blocks,
  };
}

/** Neighbouring numbers of a range of its own, of which the fraud guard lets ten through. */
const run = (range: number, count: number) =>
  Array.from({ length: count }, (_, index) => `05${range}${41_100 + index}`);

test('a code is sent and checked under /v1, by the rules of the SMS family', async () => {
  const { id, calls } = await newAccount();
  const phone = newPhone();
  const body = { phone, source: 'Shop', text: 'For you: [code]', app_id: 4 };
  assert.deepEqual(await calls.post('/otp', body, 202), { done: true });
  const code = await lastCode(service, id, phone);
  const check = (over: object = {}) => calls.post('/otp/check', { phone, code, app_id: 4, ...over });
  assert.deepEqual(await check({ app_id: 5 }), { verified: false });
  assert.deepEqual(await check(), { verified: true });
  assert.deepEqual(await check(), { verified: false });
  assert.deepEqual(await calls.refused('POST', '/otp', { ...body, text: 'no place' }), [
    'bad-field',
    'text',
    400,
  ]);
  assert.deepEqual(await calls.refused('POST', '/otp', { ...body, phone: '+447700900123' }), [
    'bad-destination',
    'phone',
    400,
  ]);
  assert.deepEqual(await calls.refused('POST', '/otp/check', { phone, code: '12' }), [
    'bad-field',
    'code',
    400,
  ]);
});

test('an estimate tells the text and the cost by the same rules, and sends and counts nothing', async () => {
  const { id, calls } = await newAccount();
  const phone = newPhone();
  const body = { phone, source: 'Shop', text: 'For you: [code]' };
  const wallet = () => calls.get<{ balance: string }>('/wallet');
  const { balance } = await wallet();
  const told = await calls.post<object>('/otp/estimate', body);
  assert.deepEqual(told, { text: 'For you: 123456', parts: 1, cost: '1', balance, enough: true });
  const long = await calls.post<{ parts: number; cost: string }>('/otp/estimate', {
    ...body,
    text: `[code] ${'x'.repeat(200)}`,
  });
  assert.deepEqual([long.parts, long.cost], [2, '2']);
  assert.deepEqual(await calls.refused('POST', '/otp/estimate', { ...body, text: 'no place' }), [
    'bad-field',
    'text',
    400,
  ]);
  assert.equal((await wallet()).balance, balance);
  const kept = await service.sql`SELECT 1 FROM otp_sends WHERE account_id = ${id}`;
  assert.equal(kept.length, 0);
  const { token } = await service.addAccount({ username: 'codes-poor' }, 0);
  const poor = await withToken(url, token).post<{ enough: boolean }>('/otp/estimate', body);
  assert.equal(poor.enough, false);
});

test('codes are counted by application', async () => {
  const { calls, send, use } = await newAccount();
  const [one, other] = [newPhone(), newPhone()];
  for (const [phone, app] of [
    [one, 7],
    [one, 7],
    [other, 7],
    [other, 2],
  ] as const) {
    assert.equal(await send(phone, app), 0);
  }
  assert.equal(await use(one, 7), 0);
  const { applications } = await calls.get<{ applications: { last_at: string }[] }>('/otp/applications');
  assert.deepEqual(
    applications.map(({ last_at, ...row }) => row),
    [
      { app_id: 7, sent: 3, verified: 1, phones: 2, verified_phones: 1 },
      { app_id: 2, sent: 1, verified: 0, phones: 1, verified_phones: 0 },
    ],
  );
  const [first, ...more] = (await calls.get<{ applications: object[] }>('/otp/applications?limit=1'))
    .applications;
  assert.deepEqual([first, more], [applications[0], []]);
});

test('codes are counted by hour, with those that were stopped', async () => {
  const { send, use, hours } = await newAccount();
  const hourOf = () => {
    const now = appContext.clock.now();
    return new Date(now - (now % 3_600_000)).toISOString();
  };
  await service.advance(3_600 - (Math.floor(appContext.clock.now() / 1_000) % 3_600));
  const firstHour = hourOf();
  const phone = newPhone();
  assert.equal(await send(phone), 0);
  assert.equal(await use(phone), 0);
  assert.equal(await send(newPhone()), 0);
  await service.advance(3_600);
  const secondHour = hourOf();
  for (const [index, neighbour] of run(111, 12).entries())
    assert.equal(await send(neighbour), index < 10 ? 0 : 5);
  assert.deepEqual(await hours(), [
    { at: firstHour, sent: 2, verified: 1, stopped: 0 },
    { at: secondHour, sent: 10, verified: 0, stopped: 2 },
  ]);
  assert.deepEqual(await hours(`?from=${secondHour}`), [
    { at: secondHour, sent: 10, verified: 0, stopped: 2 },
  ]);
  assert.deepEqual(await hours(`?to=${new Date(Date.parse(firstHour) - 1).toISOString()}`), []);
});

test('a prefix that is stopped is let through, and stopped again when its codes are not used', async () => {
  const { id, send, blocks } = await newAccount();
  const calls = await asPerson(service, 'owner', id);
  const phones = run(112, 24);
  for (const phone of phones.slice(0, 10)) assert.equal(await send(phone), 0);
  assert.equal(await send(phones[10]!), 5);
  const prefix = stored(phones[0]!).slice(0, 7);
  const [stopped] = await blocks();
  assert.deepEqual([stopped!.rule, stopped!.prefix, stopped!.lifted_at], ['neighbours', prefix, null]);

  const viewer = await asPerson(service, 'sender', id);
  assert.deepEqual(await viewer.refused('POST', '/otp/lift', { prefix }), ['not-allowed', undefined, 403]);
  assert.deepEqual(await calls.refused('POST', '/otp/lift', { prefix: '97x' }), ['bad-field', 'prefix', 400]);
  await calls.post('/otp/lift', { prefix: '9725999' });
  assert.equal(await send(phones[10]!), 5, 'another prefix');
  await service.advance(1);
  await calls.post('/otp/lift', { prefix });
  const [lifted] = await blocks();
  assert.ok(lifted!.lifted_at !== null);
  for (const phone of phones.slice(10, 20)) assert.equal(await send(phone), 0);
  assert.equal(await send(phones[20]!), 5);

  const stranger = await newAccount();
  assert.deepEqual(await stranger.blocks(), []);
  assert.deepEqual(await stranger.hours(), []);
});
