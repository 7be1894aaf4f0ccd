import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPhone, newPhones } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson, withToken } from './calls.ts';

interface AccountRow {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly parent: string | null;
  readonly balance: string;
  readonly suspended: boolean;
  readonly time_zone: string | null;
  readonly addresses: string[];
  readonly password_sign_in: boolean;
}
interface Carrier {
  readonly name: string;
  readonly channel: string;
  readonly state: string;
  readonly rate: number;
  readonly taken: number;
  readonly in_flight: number;
  readonly window: number;
}
interface Queues {
  readonly lanes: {
    lane: string;
    due: number;
    by_age: number[];
    oldest_seconds: number;
    later: number;
    paused: number;
  }[];
  readonly accounts: { username: string; lane: string; due: number }[];
}
interface Price {
  readonly account_id: string | null;
  readonly username: string | null;
  readonly channel: string;
  readonly prefix: string;
  readonly price: string;
  readonly refund_unanswered: boolean;
}
interface Prices {
  readonly prices: Price[];
  readonly defaults: Record<string, string>;
  readonly next: string | null;
}

const service = await startTestService();
const { url, sql, appContext } = service;
const operator = await asPerson(service, 'operator');

const send = (username: string, token: string, more: object = {}) =>
  service.call(
    'json',
    'sms',
    { user: { username }, source: 'Shop', destinations: { phone: newPhone() }, message: 'hello', ...more },
    { token },
  );

test('an account is created, found, changed, topped up, suspended and reactivated', async () => {
  const made = await operator.post<AccountRow>('/operator/accounts', {
    username: 'shop',
    name: 'The shop',
    time_zone: 'Europe/Berlin',
    addresses: ['127.0.0.1', '2001:db8::/32'],
  });
  assert.deepEqual(
    [made.username, made.name, made.parent, made.balance, made.suspended, made.time_zone, made.addresses],
    ['shop', 'The shop', null, '0', false, 'Europe/Berlin', ['127.0.0.1', '2001:db8::/32']],
  );
  const path = `/operator/accounts/${made.id}`;
  assert.deepEqual(await operator.get(path), made);
  assert.deepEqual(await operator.get('/operator/accounts?search=the%20SH'), {
    accounts: [made],
    next: null,
  });

  const { token } = await appContext.tokens.mint(Number(made.id));
  assert.notEqual((await send('shop', token)).status, 0);
  assert.deepEqual(await operator.post(`${path}/top-up`, { amount: '12.5', note: 'invoice 17' }), {
    balance: '12.5',
  });
  assert.deepEqual(await operator.post(`${path}/top-up`, { amount: -2 }), { balance: '10.5' });
  assert.equal((await send('shop', token)).status, 0);

  assert.equal((await operator.post<AccountRow>(`${path}/suspend`)).suspended, true);
  assert.notEqual((await send('shop', token)).status, 0);
  assert.equal((await operator.post<AccountRow>(`${path}/lift`)).suspended, false);

  const changed = await operator.call<AccountRow>('PATCH', path, {
    name: 'Another',
    time_zone: null,
    addresses: ['192.0.2.0/24'],
    password_sign_in: true,
  });
  assert.deepEqual(
    [changed.username, changed.name, changed.time_zone, changed.addresses, changed.password_sign_in],
    ['shop', 'Another', null, ['192.0.2.0/24'], true],
  );
  // Not from here any more.
  assert.notEqual((await send('shop', token)).status, 0);
  assert.deepEqual(await operator.call('PATCH', path, {}), changed);
  const ledger =
    await sql`SELECT kind, amount, note FROM ledger WHERE account_id = ${Number(made.id)} ORDER BY id`;
  assert.deepEqual(
    ledger.slice(0, 2).map((row) => ({ ...row })),
    [
      { kind: 'topup', amount: '12.5000', note: 'invoice 17' },
      { kind: 'topup', amount: '-2.0000', note: 'operator' },
    ],
  );
});

test('accounts come page by page, subscribers with whom they are under', async () => {
  const parent = await service.addAccount({ username: 'page-parent' });
  const made = await operator.post<AccountRow>('/operator/accounts', {
    username: 'page-child',
    parent: 'page-parent',
  });
  assert.deepEqual([made.parent, made.name], ['page-parent', 'page-child']);
  assert.equal((await appContext.accounts.byId(Number(made.id)))!.parentId, parent.id);
  const names: string[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: { accounts: AccountRow[]; next: string | null } = await operator.get(
      `/operator/accounts?search=page-&limit=1&after=${next}`,
    );
    names.push(...page.accounts.map(({ username }) => username));
    next = page.next;
  }
  assert.deepEqual(names, ['page-parent', 'page-child']);
});

test('what cannot be an account, a change or an amount is refused', async () => {
  const account = await service.addAccount({ username: 'taken' }, 10);
  await service.addAccount({ username: 'taken-child', parentId: account.id });
  const path = `/operator/accounts/${account.id}`;
  for (const [method, to, body, code, field, status] of [
    ['POST', '/operator/accounts', {}, 'bad-field', 'username', 400],
    ['POST', '/operator/accounts', { username: 'a' }, 'bad-field', 'username', 400],
    ['POST', '/operator/accounts', { username: 'TAKEN' }, 'username-taken', 'username', 409],
    ['POST', '/operator/accounts', { username: 'new', parent: 'nobody' }, 'unknown-user', 'parent', 404],
    ['POST', '/operator/accounts', { username: 'new', parent: 'taken-child' }, 'bad-field', 'parent', 400],
    ['POST', '/operator/accounts', { username: 'new', time_zone: 'Mars' }, 'bad-field', 'time_zone', 400],
    ['POST', '/operator/accounts', { username: 'new', addresses: ['x'] }, 'bad-field', 'addresses[0]', 400],
    ['POST', '/operator/accounts', { username: 'new', password: '123' }, 'bad-password', 'password', 400],
    ['PATCH', path, { name: '' }, 'bad-field', 'name', 400],
    ['PATCH', path, { addresses: ['10.0.0.0/33'] }, 'bad-field', 'addresses[0]', 400],
    ['POST', `${path}/top-up`, { amount: '-10.0001' }, 'over-credit', 'amount', 400],
    ['POST', `${path}/top-up`, { amount: '0' }, 'bad-amount', 'amount', 400],
    ['POST', `${path}/top-up`, { amount: '1000000001' }, 'bad-amount', 'amount', 400],
    ['POST', `${path}/top-up`, {}, 'bad-field', 'amount', 400],
    ['GET', '/operator/accounts/1', undefined, 'not-found', undefined, 404],
    ['POST', '/operator/accounts/1/suspend', undefined, 'not-found', undefined, 404],
    ['POST', '/operator/accounts/1/top-up', { amount: '1' }, 'not-found', undefined, 404],
  ] as const) {
    const found = await operator.refused(method, to, body);
    assert.deepEqual(found, [code, field, status], `${to} ${JSON.stringify(body)}`);
  }
  assert.equal(await appContext.accounts.byUsername('new'), undefined);
  assert.equal(await service.balance(account.id), 10);
});

test('prices are set for everyone or an account, charged by the longest prefix, and removed', async () => {
  const account = await service.addAccount({ username: 'priced' });
  const all = async (query = '') => (await operator.get<Prices>(`/operator/prices${query}`)).prices;
  const own = { account_id: String(account.id), channel: 'sms', prefix: '9725' };
  await operator.post('/operator/prices', { prefix: '972', price: '2' });
  const made = await operator.post<Price>('/operator/prices', { ...own, price: '0.25' });
  assert.deepEqual(made, { ...own, username: 'priced', price: '0.25', refund_unanswered: false });
  await operator.post('/operator/prices', { ...own, price: '0.5', refund_unanswered: true });
  const changed = await operator.post<Price>('/operator/prices', { ...own, price: '0.75' });
  assert.equal(changed.refund_unanswered, true);
  await operator.post('/operator/prices', { channel: 'chat', prefix: '', price: 3 });
  const list = await operator.get<Prices>('/operator/prices');
  assert.deepEqual(
    list.prices.map(({ username, channel, prefix, price, refund_unanswered: refunds }) => [
      ...[username, channel, prefix, price, refunds],
    ]),
    [
      [null, 'chat', '', '3', false],
      [null, 'sms', '972', '2', false],
      ['priced', 'sms', '9725', '0.75', true],
    ],
  );
  assert.deepEqual(list.defaults, { sms: '1', chat: '1', voice: '1', mail: '0.1' });
  assert.deepEqual(await all(`?account=${account.id}`), list.prices.slice(2));
  assert.deepEqual(await all('?account=everyone&channel=sms'), list.prices.slice(1, 2));
  const found: Price[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: Prices = await operator.get(`/operator/prices?limit=1&after=${next}`);
    found.push(...page.prices);
    next = page.next;
  }
  assert.deepEqual(found, list.prices);

  const costs = async () => {
    const before = await service.balance(account.id);
    assert.equal((await send('priced', account.token)).status, 0);
    return before - (await service.balance(account.id));
  };
  assert.equal(await costs(), 0.75);
  await operator.post('/operator/prices/remove', own);
  assert.equal(await costs(), 2);
  await operator.post('/operator/prices/remove', { prefix: '972' });
  assert.equal(await costs(), 1);
  assert.deepEqual(await operator.refused('POST', '/operator/prices/remove', own), [
    'not-found',
    undefined,
    404,
  ]);
  for (const [body, code, field, status] of [
    [{ price: '1' }, 'bad-field', 'prefix', 400],
    [{ prefix: '+972', price: '1' }, 'bad-field', 'prefix', 400],
    [{ prefix: '972' }, 'bad-field', 'price', 400],
    [{ prefix: '972', price: '-1' }, 'bad-amount', 'price', 400],
    [{ prefix: '972', price: '1000000' }, 'bad-amount', 'price', 400],
    [{ prefix: '972', price: '1', channel: 'fax' }, 'bad-field', 'channel', 400],
    [{ prefix: '972', price: '1', account_id: '1' }, 'not-found', undefined, 404],
  ] as const) {
    assert.deepEqual(await operator.refused('POST', '/operator/prices', body), [code, field, status]);
  }
});

test('connectors tell their state, what they took and how fast', async () => {
  const carriersOf = async () => (await operator.get<{ carriers: Carrier[] }>('/operator/carriers')).carriers;
  const account = await service.addAccount({ username: 'carried' });
  const sandbox = () =>
    waitFor('the connector is up', async () => {
      const found = (await carriersOf()).find(({ name }) => name === 'sandbox');
      return found?.state === 'up' && found;
    });
  const before = await sandbox();
  assert.equal(before.channel, 'sms');
  assert.ok(before.window > 0);
  await send('carried', account.token, { destinations: { phone: newPhones(40) } });
  await waitFor('it tells what it took, and how fast', async () => {
    const { taken, rate } = await sandbox();
    return taken >= before.taken + 40 && rate > 0;
  });
  const chat = (await carriersOf()).find(({ channel }) => channel === 'chat');
  assert.match(chat!.name, /^chat\/\d+$/);
  // One that nobody holds any more.
  await sql`INSERT INTO links (name, up, in_flight, told_at) VALUES ('lost', true, 7, ${Date.now()}), ('old', true, 0, 1)`;
  const carriers = await carriersOf();
  const lost = carriers.find(({ name }) => name === 'lost')!;
  assert.deepEqual([lost.state, lost.in_flight], ['free', 0]);
  assert.ok(!carriers.some(({ name }) => name === 'old'));
});

test('queues tell what waits, how long, and of whom', async () => {
  const account = await service.addAccount({ username: 'waiting' });
  await send('waiting', account.token, { destinations: { phone: newPhones(3) }, timing: '31/12/30 10:00' });
  const now = appContext.clock.now();
  const batch = (id: number, lane: number, due: number, count: number) => sql`
    INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, lease_owner, lease_until, first_id, last_id, count)
    VALUES (${account.id}, ${id}, 0, ${lane}, 'nowhere', ${due}, 'test', ${now + 86_400_000}, 1, 1, ${count})`;
  await batch(1, 2, now - 30_000, 500);
  await batch(2, 2, now - 3_600_000, 20);
  await batch(3, 2, Number.MAX_SAFE_INTEGER, 7);
  const queues = await operator.get<Queues>('/operator/queues');
  assert.deepEqual(
    queues.lanes.map(({ lane }) => lane),
    ['otp', 'single', 'bulk'],
  );
  const bulk = queues.lanes[2]!;
  assert.deepEqual([bulk.due, bulk.paused, bulk.by_age], [520, 7, [0, 0, 500, 0, 20]]);
  assert.ok(bulk.oldest_seconds >= 3_600);
  assert.ok(queues.lanes.reduce((sum, { later }) => sum + later, 0) >= 3);
  assert.deepEqual(
    queues.accounts.filter(({ username }) => username === 'waiting').map(({ lane, due }) => [lane, due]),
    [['bulk', 520]],
  );
  await sql`DELETE FROM dispatch_batches WHERE account_id = ${account.id} AND route = 'nowhere'`;
});

test('an operator makes the sandbox slower, limited and later', async () => {
  interface Sandbox {
    readonly receipt_delay_ms: number;
    readonly messages_per_second: number;
    readonly chat_messages_per_second: number;
    readonly now: string;
  }
  const before = await operator.get<Sandbox>('/operator/sandbox');
  assert.equal(before.receipt_delay_ms, 10);
  const after = await operator.call<Sandbox>('PATCH', '/operator/sandbox', {
    receipt_delay_ms: 25,
    messages_per_second: 100,
    chat_messages_per_second: 5,
    advance_seconds: 3_600,
  });
  assert.deepEqual(
    [after.receipt_delay_ms, after.messages_per_second, after.chat_messages_per_second],
    [25, 100, 5],
  );
  const moved = Date.parse(after.now) - Date.parse(before.now);
  assert.ok(moved >= 3_600_000 && moved < 3_700_000);
  const back = await operator.call<Sandbox>('PATCH', '/operator/sandbox', {
    receipt_delay_ms: 10,
    messages_per_second: 0,
  });
  assert.deepEqual(
    [back.receipt_delay_ms, back.messages_per_second, back.chat_messages_per_second],
    [10, 0, 5],
  );
  for (const [body, field] of [
    [{ receipt_delay_ms: -1 }, 'receipt_delay_ms'],
    [{ messages_per_second: 1.5 }, 'messages_per_second'],
    [{ advance_seconds: 366 * 86_400 + 1 }, 'advance_seconds'],
  ] as const) {
    assert.deepEqual(await operator.refused('PATCH', '/operator/sandbox', body), ['bad-field', field, 400]);
  }
});

test('there is no sandbox on an installation without one', async () => {
  const other = await startTestService({ sandbox: false });
  const there = await asPerson(other, 'operator');
  assert.deepEqual(await there.refused('GET', '/operator/sandbox'), ['not-found', undefined, 404]);
  assert.deepEqual(await there.refused('PATCH', '/operator/sandbox', {}), ['not-found', undefined, 404]);
  assert.deepEqual(await there.get('/operator/carriers'), {
    carriers: [],
    calls_problem: 'no trunk is configured',
  });
});

test('the overview of all accounts has the busiest ones, and those whose credit runs out', async () => {
  const account = await service.addAccount({ username: 'busiest' });
  const now = appContext.clock.now();
  await sql`
    INSERT INTO message_hours (account_id, hour, channel, taken, waiting, handed_over, delivered, read, failed, cancelled,
      parts, spent, counted_at)
    VALUES (${account.id}, ${Math.floor(now / 3_600_000) - 1}, 0, 1000000, 0, 0, 900000, 0, 100000, 0, 1000000, 900, ${now})`;
  interface Sent {
    readonly username: string;
    readonly accepted: number;
    readonly delivered: number;
    readonly failed: number;
    readonly spent: string;
    readonly balance: string;
  }
  interface Overview {
    readonly rows: { accepted: number }[];
    readonly totals: { channel: string; accepted: number }[];
    readonly accounts: Sent[];
    readonly low_balances: Sent[];
  }
  const overview = await operator.get<Overview>('/operator/overview');
  const [busiest] = overview.accounts;
  assert.deepEqual(
    [
      busiest!.username,
      busiest!.accepted,
      busiest!.delivered,
      busiest!.failed,
      busiest!.spent,
      busiest!.balance,
    ],
    ['busiest', 1_000_000, 900_000, 100_000, '900', '1000'],
  );
  assert.ok(overview.low_balances.some(({ username }) => username === 'busiest'));
  assert.ok(overview.totals.find(({ channel }) => channel === 'sms')!.accepted >= 1_000_000);
  assert.ok(overview.rows.some(({ accepted }) => accepted >= 1_000_000));
});

test('all of it is for operators alone, and what they change is in the audit log', async () => {
  const account = await service.addAccount({ username: 'outside' });
  const owner = await asPerson(service, 'owner', account.id);
  for (const calls of [withToken(url, DEMO_TOKEN), owner]) {
    for (const [method, path] of [
      ['GET', '/operator/accounts'],
      ['GET', `/operator/accounts/${account.id}`],
      ['POST', '/operator/accounts'],
      ['PATCH', `/operator/accounts/${account.id}`],
      ['POST', `/operator/accounts/${account.id}/suspend`],
      ['POST', `/operator/accounts/${account.id}/lift`],
      ['POST', `/operator/accounts/${account.id}/top-up`],
      ['POST', `/operator/accounts/${account.id}/sources`],
      ['GET', '/operator/prices'],
      ['POST', '/operator/prices'],
      ['POST', '/operator/prices/remove'],
      ['GET', '/operator/carriers'],
      ['GET', '/operator/queues'],
      ['GET', '/operator/overview'],
      ['GET', '/operator/verifications'],
      ['GET', '/operator/sandbox'],
      ['PATCH', '/operator/sandbox'],
    ] as const) {
      assert.deepEqual(await calls.refused(method, path), ['not-allowed', undefined, 403], path);
    }
  }
  await operator.post(`/operator/accounts/${account.id}/top-up`, { amount: '5' });
  const rows = await sql`
    SELECT action, status, after FROM audit_log
    WHERE object_id = ${String(account.id)} AND action LIKE '%top-up' ORDER BY id`;
  const done = rows.filter(({ status }) => status === 200);
  assert.deepEqual(
    done.map(({ after }) => after),
    [{ amount: '5', note: 'operator' }],
  );
});
