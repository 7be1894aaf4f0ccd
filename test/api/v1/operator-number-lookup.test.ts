import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { RememberedNumbers } from '../../../server/engine/connectors/look-ups/remembered.ts';
import { startDispatching } from '../../engine/dispatch/support.ts';
import { allFinal, assertPaid, call, mustSend, phone, phones, startNetwork } from '../../faults/support.ts';
import { type Reply, startProvider } from '../../protocols/http-carrier/support.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson } from './calls.ts';

/* Routes by mobile networks, which a provider looks up. */

interface LookUp {
  readonly description: string | object;
  readonly secret_names: string[];
  readonly is_enabled: boolean;
  readonly per_day: number;
  readonly used_today: number;
  readonly fault: { reason: string; detail: string } | null;
}
interface State {
  readonly look_up: LookUp | null;
  readonly ready: { name: string; secret_names: string[] }[];
}
interface Found {
  readonly recipient: {
    network: string | null;
    ported: boolean | null;
    waits: boolean;
    country_codes: string[];
  };
  readonly route: { name: string } | null;
  readonly routes: { name: string; why_not: string | null }[];
}

const KEY = 'the key of the look-up';
const PATH = '/operator/number-lookup';

const first = await startNetwork();
const second = await startNetwork();
const networks = { first, second };
const database = await createDatabase();
const service = await startDispatching(first, {}, database, { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' });
const { url, sql } = service;
const operator = await asPerson(service, 'operator');
const sender = await service.account('sender', 100_000);
await operator.post('/operator/connectors', {
  name: 'alpha',
  smpp: { host: '127.0.0.1', port: second.port, system_id: 'carillon', password: 'carillon' },
});
await waitFor('the connectors are up', async () => {
  const { carriers } = await operator.get<{ carriers: { state: string }[] }>('/operator/carriers');
  return carriers.filter(({ state }) => state === 'up').length === 2;
});

/** Numbers `phone(n)` with an even n are of network 425-01, others of 425-02. */
const isOfFirst = (to: string) => Number(to.at(-2)) % 2 === 0;
const known = (to: string): Reply => ({
  status: 200,
  body: { network: isOfFirst(to) ? '42501' : '42502', ported: isOfFirst(to) },
});
let answer: (to: string) => Reply | Promise<Reply> = known;
const provider = await startProvider({ after }, ({ path }) => answer(path.slice('/numbers/'.length)));
const asked = (to: string) => provider.received.filter(({ path }) => path === `/numbers/${to}`).length;

const described = (origin: string) => ({
  send: { method: 'GET', url: `${origin}/numbers/{to.digits}`, auth: { bearer: '{secret.key}' } },
  answer: {
    rules: [
      // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
      { when: { status: 200, at: '/network' }, then: 'found' },
      // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
      { when: { status: 404 }, then: 'unknown' },
      // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
      { when: { status: 401 }, then: 'again', fault: 'access' },
    ],
    network: '/network',
    ported: { at: '/ported', is: true },
  },
});
// Busy processors delay answers for seconds.
const body = (more: object = {}) => ({
  timeout_ms: 10_000,
  description: described(provider.origin),
  secrets: { key: KEY },
  ...more,
});
const put = (more: object = {}) => operator.call<State>('PUT', PATH, body(more));
const find = (to: string, query = '') => operator.get<Found>(`/operator/routes/find?phone=%2B${to}${query}`);
const takenBy = (to: string) =>
  waitFor(
    `the message to ${to}`,
    () => Object.entries(networks).find(([, network]) => network.taken.has(to))?.[0],
  );
const stored = async (to: string) =>
  (
    await sql<{ mcc: string | null; mnc: string | null; valid_until: string }[]>`
      SELECT mcc, mnc, valid_until FROM number_networks WHERE phone = ${to}`
  )[0];

const route = await operator.post<{ name: string; networks: string[] | null }>('/operator/routes', {
  prefix: '972',
  networks: ['425-01'],
  connectors: [{ connector: 'alpha' }],
});

test('without a look-up only the country of a number counts', async () => {
  assert.deepEqual(route.networks, ['425-01']);
  const { look_up: none, ready } = await operator.get<State>(PATH);
  assert.equal(none, null);
  assert.deepEqual(ready.find(({ name }) => name === 'twilio')?.secret_names, ['account', 'token']);
  await mustSend(url, sender, [phone(2)]);
  assert.equal(await takenBy(phone(2)), 'first');
  const found = await find(phone(2));
  assert.deepEqual(found.recipient.country_codes, ['425']);
  assert.deepEqual(
    [found.route?.name, found.recipient.waits, found.routes.map(({ why_not: whyNot }) => whyNot)],
    ['default', false, ['networks', null]],
  );
  assert.deepEqual(await operator.refused('POST', `${PATH}/try`, { phone: phone(2) }), [
    'not-now',
    undefined,
    409,
  ]);
});

test('a message takes the route of its network, which is looked up once', async () => {
  const { look_up: set } = await put();
  assert.deepEqual(
    [set?.secret_names, set?.is_enabled, set?.used_today, set?.fault],
    [['key'], true, 0, null],
  );
  assert.equal(JSON.stringify(set).includes(KEY), false);
  assert.equal((await find(phone(4))).recipient.waits, true);
  await mustSend(url, sender, [phone(4)]);
  await mustSend(url, sender, [phone(5)]);
  assert.deepEqual([await takenBy(phone(4)), await takenBy(phone(5))], ['second', 'first']);
  assert.equal(provider.received[0]!.headers.authorization, `Bearer ${KEY}`);
  await waitFor('it is stored', () => stored(phone(4)));
  assert.equal((await stored(phone(4)))?.mnc, '01');
  const found = await find(phone(4));
  assert.deepEqual(
    [found.route?.name, found.recipient.network, found.recipient.ported, found.recipient.waits],
    [route.name, '425-01', true, false],
  );
  await mustSend(url, sender, [phone(4)]);
  await waitFor('the second message', () => second.taken.get(phone(4)) === 2);
  assert.equal(asked(phone(4)), 1);
});

test('a campaign is divided among the networks, and nothing is lost or sent twice', async () => {
  const to = phones(100, 300);
  await mustSend(url, sender, to);
  await allFinal(sql);
  assert.deepEqual(
    to.filter((one) => !networks[isOfFirst(one) ? 'second' : 'first'].taken.has(one)),
    [],
  );
  assert.equal(first.duplicates() + second.duplicates(), 1, 'the number that got two messages');
  await assertPaid(sql, sender.id, 100_000, 304);
});

test('a one-time code never waits for a look-up', async () => {
  answer = () => 'silent';
  const before = provider.received.length;
  const sent = await call(url, sender, 'send_otp', { phone: phone(406), source: 'Shop' });
  assert.equal(sent.status, 0, sent.message);
  assert.equal(await takenBy(phone(406)), 'first');
  assert.equal(provider.received.length, before);
  answer = known;
});

test('a provider that does not answer delays a message by its timeout alone', async () => {
  await put({ timeout_ms: 300 });
  answer = () => 'silent';
  await mustSend(url, sender, [phone(412)]);
  assert.equal(await takenBy(phone(412)), 'first');
  assert.equal(await stored(phone(412)), undefined, 'nothing was learned');
  await waitFor('the fault is told', async () => (await operator.get<State>(PATH)).look_up?.fault?.reason);
  answer = known;
  const tried = await operator.post<{ result: string; network: string | null }>(`${PATH}/try`, {
    phone: phone(412),
  });
  assert.deepEqual([tried.result, tried.network], ['found', '425-01']);
  assert.equal((await operator.get<State>(PATH)).look_up?.fault, null);
});

test('the requests of a day are limited', async () => {
  const { used } = (await sql<{ used: number }[]>`SELECT used FROM number_look_ups`)[0]!;
  // The process may have some left of those that it has taken.
  const left = await put({ per_day: used });
  assert.equal(left.look_up?.per_day, used);
  const to = phones(500, 120).filter(isOfFirst);
  await mustSend(url, sender, to);
  await waitFor('all are sent', () => to.every((one) => first.taken.has(one) || second.taken.has(one)));
  const looked = to.filter((one) => asked(one) > 0);
  assert.ok(looked.length <= 50, String(looked.length));
  assert.deepEqual(
    to.filter((one) => second.taken.has(one)),
    looked,
  );
  assert.equal((await operator.get<State>(PATH)).look_up?.used_today, used);
  assert.deepEqual(await operator.refused('POST', `${PATH}/try`, { phone: phone(700) }), [
    'not-now',
    undefined,
    409,
  ]);
});

test('waiting messages follow a change of the routes and of the look-up', async () => {
  await put();
  const { promise: held, resolve } = Promise.withResolvers<void>();
  answer = async (to) => {
    await held;
    return known(to);
  };
  await mustSend(url, sender, [phone(802)]);
  await waitFor('it is asked', () => asked(phone(802)) === 1);
  const id = (route as unknown as { id: string }).id;
  await operator.call('PATCH', `/operator/routes/${id}`, { networks: ['425-02'] });
  resolve();
  assert.equal(await takenBy(phone(802)), 'first', 'its network is of no route now');
  await operator.call('PATCH', `/operator/routes/${id}`, { networks: null });
  await mustSend(url, sender, [phone(804)]);
  assert.equal(await takenBy(phone(804)), 'second');
  assert.equal(asked(phone(804)), 0);
  await operator.call('PATCH', `/operator/routes/${id}`, { networks: ['425-01'] });
});

test('secrets stay where they are, and are never returned', async () => {
  await operator.call('PUT', PATH, { description: described(provider.origin), valid_days: 3 });
  const moved = { description: described('https://other.example') };
  assert.deepEqual(await operator.refused('PUT', PATH, moved), ['bad-field', 'secrets', 400]);
  const faulty = { ...described(provider.origin), send: { url: `${provider.origin}/{text}` } };
  assert.deepEqual(await operator.refused('PUT', PATH, { description: faulty }), [
    'bad-field',
    'description',
    400,
  ]);
  assert.deepEqual(await operator.refused('PUT', PATH, { description: 'nobody' }), [
    'bad-field',
    'description',
    400,
  ]);
  assert.deepEqual(await operator.refused('PUT', PATH, body({ timeout_ms: 1 })), [
    'bad-field',
    'timeout_ms',
    400,
  ]);
  const [row] = await sql<
    { secrets: Buffer; settings: object }[]
  >`SELECT secrets, settings FROM number_look_ups`;
  assert.equal(row!.secrets.includes(KEY), false);
  assert.equal(JSON.stringify(row!.settings).includes(KEY), false);
  const audited = await sql<{ entry: string }[]>`SELECT audit_log::text AS entry FROM audit_log`;
  assert.ok(audited.length > 0);
  assert.equal(JSON.stringify(audited).includes(KEY), false);
});

test('a removed look-up leaves its answers', async () => {
  await operator.call('DELETE', PATH);
  assert.equal((await operator.get<State>(PATH)).look_up, null);
  await operator.call('DELETE', PATH);
  assert.equal((await find(phone(802))).recipient.network, '425-01');
  await mustSend(url, sender, [phone(998)]);
  assert.equal(await takenBy(phone(998)), 'first');
});

test('what is no longer valid is looked up again, and removed', async () => {
  const to = phone(902);
  await put({ valid_days: 3 });
  await mustSend(url, sender, [to]);
  await waitFor('it is stored', () => stored(to));
  service.clock.advance(4 * 86_400_000);
  await mustSend(url, sender, [to]);
  await waitFor('it is looked up again', () => asked(to) === 2);
  await waitFor('that is stored', async () => Number((await stored(to))!.valid_until) > service.clock.now());
  await sql`UPDATE number_networks SET valid_until = 1 WHERE phone <> ${to}`;
  const { sql: own, log } = service.appContext;
  await new RememberedNumbers({ sql: own, clock: service.clock, log }).removeOld();
  const rows = await sql<{ phone: string }[]>`SELECT phone FROM number_networks`;
  assert.deepEqual(
    rows.map((row) => row.phone),
    [to],
  );
});
