import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPhone } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { asPerson, type Calls, withToken } from './calls.ts';

interface Row {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly amount: string;
  readonly shipment_id: string | null;
  readonly peer: string | null;
  readonly note: string;
}
interface Ledger {
  readonly rows: Row[];
  readonly next: string | null;
}

const service = await startTestService();
const { url } = service;

const balanceOf = async (calls: Calls) => (await calls.get<{ balance: string }>('/wallet')).balance;
const ledgerOf = async (calls: Calls, query = '') => (await calls.get<Ledger>(`/wallet/ledger${query}`)).rows;

async function family(name: string) {
  const parent = await service.addAccount({ username: name });
  const child = await service.addAccount({ username: `${name}-child`, parentId: parent.id }, 0);
  return { parent, child, calls: withToken(url, parent.token), own: withToken(url, child.token) };
}

test('credit moves to a subscriber and back, with a row in both ledgers', async () => {
  const { calls, own } = await family('giving');
  const given = { username: 'giving-child', amount: '150.25', note: 'March' };
  assert.deepEqual(await calls.post('/wallet/transfer', given), {
    balance: '849.75',
    subscriber_balance: '150.25',
  });
  assert.deepEqual(await calls.post('/wallet/transfer', { username: 'GIVING-child', amount: -50 }), {
    balance: '899.75',
    subscriber_balance: '100.25',
  });
  assert.deepEqual([await balanceOf(calls), await balanceOf(own)], ['899.75', '100.25']);
  const shown = ({ kind, amount, peer, note }: Row) => [kind, amount, peer, note];
  assert.deepEqual((await ledgerOf(calls)).map(shown), [
    ['transfer', '50', 'giving-child', ''],
    ['transfer', '-150.25', 'giving-child', 'March'],
    ['topup', '1000', null, 'test'],
  ]);
  assert.deepEqual((await ledgerOf(own)).map(shown), [
    ['transfer', '-50', 'giving', ''],
    ['transfer', '150.25', 'giving', 'March'],
  ]);
});

test('what a transfer is refused for changes nothing', async () => {
  const { calls, own, parent } = await family('refusing');
  await service.addAccount({ username: 'somebody-else' });
  const username = 'refusing-child';
  for (const [body, code, field, status] of [
    [{ username, amount: '1000.0001' }, 'over-credit', 'amount', 400],
    [{ username, amount: '-1' }, 'over-credit', 'amount', 400],
    [{ username, amount: '0' }, 'bad-amount', 'amount', 400],
    [{ username, amount: '1.00001' }, 'bad-field', 'amount', 400],
    [{ username, amount: 'ten' }, 'bad-field', 'amount', 400],
    [{ username, amount: '999999999999' }, 'bad-amount', 'amount', 400],
    [{ username }, 'bad-field', 'amount', 400],
    [{ amount: '1' }, 'bad-field', 'username', 400],
    [{ username, amount: '1', note: 'x'.repeat(201) }, 'bad-field', 'note', 400],
    [{ username: 'somebody-else', amount: '1' }, 'unknown-user', 'username', 404],
    [{ username: 'refusing', amount: '1' }, 'unknown-user', 'username', 404],
  ] as const) {
    assert.deepEqual(
      await calls.refused('POST', '/wallet/transfer', body),
      [code, field, status],
      JSON.stringify(body),
    );
  }
  assert.deepEqual(await own.refused('POST', '/wallet/transfer', { username, amount: '1' }), [
    'not-allowed',
    undefined,
    403,
  ]);
  await service.appContext.accounts.suspend(parent.id, true);
  assert.deepEqual(await calls.refused('POST', '/wallet/transfer', { username, amount: '1' }), [
    'not-now',
    undefined,
    409,
  ]);
  assert.deepEqual([await balanceOf(calls), await balanceOf(own)], ['1000', '0']);
});

test('the ledger has what was sent, and is read by kind, by time and page by page', async () => {
  const { calls, parent } = await family('ledger');
  const send = (timing?: string) =>
    service.call(
      'json',
      'sms',
      {
        user: { username: 'ledger' },
        source: 'Shop',
        destinations: { phone: newPhone() },
        message: 'hello',
        ...(timing !== undefined && { timing }),
      },
      { token: parent.token },
    );
  const { shipment_id: shipment } = (await send()).fields;
  await send();
  await send('31/12/30 10:00');
  await calls.post('/wallet/transfer', { username: 'ledger-child', amount: '1' });
  const all = await ledgerOf(calls);
  assert.deepEqual(
    all.map(({ kind }) => kind),
    ['transfer', 'hold', 'charge', 'charge', 'topup'],
  );
  const charges = await ledgerOf(calls, '?kind=charge');
  assert.deepEqual(
    charges.map(({ amount }) => amount),
    ['-1', '-1'],
  );
  assert.equal(charges[1]!.shipment_id, String(shipment));
  for (const kind of ['transfer', 'hold', 'topup', 'refund']) {
    const expected = all.filter((row) => row.kind === kind);
    assert.deepEqual(await ledgerOf(calls, `?kind=${kind}`), expected);
  }
  const later = new Date(Date.parse(all[0]!.at) + 60_000).toISOString();
  assert.deepEqual(await ledgerOf(calls, `?from=${later}`), []);
  assert.deepEqual(await ledgerOf(calls, `?to=${later}`), all);

  const found: Row[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: Ledger = await calls.get(`/wallet/ledger?limit=2&after=${next}`);
    found.push(...page.rows);
    next = page.next;
  }
  assert.deepEqual(found, all);
  for (const [query, field] of [
    ['?kind=gift', 'kind'],
    ['?limit=501', 'limit'],
    ['?after=-1', 'after'],
    ['?from=2026', 'from'],
  ]) {
    assert.deepEqual(await calls.refused('GET', `/wallet/ledger${query}`), ['bad-field', field, 400]);
  }
});

test('people of an account see its wallet, its owners move credit, and a parent sees its subscriber', async () => {
  const { parent, calls } = await family('people');
  for (const role of ['viewer', 'sender', 'owner'] as const) {
    const person = await asPerson(service, role, parent.id);
    await ledgerOf(person);
    const transfer = { username: 'people-child', amount: '1' };
    if (role === 'owner') await person.post('/wallet/transfer', transfer);
    else {
      assert.deepEqual(await person.refused('POST', '/wallet/transfer', transfer), [
        'not-allowed',
        undefined,
        403,
      ]);
    }
  }
  assert.equal((await calls.get<{ balance: string }>('/wallet?username=people-child')).balance, '1');
  assert.deepEqual(await withToken(url, DEMO_TOKEN).refused('GET', '/wallet?username=people'), [
    'wrong-account',
    undefined,
    403,
  ]);
  assert.deepEqual(await withToken(url, 'none').refused('GET', '/wallet'), ['signed-out', undefined, 401]);
});

test('an account reads what it pays for each channel, at home and abroad', async () => {
  const { parent, calls, own } = await family('paying');
  const { prices } = service.appContext;
  await prices.set(parent.id, 'sms', '', '1.5');
  await prices.set(parent.id, 'sms', '44', '3.25');
  await prices.set(parent.id, 'chat', '', '0.4');
  await prices.set(parent.id, 'voice', '', '2');
  await prices.set(parent.id, 'mail', '', '0.1');
  const home = { sms: '1.5', chat: '0.4', voice: '2', mail: '0.1' };
  assert.deepEqual(await calls.get('/prices'), home);
  assert.deepEqual(await calls.get('/prices?phone=0501234567'), home);
  assert.deepEqual(await calls.get('/prices?phone=%2B44%2020%207946%200958'), { ...home, sms: '3.25' });
  assert.notEqual((await own.get<typeof home>('/prices')).sms, home.sms);
  assert.deepEqual(await calls.refused('GET', '/prices?phone=nobody'), ['bad-field', 'phone', 400]);
});
