import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
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
import { asPerson, withToken } from './calls.ts';

/* Operators add, change, try and remove connectors and routes while messages are sent. */

interface Connector {
  readonly name: string;
  readonly protocol: string;
  readonly is_configured: boolean;
  readonly is_enabled: boolean;
  readonly per_second: number;
  readonly is_limit_set: boolean;
  readonly has_password: boolean;
  readonly routes: string[];
  readonly smpp: {
    host: string;
    port: number;
    system_id: string;
    window: number;
    tls: boolean;
    parameters: object[];
    sender_messages_per_second: number;
  } | null;
}
interface Route {
  readonly id: string | null;
  readonly name: string;
  readonly prefixes: string[];
  readonly connectors: { connector: string; priority: number; weight: number }[];
}
interface Trial {
  readonly is_accepted: boolean;
  readonly steps: { name: string; is_accepted: boolean; answer: string }[];
}

const first = await startNetwork();
const second = await startNetwork();
const third = await startNetwork();
const database = await createDatabase();
const service = await startDispatching(first, {}, database);
const { url, sql } = service;
const operator = await asPerson(service, 'operator');
const sender = await service.account('sender', 100_000);

const PASSWORD = 'carillon';
const smpp = (port: number, more: object = {}) => ({
  smpp: { host: '127.0.0.1', port, system_id: 'carillon', password: PASSWORD, ...more },
});
const add = (name: string, port: number, more: object = {}) =>
  operator.post<Connector>('/operator/connectors', { name, ...smpp(port), ...more });
const change = (name: string, changes: object) =>
  operator.call<Connector>('PATCH', `/operator/connectors/${name}`, changes);
const route = (prefix: string, ...connectors: object[]) =>
  operator.post<Route>('/operator/routes', { prefix, connectors });
const isUp = (name: string) =>
  waitFor(`${name} is up`, async () => {
    const { carriers } = await operator.get<{ carriers: { name: string; state: string }[] }>(
      '/operator/carriers',
    );
    return carriers.some((carrier) => carrier.name === name && carrier.state === 'up');
  });
const find = (to: string) =>
  operator.get<{ route: Route | null; up: string[] }>(`/operator/routes/find?phone=%2B${to}`);
/** Whoever the message to a phone was brought to. */
const takenBy = (to: string) =>
  waitFor(
    `the message to ${to}`,
    () => Object.entries({ first, second, third }).find(([, network]) => network.taken.has(to))?.[0],
  );

test('a connector is added, takes what a route names it for, and nothing shows its password', async () => {
  const made = await add('alpha', second.port);
  assert.deepEqual(
    [made.name, made.protocol, made.is_configured, made.is_enabled, made.has_password, made.per_second],
    ['alpha', 'smpp', false, true, true, 0],
  );
  await isUp('alpha');
  await mustSend(url, sender, [phone(1)]);
  assert.equal(await takenBy(phone(1)), 'first');

  const prefix = phone(2).slice(0, 11);
  const { id, name } = await route(prefix, { connector: 'alpha' });
  assert.equal(name, `to/${prefix}`);
  const found = await find(phone(2));
  assert.deepEqual([found.route?.id, found.up], [id, ['alpha']]);
  assert.deepEqual((await find(phone(500))).route?.name, 'default');
  await mustSend(url, sender, [phone(2)]);
  assert.equal(await takenBy(phone(2)), 'second');

  const [row] = await sql<{ password: Buffer; settings: object }[]>`
    SELECT password, settings FROM connectors WHERE name = 'alpha'`;
  assert.equal(row!.password.includes(PASSWORD), false);
  assert.equal(service.appContext.secrets.openText(row!.password, 'connectors.password', 'alpha'), PASSWORD);
  assert.equal('password' in row!.settings, false);
  const answers = [
    made,
    await operator.get<object>('/operator/connectors'),
    await operator.get<object>('/operator/audit'),
  ];
  assert.doesNotMatch(JSON.stringify(answers), /"password"/);

  await allFinal(sql);
  await operator.call('DELETE', `/operator/routes/${id}`);
});

test('another limit is in effect in the running session', async () => {
  const { connectors } = await operator.get<{ connectors: Connector[] }>('/operator/connectors');
  assert.deepEqual(
    connectors.map(({ name, is_configured: isConfigured }) => [name, isConfigured]),
    [
      ['smpp', true],
      ['alpha', false],
    ],
  );
  const sessions = first.smsc.boundSessions;
  const limited = await change('smpp', { per_second: 5 });
  assert.deepEqual([limited.per_second, limited.is_limit_set], [5, true]);
  const before = first.submits.length;
  await mustSend(url, sender, phones(1_000, 300));
  await waitFor('some are out', () => first.submits.length > before + 3);
  assert.ok(first.submits.length < before + 300);
  const free = await change('smpp', { per_second: null });
  assert.deepEqual([free.per_second, free.is_limit_set], [0, false]);
  await allFinal(sql);
  assert.equal(first.smsc.boundSessions, sessions);
  assert.equal(first.duplicates() + second.duplicates(), 0);
});

test('messages that are being sent move to another connector, and none is lost or sent twice', async () => {
  const COUNT = 600;
  const to = phones(10_000, COUNT);
  const prefix = '9725001';
  assert.ok(to.every((number) => number.startsWith(prefix)));
  await change('alpha', { per_second: 40 });
  const { id } = await route(prefix, { connector: 'alpha' });
  await mustSend(url, sender, to);
  const counted = (network: typeof first) => to.filter((number) => network.taken.has(number)).length;
  await waitFor('the first of them are out', () => counted(second) > 5);

  // What waits goes by the changed route; then the route is removed, and the connector with it.
  await add('beta', third.port, { per_second: 40 });
  await isUp('beta');
  await operator.call('PATCH', `/operator/routes/${id}`, { connectors: [{ connector: 'beta' }] });
  await waitFor('others go over beta', () => counted(third) > 5);
  assert.deepEqual(await operator.refused('DELETE', '/operator/connectors/beta'), [
    'not-now',
    undefined,
    409,
  ]);
  await operator.call('DELETE', `/operator/routes/${id}`);
  await allFinal(sql);
  await operator.call('DELETE', '/operator/connectors/beta');
  await waitFor('its session is over', () => third.smsc.boundSessions === 0);
  assert.equal(counted(first) + counted(second) + counted(third), COUNT);
  assert.ok(counted(first) > 0);
  assert.equal(first.duplicates() + second.duplicates() + third.duplicates(), 0);
});

test('connectors of one priority share by weight; the next priority takes over when they are disabled', async () => {
  await change('alpha', { per_second: null });
  await add('gamma', third.port);
  await Promise.all([isUp('alpha'), isUp('gamma')]);
  const { id } = await route(
    '9725002',
    { connector: 'alpha', weight: 3 },
    { connector: 'gamma' },
    { connector: 'smpp', priority: 1 },
  );
  const to = phones(20_000, 200);
  await mustSend(url, sender, to);
  await waitFor('all are out', () =>
    to.every((number) => second.taken.has(number) || third.taken.has(number)),
  );
  assert.equal(to.filter((number) => third.taken.has(number)).length, 50);
  // Their receipts come by the sessions that end now.
  await allFinal(sql);

  await change('alpha', { is_enabled: false });
  await change('gamma', { is_enabled: false });
  await waitFor('both have left', () => second.smsc.boundSessions + third.smsc.boundSessions === 0);
  await mustSend(url, sender, [phone(20_500)]);
  assert.equal(await takenBy(phone(20_500)), 'first');

  // Nothing takes it: it waits, and goes out when one is enabled.
  await operator.call('PATCH', `/operator/routes/${id}`, { connectors: [{ connector: 'gamma' }] });
  assert.deepEqual((await find(phone(20_501))).up, []);
  await mustSend(url, sender, [phone(20_501)]);
  await change('gamma', { is_enabled: true });
  assert.equal(await takenBy(phone(20_501)), 'third');
  await allFinal(sql);
  await operator.call('DELETE', `/operator/routes/${id}`);
  await operator.call('DELETE', '/operator/connectors/gamma');
});

test('other settings give a connector another session, with what is in flight answered', async () => {
  await change('alpha', { is_enabled: true });
  await isUp('alpha');
  const { id } = await route('9725003', { connector: 'alpha' });
  const to = phones(30_000, 300);
  await change('alpha', { per_second: 100 });
  await mustSend(url, sender, to);
  await waitFor('some are out', () => to.some((number) => second.taken.has(number)));
  const changed = await change('alpha', { smpp: { window: 7 } });
  assert.deepEqual([changed.smpp?.port, changed.smpp?.window, changed.has_password], [second.port, 7, true]);
  await waitFor('the other session is up', async () => {
    const { carriers } = await operator.get<{
      carriers: { name: string; state: string; window: number }[];
    }>('/operator/carriers');
    return carriers.some(({ name, state, window }) => name === 'alpha' && state === 'up' && window === 7);
  });
  await allFinal(sql);
  assert.ok(to.every((number) => second.taken.has(number)));
  assert.equal(second.duplicates(), 0);
  await operator.call('DELETE', `/operator/routes/${id}`);
});

test('optional parameters reach the carrier, and a wrong one is refused with its place', async () => {
  const parameters = [
    { tag: '0x1401', value: '{to.digits}' },
    { tag: '0x1402', value: '{dlt.template}' },
    { tag: '0x0204', form: 'integer', value: '258', octets: 2 },
  ];
  const more = { parameters, unicode_data_coding: 24, sender_messages_per_second: 5 };
  const made = await add('tlv', second.port, smpp(second.port, more));
  assert.equal(made.smpp?.sender_messages_per_second, 5);
  assert.deepEqual(
    made.smpp?.parameters,
    parameters.map((one) => ({ form: 'text', octets: null, ...one })),
  );
  await isUp('tlv');
  const { id } = await route('9725005', { connector: 'tlv' });
  const to = phone(50_000);
  await mustSend(url, sender, [to], { message: 'שלום' });
  assert.equal(await takenBy(to), 'second');
  const { dataCoding, tlvs } = second.submits.find((submit) => submit.to === to)!;
  assert.deepEqual(
    [dataCoding, ...tlvs.map(({ tag, value }) => [tag, Buffer.from(value).toString('latin1')])],
    [24, [0x1401, to], [0x0204, '\x01\x02']],
  );
  await allFinal(sql);

  const refused = (...given: object[]) =>
    operator.refused('PATCH', '/operator/connectors/tlv', { smpp: { parameters: given } });
  for (const [parameter, field] of [
    [{ tag: '1400', value: 'x' }, 'tag'],
    [{ tag: '0x0424', value: 'x' }, 'tag'],
    [{ tag: '0x1400', value: '{dlt.x}' }, 'value'],
    [{ tag: '0x1400', form: 'integer', value: '1' }, 'octets'],
  ] as const)
    assert.deepEqual(await refused(parameters[0]!, parameter), [
      'bad-field',
      `smpp.parameters[1].${field}`,
      400,
    ]);
  assert.deepEqual(await refused(parameters[0]!, parameters[0]!), [
    'bad-field',
    'smpp.parameters[1].tag',
    400,
  ]);
  await operator.call('DELETE', `/operator/routes/${id}`);
  await operator.call('DELETE', '/operator/connectors/tlv');
});

test('a test binds next to the running session and returns the answers', async () => {
  const sessions = first.smsc.boundSessions;
  const accepted = await operator.post<Trial>('/operator/connectors/smpp/try');
  assert.deepEqual(
    accepted.steps.map(({ name, answer }) => [name, answer]),
    [
      ['connect', 'connected'],
      ['bind_transmitter', 'ESME_ROK'],
      ['enquire_link', 'ESME_ROK'],
      ['unbind', 'ESME_ROK'],
    ],
  );
  assert.equal(accepted.is_accepted, true);
  await waitFor('the trial has left', () => first.smsc.boundSessions === sessions);

  await add('wrong', first.port, smpp(first.port, { password: 'wrong' }));
  const wrong = await operator.post<Trial>('/operator/connectors/wrong/try');
  assert.deepEqual([wrong.is_accepted, wrong.steps.length], [false, 2]);
  assert.match(wrong.steps[1]!.answer, /^ESME_R/);

  const closed = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
  await change('wrong', smpp(closed));
  const away = await operator.post<Trial>('/operator/connectors/wrong/try');
  assert.deepEqual([away.is_accepted, away.steps.map(({ name }) => name)], [false, ['connect']]);
  assert.match(away.steps[0]!.answer, /ECONNREFUSED/);
  await operator.call('DELETE', '/operator/connectors/wrong');
  assert.deepEqual(await operator.refused('POST', '/operator/connectors/wrong/try'), [
    'not-found',
    undefined,
    404,
  ]);
});

test('what cannot be is refused with the field, and nothing is stored', async () => {
  const refused = (method: string, path: string, body?: unknown) =>
    operator.refused(method, `/operator/${path}`, body);
  const before = await sql`SELECT * FROM connectors ORDER BY name`;
  assert.deepEqual(await refused('POST', 'connectors', { name: 'x' }), ['bad-field', 'smpp', 400]);
  assert.deepEqual(await refused('POST', 'connectors', { name: 'X', ...smpp(1) }), [
    'bad-field',
    'name',
    400,
  ]);
  assert.deepEqual(await refused('POST', 'connectors', { name: 'alpha', ...smpp(1) }), [
    'not-now',
    'name',
    409,
  ]);
  assert.deepEqual(await refused('POST', 'connectors', { name: 'smpp', ...smpp(1) }), [
    'not-now',
    'name',
    409,
  ]);
  assert.deepEqual(await refused('POST', 'connectors', { name: 'x', smpp: { host: 'x' } }), [
    'bad-field',
    'smpp.system_id',
    400,
  ]);
  assert.deepEqual(await refused('POST', 'connectors', { name: 'x', ...smpp(1, { system_id: 'é' }) }), [
    'bad-field',
    'smpp.system_id',
    400,
  ]);
  assert.deepEqual(await refused('PATCH', 'connectors/smpp', smpp(1)), ['not-now', undefined, 409]);
  assert.deepEqual(await refused('DELETE', 'connectors/smpp'), ['not-now', undefined, 409]);
  assert.deepEqual(await refused('PATCH', 'connectors/none', {}), ['not-found', undefined, 404]);
  assert.deepEqual(await refused('PATCH', 'connectors/alpha', { sip: {} }), ['bad-field', 'sip', 400]);
  assert.deepEqual(await sql`SELECT * FROM connectors ORDER BY name`, before);

  const connectors = [{ connector: 'alpha' }];
  assert.deepEqual(await refused('POST', 'routes', { prefix: 'x', connectors }), [
    'bad-field',
    'prefix',
    400,
  ]);
  assert.deepEqual(await refused('POST', 'routes', { prefix: '1', connectors: [] }), [
    'bad-field',
    'connectors',
    400,
  ]);
  assert.deepEqual(await refused('POST', 'routes', { prefix: '1', connectors: [{ connector: 'none' }] }), [
    'bad-field',
    'connectors[0].connector',
    400,
  ]);
  assert.deepEqual(
    await refused('POST', 'routes', { prefix: '1', connectors: [...connectors, ...connectors] }),
    ['bad-field', 'connectors[1].connector', 400],
  );
  const { id } = await route('1', { connector: 'alpha' });
  assert.deepEqual(await refused('POST', 'routes', { prefix: '1', connectors }), ['not-now', 'prefix', 409]);
  await operator.call('DELETE', `/operator/routes/${id}`);
  assert.deepEqual(await refused('DELETE', `routes/${id}`), ['not-found', undefined, 404]);
  assert.deepEqual(await refused('GET', 'routes/find?phone=x'), ['bad-field', 'phone', 400]);
});

test('only operators may do this, and what they do is in the audit log', async () => {
  const account = await service.account('owned', 0);
  const owner = await asPerson(service, 'owner', account.id);
  const token = withToken(url, sender.token);
  for (const [method, path] of [
    ['GET', '/operator/connectors'],
    ['POST', '/operator/connectors/alpha/try'],
    ['DELETE', '/operator/connectors/alpha'],
    ['GET', '/operator/routes'],
    ['POST', '/operator/routes'],
  ] as const) {
    assert.deepEqual(await owner.refused(method, path), ['not-allowed', undefined, 403]);
    assert.deepEqual(await token.refused(method, path), ['not-allowed', undefined, 403]);
  }
  await change('alpha', smpp(third.port, { password: 'another-one' }));
  const { entries } = await operator.get<{
    entries: {
      action: string;
      object: { id: string };
      before: Connector | null;
      after: (Connector & { credentials?: string }) | null;
    }[];
  }>('/operator/audit');
  const changed = entries.find(({ action }) => action === 'PATCH /v1/operator/connectors/:id')!;
  assert.deepEqual(
    [changed.object.id, changed.before?.name, changed.after?.credentials],
    ['alpha', 'alpha', 'replaced'],
  );
  assert.equal(JSON.stringify(entries).includes('another-one'), false);
  for (const action of [
    'POST /v1/operator/connectors',
    'DELETE /v1/operator/connectors/:id',
    'POST /v1/operator/connectors/:id/try',
    'POST /v1/operator/routes',
    'PATCH /v1/operator/routes/:id',
    'DELETE /v1/operator/routes/:id',
  ])
    assert.ok(
      entries.some((entry) => entry.action === action),
      action,
    );
});

test('another process follows a change', async () => {
  const other = await startDispatching(first, {}, database);
  const there = await asPerson(other, 'operator');
  const routeThere = async () =>
    (await there.get<{ route: Route | null }>(`/operator/routes/find?phone=%2B${phone(40_000)}`)).route?.name;
  assert.equal(await routeThere(), 'default');
  const { id, name } = await route('9725004', { connector: 'smpp' });
  await waitFor('it has the route', async () => (await routeThere()) === name);
  await mustSend(other.url, sender, [phone(40_000)]);
  await allFinal(sql);
  await operator.call('DELETE', `/operator/routes/${id}`);
  await waitFor('it has lost the route', async () => (await routeThere()) === 'default');
  await other.stop();
});

test('nothing was lost', async () => {
  await allFinal(sql);
  const delivered = await statuses(sql);
  assert.deepEqual(Object.keys(delivered), ['102']);
  await assertPaid(sql, sender.id, 100_000, delivered[102]!);
});
