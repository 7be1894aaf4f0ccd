import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPhone, stored } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { asPerson, withToken } from './calls.ts';

interface Portfolio {
  readonly id: string;
  readonly account_id: string;
  readonly username: string;
  readonly name: string;
  readonly platform_id: string;
  readonly tier: number;
  readonly reached: number;
  readonly numbers: { phone: string; name: string; platform_id: string; messages_per_second: number }[];
}
interface Portfolios {
  readonly portfolios: Portfolio[];
  readonly next: string | null;
}

const service = await startTestService();
const { url, sql, appContext } = service;
const operator = await asPerson(service, 'operator');
const path = '/operator/chat-portfolios';
let platformIds = 7_000;
const wanted = (accountId: number, more: object = {}) => ({
  account_id: String(accountId),
  name: 'Shop',
  platform_id: String(++platformIds),
  access_token: 'EAAG-token',
  ...more,
});

test('a portfolio is created, gets a number, and changes its tier', async () => {
  const account = await service.addAccount({ username: 'chatting' });
  const made = await operator.post<Portfolio>(path, wanted(account.id));
  assert.deepEqual(
    [made.account_id, made.username, made.name, made.tier, made.reached, made.numbers],
    [String(account.id), 'chatting', 'Shop', 250, 0, []],
  );

  const phone = newPhone();
  const { numbers } = await operator.post<Portfolio>(`${path}/${made.id}/numbers`, {
    phone,
    platform_id: '9001',
  });
  const number = {
    phone: stored(phone),
    name: stored(phone),
    platform_id: '9001',
    messages_per_second: 80,
    quality: 'unknown',
  };
  assert.deepEqual(numbers, [number]);

  const changed = await operator.call<Portfolio>('PATCH', `${path}/${made.id}`, { tier: 10_000 });
  assert.deepEqual([changed.tier, changed.numbers], [10_000, [number]]);
  await operator.call('PATCH', `${path}/${made.id}`, { access_token: 'another' });
  const [stored_] = await sql`SELECT tier, access_token FROM chat_portfolios WHERE id = ${made.id}`;
  assert.equal(stored_!.tier, 10_000);
  const purpose = 'chat_portfolios.access_token';
  assert.equal(service.appContext.secrets.openText(stored_!.access_token, purpose, made.id), 'another');

  const own = await withToken(url, account.token).get<{ portfolios: { id: string; tier: number }[] }>(
    '/chat/numbers',
  );
  assert.deepEqual(
    own.portfolios.map(({ id, tier }) => [id, tier]),
    [[made.id, 10_000]],
  );
});

test('portfolios are read page by page, and of one account, with what is used of their tiers', async () => {
  const account = await service.addAccount({ username: 'paged' });
  const made: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    made.push((await operator.post<Portfolio>(path, wanted(account.id, { name }))).id);
  }
  const minute = Math.floor(appContext.clock.now() / 60_000);
  await sql`
    INSERT INTO chat_reach (account_id, portfolio_id, minute, clients)
    VALUES (${account.id}, ${made[1]!}, ${minute}, 5), (${account.id}, ${made[1]!}, ${minute - 60}, 2),
      (${account.id}, ${made[1]!}, ${minute - 1_500}, 9)`;
  const first = await operator.get<Portfolios>(`${path}?account=${account.id}&limit=2`);
  assert.deepEqual(
    first.portfolios.map(({ name, reached }) => [name, reached]),
    [
      ['one', 0],
      ['two', 7],
    ],
  );
  const second = await operator.get<Portfolios>(`${path}?account=${account.id}&limit=2&after=${first.next}`);
  assert.deepEqual([second.portfolios.map(({ name }) => name), second.next], [['three'], null]);
  const all = await operator.get<Portfolios>(path);
  assert.ok(made.every((id) => all.portfolios.some((portfolio) => portfolio.id === id)));
});

test('what cannot be is refused, and only operators may', async () => {
  const account = await service.addAccount({ username: 'refused-chat' });
  const body = wanted(account.id);
  const made = await operator.post<Portfolio>(path, body);
  assert.deepEqual(await operator.refused('POST', path, body), ['not-now', undefined, 409]);
  for (const [field, value] of Object.entries({
    tier: 300,
    platform_id: 'x',
    access_token: 'with space',
    name: '',
  })) {
    assert.deepEqual(
      await operator.refused('POST', path, wanted(account.id, { [field]: value })),
      ['bad-field', field, 400],
      field,
    );
  }
  assert.deepEqual(await operator.refused('POST', path, wanted(1)), ['not-found', undefined, 404]);
  assert.deepEqual(await operator.refused('PATCH', `${path}/1`, { tier: 250 }), [
    'not-found',
    undefined,
    404,
  ]);

  const phone = newPhone();
  await operator.post(`${path}/${made.id}/numbers`, { phone, platform_id: '9101' });
  const numbers = (more: object) =>
    operator.refused('POST', `${path}/${made.id}/numbers`, { phone, platform_id: '9102', ...more });
  assert.deepEqual(await numbers({}), ['not-now', undefined, 409]);
  assert.deepEqual(await numbers({ phone: '12' }), ['bad-field', 'phone', 400]);
  assert.deepEqual(await numbers({ messages_per_second: 5_000 }), ['bad-field', 'messages_per_second', 400]);

  const owner = await asPerson(service, 'owner', account.id);
  assert.deepEqual(await owner.refused('GET', path), ['not-allowed', undefined, 403]);
  const { entries } = await operator.get<{ entries: { object: { id: string }; after: object | null }[] }>(
    '/operator/audit?kind=chat-portfolios',
  );
  assert.ok(entries.length > 0);
  assert.ok(!JSON.stringify(entries).includes(body.access_token));
});
