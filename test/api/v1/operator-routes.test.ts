import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { startDispatching } from '../../engine/dispatch/support.ts';
import {
  allFinal,
  assertPaid,
  mustSend,
  phone,
  phones,
  startNetwork,
  statuses,
} from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson } from './calls.ts';

/* Operators order routes with conditions while messages are sent over several networks. */

interface Route {
  readonly id: string | null;
  readonly name: string;
  readonly prefixes: string[];
  readonly connectors: { connector: string; priority: number; weight: number; price: number | null }[];
}
interface Found {
  readonly route: Route | null;
  readonly up: string[];
  readonly connectors: { connector: string; state: string; price: number | null; share: number }[];
  readonly routes: { id: string | null; name: string; prefixes: string[]; why_not: string | null }[];
}

const first = await startNetwork();
const second = await startNetwork();
const third = await startNetwork();
const networks = { first, second, third };
const database = await createDatabase();
const service = await startDispatching(first, {}, database);
const { url, sql } = service;
const operator = await asPerson(service, 'operator');
const sender = await service.account('sender', 100_000);
const other = await service.account('other', 100_000);

for (const [name, network] of [
  ['alpha', second],
  ['beta', third],
] as const) {
  await operator.post('/operator/connectors', {
    name,
    smpp: { host: '127.0.0.1', port: network.port, system_id: 'carillon', password: 'carillon' },
  });
}
const allUp = () =>
  waitFor('the connectors are up', async () => {
    const { carriers } = await operator.get<{ carriers: { state: string }[] }>('/operator/carriers');
    return carriers.filter(({ state }) => state === 'up').length === 3;
  });
await allUp();

const add = (body: object) => operator.post<Route>('/operator/routes', body);
const change = (id: string | null, body: object) =>
  operator.call<Route>('PATCH', `/operator/routes/${id}`, body);
const remove = (id: string | null) => operator.call('DELETE', `/operator/routes/${id}`);
const over = (connector: string, more: object = {}) => ({ connector, ...more });
const find = (to: string, query = '') => operator.get<Found>(`/operator/routes/find?phone=%2B${to}${query}`);
/** Names of the added routes; the configuration has one for every number. */
const namesOf = async () => {
  const { routes } = await operator.get<{ routes: Route[] }>('/operator/routes');
  return routes.flatMap(({ id, name }) => (id === null ? [] : [name]));
};
const takenBy = (to: string) =>
  waitFor(
    `the message to ${to}`,
    () => Object.entries(networks).find(([, network]) => network.taken.has(to))?.[0],
  );
const duplicates = () => first.duplicates() + second.duplicates() + third.duplicates();

test('routes count by account, sender and kind, in their order', async () => {
  const senders = await add({ prefix: '972', senders: ['bakery'], connectors: [over('alpha')] });
  const accounts = await add({ accounts: [String(other.id)], connectors: [over('beta')] });
  const campaigns = await add({
    prefixes: ['9725', '44'],
    kinds: ['marketing'],
    title: 'Campaigns',
    connectors: [over('beta')],
    before: null,
  });
  assert.match(senders.name, /^rule\/\d+$/);
  assert.deepEqual(await namesOf(), [senders.name, accounts.name, campaigns.name]);

  await mustSend(url, sender, [phone(1)]);
  await mustSend(url, sender, [phone(2)], { source: 'Bakery' });
  await mustSend(url, other, [phone(3)]);
  await mustSend(url, sender, phones(4, 2));
  assert.equal(await takenBy(phone(1)), 'first');
  assert.equal(await takenBy(phone(2)), 'second');
  assert.equal(await takenBy(phone(3)), 'third');
  assert.deepEqual(await Promise.all(phones(4, 2).map(takenBy)), ['third', 'third']);

  const found = await find(phone(1), `&account=${other.id}&sender=BAKERY&kind=code`);
  assert.deepEqual([found.route?.name, found.up], [senders.name, ['alpha']]);
  assert.deepEqual(
    found.routes.map(({ name, why_not: whyNot }) => [name, whyNot]),
    [
      [senders.name, null],
      [accounts.name, 'earlier'],
      [campaigns.name, 'kinds'],
      ['default', 'earlier'],
    ],
  );
  // The other way round, the account decides.
  await change(accounts.id, { before: senders.id });
  assert.deepEqual(await namesOf(), [accounts.name, senders.name, campaigns.name]);
  await mustSend(url, other, [phone(6)], { source: 'Bakery' });
  assert.equal(await takenBy(phone(6)), 'third');
  // Without its condition it takes everything; another one is kept.
  const all = await change(accounts.id, { accounts: null, title: 'All' });
  assert.equal((await find('447912345678')).route?.name, all.name);
  const kept = await change(campaigns.id, { prefixes: ['33'] });
  assert.deepEqual((kept as unknown as { kinds: string[] }).kinds, ['marketing']);
  await allFinal(sql);
  for (const { id } of [senders, accounts, campaigns]) await remove(id);
});

test('messages of a route that is removed, or whose conditions change, take the routes that fit them', async () => {
  await operator.call('PATCH', '/operator/connectors/alpha', { is_enabled: false });
  await waitFor('alpha has left', () => second.smsc.boundSessions === 0);
  const wide = await add({ prefixes: ['97250000', '97250001'], connectors: [over('alpha')] });
  const narrow = await add({ prefix: '97250001', connectors: [over('beta')] });
  await change(narrow.id, { before: null });
  assert.deepEqual(await namesOf(), [wide.name, narrow.name]);
  const to = [phones(100, 50), phones(1_100, 50), phones(150, 10)] as const;
  await mustSend(url, sender, to[0]);
  await mustSend(url, sender, to[1]);
  for (const one of to[2]) await mustSend(url, sender, [one]);
  await waitFor('all wait', async () => {
    const [row] = await sql<{ waiting: number }[]>`
      SELECT sum(count)::int AS waiting FROM dispatch_batches WHERE route = ${wide.name}`;
    return row!.waiting === 110;
  });
  // A part of the single messages stays in the memory of the service, and the rest in the database.
  const changed = await change(wide.id, { prefixes: ['972500009'], accounts: [String(sender.id)] });
  assert.notEqual(changed.name, wide.name);
  assert.deepEqual(await Promise.all(to[0].map(takenBy)), Array(50).fill('first'));
  assert.deepEqual(await Promise.all(to[1].map(takenBy)), Array(50).fill('third'));
  assert.deepEqual(await Promise.all(to[2].map(takenBy)), Array(10).fill('first'));
  await allFinal(sql);
  assert.equal(duplicates(), 0);
  await operator.call('PATCH', '/operator/connectors/alpha', { is_enabled: true });
  await allUp();
  for (const { id } of [changed, narrow]) await remove(id);
});

test('a message leaves a connector after these codes, and its failure is that of the last one', async () => {
  const { id } = await add({
    prefix: '97250002',
    leave_codes: ['ESME_RSUBMITFAIL', 'ESME_RSYSERR'],
    connectors: [over('alpha'), over('beta', { priority: 1 })],
  });
  let refused = 0;
  second.smsc.change({
    answerStatus: () => {
      refused++;
      return errorCode.ESME_RSUBMITFAIL;
    },
  });
  await mustSend(url, sender, phones(2_000, 20));
  assert.deepEqual(await Promise.all(phones(2_000, 20).map(takenBy)), Array(20).fill('third'));
  await allFinal(sql);
  assert.equal(refused, 20);

  // No other connector is left: the code of the last one is reported.
  third.smsc.change({ answerStatus: () => errorCode.ESME_RINVDSTADR });
  await mustSend(url, sender, [phone(2_050)]);
  await allFinal(sql);
  const [row] = await sql<{ link: string; code: string }[]>`
    SELECT link, code FROM messages WHERE recipient = ${phone(2_050)}`;
  assert.deepEqual({ ...row }, { link: 'beta', code: 'ESME_RINVDSTADR' });

  // Another code is reported at once.
  second.smsc.change({ answerStatus: () => errorCode.ESME_RINVDSTADR });
  third.smsc.change({ answerStatus: null });
  await mustSend(url, sender, [phone(2_060)]);
  await allFinal(sql);
  assert.equal(third.taken.has(phone(2_060)), false);
  second.smsc.change({ answerStatus: null });
  await remove(id);
  assert.equal(duplicates(), 0);
});

test('the cheapest connector that is up takes the messages', async () => {
  const { id, connectors } = await add({
    prefix: '97250003',
    choose: 'cheapest',
    connectors: [over('smpp'), over('alpha', { price: 0.02 }), over('beta', { price: 0.01, priority: 5 })],
  });
  assert.deepEqual(
    connectors.map(({ price }) => price),
    [null, 0.02, 0.01],
  );
  // A connector that was enabled again may be stored as up from before.
  const found = await waitFor('all are up', async () => {
    const now = await find(phone(3_000));
    return now.connectors.every(({ state }) => state === 'up') && now;
  });
  assert.deepEqual(
    found.connectors.map(({ connector, state, price, share }) => [...[connector, state, price, share]]),
    [
      ['beta', 'up', 0.01, 1],
      ['alpha', 'up', 0.02, 0],
      ['smpp', 'up', null, 0],
    ],
  );
  await mustSend(url, sender, [phone(3_000)]);
  assert.equal(await takenBy(phone(3_000)), 'third');
  await change(id, { connectors: [over('alpha', { price: 0.02 }), over('beta', { price: 0.03 })] });
  await mustSend(url, sender, [phone(3_001)]);
  assert.equal(await takenBy(phone(3_001)), 'second');
  await allFinal(sql);
  await remove(id);
});

test('a connector that does not deliver to a prefix takes its messages only when no other is up', async () => {
  const prefix = '97258';
  // Numbers with the ending 0001 cannot be reached in the sandbox.
  const numbers = (ending: string) =>
    Array.from({ length: 60 }, (_, index) => `${prefix}${100 + index}${ending}`);
  const { id } = await add({ prefix, connectors: [over('alpha', { price: 0.01 })] });
  await mustSend(url, sender, numbers('0001'));
  await allFinal(sql);
  await change(id, { connectors: [over('beta', { price: 0.02 })] });
  await mustSend(url, sender, numbers('0008'));
  await allFinal(sql);
  interface Figure {
    readonly connector: string;
    readonly delivered_percent: number;
    readonly lower_bound_percent: number;
    readonly messages: number;
    readonly delivery_seconds: number | null;
  }
  const figures = await waitFor('the hour is counted', async () => {
    const found = await operator.get<{ figures: Figure[] }>(`/operator/routes/quality?prefix=${prefix}`);
    return found.figures.reduce((sum, { messages }) => sum + messages, 0) === 120 && found.figures;
  });
  assert.deepEqual(
    figures.map((figure) => [figure.connector, figure.delivered_percent]),
    [
      ['alpha', 0],
      ['beta', 100],
    ],
  );
  const [none, all] = figures;
  assert.ok(all!.lower_bound_percent > 95 && all!.lower_bound_percent < 100);
  assert.deepEqual([none!.delivery_seconds, all!.delivery_seconds! >= 0], [null, true]);

  const both = [over('alpha', { price: 0.01 }), over('beta', { price: 0.02 })];
  await change(id, { connectors: both, choose: 'cheapest', min_delivered_percent: 90, explore_percent: 0 });
  const found = await waitFor('the figures are learned', async () => {
    const now = await find(`${prefix}2000008`);
    return now.connectors[0]!.connector === 'beta' && now;
  });
  assert.deepEqual(
    found.connectors.map(({ connector, share }) => [connector, share]),
    [
      ['beta', 1],
      ['alpha', 0],
    ],
  );
  await mustSend(url, sender, [`${prefix}2000008`]);
  assert.equal(await takenBy(`${prefix}2000008`), 'third');
  // To another prefix, both are unknown, and the price decides.
  await change(id, { prefixes: [prefix, '97257'] });
  await mustSend(url, sender, ['972572000008']);
  assert.equal(await takenBy('972572000008'), 'second');
  await operator.call('PATCH', '/operator/connectors/beta', { is_enabled: false });
  await waitFor('beta has left', () => third.smsc.boundSessions === 0);
  await mustSend(url, sender, [`${prefix}2010008`]);
  assert.equal(await takenBy(`${prefix}2010008`), 'second');
  await operator.call('PATCH', '/operator/connectors/beta', { is_enabled: true });
  await allUp();
  await allFinal(sql);
  await remove(id);
});

test('a replay compares the present routes with others, and changes nothing', async () => {
  interface Totals {
    readonly cost: number;
    readonly without_price: number;
    readonly delivered: number;
    readonly without_share: number;
  }
  interface Replay {
    readonly messages: number;
    readonly is_sample: boolean;
    readonly moved: number;
    readonly before: Totals;
    readonly after: Totals;
    readonly connectors: { connector: string; before: number; after: number }[];
  }
  const before = networks.third.submits.length;
  const replay = (routes: object[], added?: object) =>
    operator.post<Replay>('/operator/routes/replay', { routes, added, hours: 1 }, 200);
  const present = await replay([]);
  const { messages } = present;
  assert.ok(messages > 200);
  assert.deepEqual([present.moved, present.is_sample], [0, false]);
  assert.deepEqual(present.connectors, [{ connector: 'smpp', before: messages, after: messages }]);
  assert.deepEqual([present.before.without_price, present.before.cost], [messages, 0]);

  const others = await replay([
    { prefix: '97258', connectors: [over('alpha', { price: 0.01 })] },
    {
      accounts: [String(other.id)],
      connectors: [over('alpha', { price: 0.5, weight: 3 }), over('beta', { price: 0.5 })],
    },
  ]);
  // 122 messages went to the prefix, of which alpha has delivered none, and the other account has sent two.
  assert.equal(others.moved, 124);
  assert.deepEqual(others.connectors, [
    { connector: 'alpha', before: 0, after: 123.5 },
    { connector: 'beta', before: 0, after: 0.5 },
    { connector: 'smpp', before: messages, after: messages - 124 },
  ]);
  assert.equal(others.after.cost, 2.22);
  assert.equal(others.after.without_price, messages - 124);
  // A route that is added comes before the first one that would take all its messages.
  const every = { prefix: '', connectors: [over('beta')] };
  const placed = await replay([every], { prefix: '97258', connectors: [over('alpha')] });
  assert.deepEqual(placed.connectors, [
    { connector: 'alpha', before: 0, after: 122 },
    { connector: 'beta', before: 0, after: messages - 122 },
    { connector: 'smpp', before: messages, after: 0 },
  ]);
  assert.equal(networks.third.submits.length, before);
  assert.deepEqual(await namesOf(), []);
  assert.deepEqual(
    await operator.refused('POST', '/operator/routes/replay', {
      routes: [
        { connectors: [over('alpha')] },
        { prefix: '1', prefixes: ['1'], connectors: [over('alpha')] },
      ],
    }),
    ['bad-field', 'routes[1].prefix', 400],
  );
  assert.deepEqual(
    await operator.refused('POST', '/operator/routes/replay', {
      routes: [],
      added: { prefix: 'x', connectors: [over('alpha')] },
    }),
    ['bad-field', 'added.prefix', 400],
  );
});

test('what cannot be is refused with the field, and nothing is stored', async () => {
  const connectors = [over('alpha')];
  const refused = (body: object) => operator.refused('POST', '/operator/routes', { connectors, ...body });
  const week = Object.fromEntries(
    ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].map((day) => [day, []]),
  );
  for (const [field, body] of [
    ['prefixes[1]', { prefixes: ['1', 'x'] }],
    ['prefixes', { prefixes: [] }],
    ['prefix', { prefix: '1', prefixes: ['1'] }],
    ['accounts[0]', { accounts: ['x'] }],
    ['accounts[1]', { accounts: [String(sender.id), '999'] }],
    ['senders', { senders: [] }],
    ['kinds[0]', { kinds: ['mail'] }],
    ['hours.zone', { hours: { zone: 'Mars', week } }],
    ['hours.week.sunday[0]', { hours: { zone: 'UTC', week: { ...week, sunday: ['25:00-26:00'] } } }],
    ['choose', { choose: 'best' }],
    ['min_delivered_percent', { min_delivered_percent: 101 }],
    ['min_used_percent', { min_used_percent: -1 }],
    ['explore_percent', { explore_percent: 51 }],
    ['leave_throttled_seconds', { leave_throttled_seconds: 9 }],
    ['leave_silent_seconds', { leave_silent_seconds: 0.5 }],
    ['before', { before: '999' }],
    ['connectors[0].price', { connectors: [over('alpha', { price: -1 })] }],
  ] as const)
    assert.deepEqual(await refused(body), ['bad-field', field, 400], JSON.stringify(body));
  const { id } = await add({ senders: ['Acme'], connectors });
  assert.deepEqual(await refused({ senders: ['Acme'] }), ['not-now', undefined, 409]);
  assert.deepEqual(await operator.refused('PATCH', `/operator/routes/${id}`, { before: id }), [
    'bad-field',
    'before',
    400,
  ]);
  await remove(id);
  assert.deepEqual(await namesOf(), []);
});

test('nothing was lost or sent twice, and the books balance', async () => {
  await allFinal(sql);
  assert.equal(duplicates(), 0);
  const { 102: delivered, ...rest } = await statuses(sql, sender.id);
  assert.ok(delivered! > 100);
  assert.deepEqual(rest, { 101: 62 });
  await assertPaid(sql, other.id, 100_000, 2);
});

test('messages leave a connector whose carrier sends no receipts, while another one gets some', async () => {
  // Numbers with the ending 0004 get no receipt in the sandbox.
  const silent = (n: number) => `97259${100 + n}0004`;
  const heard = (n: number) => `97256${100 + n}0008`;
  await add({
    prefix: '97259',
    leave_silent_seconds: 10,
    connectors: [over('alpha'), over('beta', { priority: 1 })],
  });
  await add({ prefix: '97256', connectors: [over('beta')] });
  await mustSend(
    url,
    sender,
    Array.from({ length: 30 }, (_, n) => silent(n)),
  );
  await waitFor('all are out', () => second.taken.has(silent(29)));
  let sent = 30;
  await waitFor('they leave for the next connector', async () => {
    const to = silent(sent++);
    await mustSend(url, sender, [heard(sent)]);
    await waitFor('a receipt', async () => {
      const rows =
        await sql`SELECT 1 FROM messages WHERE recipient = ${heard(sent)} AND final_at IS NOT NULL`;
      return rows.length > 0;
    });
    await mustSend(url, sender, [to]);
    return (await takenBy(to)) === 'third';
  });
  assert.equal(duplicates(), 0);
});
