import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPhone } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { asPerson, type Calls, withToken } from './calls.ts';

interface Subscriber {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly balance: string;
  readonly suspended: boolean;
  readonly suspended_by_operator: boolean;
}
interface Page {
  readonly subscribers: Subscriber[];
  readonly next: string | null;
}

const service = await startTestService({ settings: { VERIFY_SOURCES: 'on' } });
const { url, sql, appContext } = service;

const wanted = (username: string) => ({
  name: 'Haifa branch',
  username,
  password: 'correct horse',
  source: 'Shop',
});
const listOf = async (calls: Calls, query = '') =>
  (await calls.get<Page>(`/subscribers${query}`)).subscribers;
const send = (username: string, token: string) =>
  service.call(
    'json',
    'sms',
    { user: { username }, source: 'Shop', destinations: { phone: newPhone() }, message: 'hello' },
    { token },
  );

test('a subscriber is created with its credit and the sender of its parent', async () => {
  const parent = await service.addAccount({ username: 'parent' });
  await appContext.sources.approve(parent.id, 'Shop');
  const calls = withToken(url, parent.token);
  const made = await calls.post<Subscriber>('/subscribers', {
    ...wanted('haifa'),
    amount: '100.5',
    otp_phone: '0501234567',
  });
  assert.deepEqual(
    [made.username, made.name, made.balance, made.suspended, made.suspended_by_operator],
    ['haifa', 'Haifa branch', '100.5', false, false],
  );
  assert.deepEqual(await listOf(calls), [made]);
  const [row] = await sql`SELECT otp_phone, default_source FROM accounts WHERE id = ${Number(made.id)}`;
  assert.deepEqual({ ...row }, { otp_phone: '972501234567', default_source: 'Shop' });
  assert.equal((await send('haifa', parent.token)).status, 0);
  assert.equal((await calls.get<{ balance: string }>('/wallet')).balance, '899.5');
});

test('invalid subscribers are refused, and nothing is created or moved', async () => {
  const parent = await service.addAccount({ username: 'refused' });
  const calls = withToken(url, parent.token);
  for (const [change, code, field, status] of [
    [{ username: 'REFUSED' }, 'username-taken', 'username', 409],
    [{ username: 'ab' }, 'bad-username', 'username', 400],
    [{ username: 'two words' }, 'bad-username', 'username', 400],
    [{ name: 'x' }, 'bad-name', 'name', 400],
    [{ password: '12345' }, 'bad-password', 'password', 400],
    [{ source: '' }, 'bad-source', 'source', 400],
    [{ source: 'a shop' }, 'bad-source', 'source', 400],
    [{ amount: '1001' }, 'over-credit', 'amount', 400],
    [{ amount: '-1' }, 'bad-amount', 'amount', 400],
    [{ amount: 'much' }, 'bad-field', 'amount', 400],
    [{ otp_phone: '12' }, 'bad-field', 'otp_phone', 400],
    [{ name: undefined }, 'bad-field', 'name', 400],
  ] as const) {
    const body = { ...wanted('refused-child'), ...change };
    assert.deepEqual(
      await calls.refused('POST', '/subscribers', body),
      [code, field, status],
      JSON.stringify(change),
    );
  }
  assert.deepEqual(await listOf(calls), []);
  assert.equal(await service.balance(parent.id), 1_000);
});

test('they are found by name and page by page', async () => {
  const parent = await service.addAccount({ username: 'many' });
  for (const name of ['north', 'south', 'north-west', 'east']) {
    await service.addAccount({ username: `many-${name}`, name: `Branch ${name}`, parentId: parent.id }, 0);
  }
  const calls = withToken(url, parent.token);
  const names = async (query: string) => (await listOf(calls, query)).map(({ username }) => username);
  const all = await names('');
  assert.deepEqual(all, ['many-north', 'many-south', 'many-north-west', 'many-east']);
  assert.deepEqual(await names('?search=NORTH'), ['many-north', 'many-north-west']);
  assert.deepEqual(await names('?search=branch%20e'), ['many-east']);
  assert.deepEqual(await names('?search=%25'), []);
  const found: string[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: Page = await calls.get(`/subscribers?limit=3&after=${next}`);
    found.push(...page.subscribers.map(({ username }) => username));
    next = page.next;
  }
  assert.deepEqual(found, all);
});

test('a parent stops its subscriber and lets it again, but not what the operator has stopped', async () => {
  const parent = await service.addAccount({ username: 'stopping' });
  const child = await service.addAccount({ username: 'stopped', parentId: parent.id });
  await appContext.sources.approve(child.id, 'Shop');
  const calls = await asPerson(service, 'owner', parent.id);
  const operator = await asPerson(service, 'operator');
  const change = (what: string) => calls.post<Subscriber>(`/subscribers/${child.id}/${what}`);

  assert.equal((await change('suspend')).suspended, true);
  assert.notEqual((await send('stopped', child.token)).status, 0);
  assert.equal((await change('lift')).suspended, false);
  assert.equal((await send('stopped', child.token)).status, 0);

  await operator.post(`/operator/accounts/${child.id}/suspend`);
  const lifted = await change('lift');
  assert.deepEqual([lifted.suspended, lifted.suspended_by_operator], [false, true]);
  assert.notEqual((await send('stopped', child.token)).status, 0);
  await operator.post(`/operator/accounts/${child.id}/lift`);
  assert.equal((await send('stopped', child.token)).status, 0);
});

test('subscribers of other accounts are not found, a subscriber has no subscribers, and owners create them', async () => {
  const parent = await service.addAccount({ username: 'mine' });
  const child = await service.addAccount({ username: 'mine-child', parentId: parent.id });
  const { id: strangerId } = await service.addAccount({ username: 'stranger' });
  const stranger = await asPerson(service, 'owner', strangerId);
  assert.deepEqual(await listOf(stranger), []);
  const mine = withToken(url, parent.token);
  assert.deepEqual(await mine.get(`/subscribers/${child.id}`), (await listOf(mine))[0]);
  assert.deepEqual(await stranger.refused('GET', `/subscribers/${child.id}`), ['not-found', undefined, 404]);
  for (const path of [
    `/subscribers/${child.id}/suspend`,
    `/subscribers/${parent.id}/suspend`,
    '/subscribers/x/lift',
  ]) {
    assert.deepEqual(await stranger.refused('POST', path), ['not-found', undefined, 404]);
  }
  assert.deepEqual(await mine.refused('POST', `/subscribers/${child.id}/suspend`), [
    'not-allowed',
    undefined,
    403,
  ]);
  const own = withToken(url, child.token);
  assert.deepEqual(await own.refused('GET', '/subscribers'), ['not-allowed', undefined, 403]);
  assert.deepEqual(await own.refused('POST', '/subscribers', wanted('grandchild')), [
    'not-allowed',
    undefined,
    403,
  ]);
  const sender = await asPerson(service, 'sender', parent.id);
  assert.equal((await listOf(sender)).length, 1);
  assert.deepEqual(await sender.refused('POST', '/subscribers', wanted('another')), [
    'not-allowed',
    undefined,
    403,
  ]);
  assert.deepEqual(await sender.refused('POST', `/subscribers/${child.id}/suspend`), [
    'not-allowed',
    undefined,
    403,
  ]);
});
