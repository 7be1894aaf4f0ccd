import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { status } from '../../../server/kit/statuses.ts';
import { asPerson } from '../../api/v1/calls.ts';
import { startDispatching } from '../../engine/dispatch/support.ts';
import { mustSend, phones, startNetwork } from '../../faults/support.ts';
import { jsonOf, type Received, simple, startProvider } from '../../protocols/http-carrier/support.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';

/* HTTP connectors that operators add while the service runs. */

interface Http {
  readonly description: string | object;
  readonly secret_names: string[];
  readonly window: number;
  readonly timeout_ms: number;
  readonly reports_url: string | null;
  readonly incoming_url: string | null;
}
interface Connector {
  readonly name: string;
  readonly protocol: string;
  readonly is_enabled: boolean;
  readonly has_password: boolean;
  readonly http: Http | null;
}

const KEY = 'the key of the provider';
const OTHER_KEY = 'another key of the provider';
const PATH_SECRET = 'a-secret-path-that-was-given';

const network = await startNetwork();
const database = await createDatabase();
const service = await startDispatching(network, {}, database, { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' });
const { url, sql } = service;
const operator = await asPerson(service, 'operator');
const sender = await service.account('sender', 1_000);
const accept = (request: Received) => ({ status: 200, body: { id: `id-${jsonOf(request).to}` } });
const provider = await startProvider({ after }, accept);
const second = await startProvider({ after }, accept);

/** The description of a provider with a key, with other fields. */
const described = (origin: string, more: object = {}) => {
  const description = simple(origin, {
    reports: { id: '/id', status: '/status', states: { DELIVERED: 'delivered' } },
    incoming: { from: '/from', to: '/to', text: '/text' },
    ...more,
  });
  return { ...description, send: { ...description.send, auth: { bearer: '{secret.key}' } } };
};
const http = (more: object = {}) => ({
  description: described(provider.origin),
  secrets: { key: KEY },
  ...more,
});
const add = (name: string, settings: object = http()) =>
  operator.post<Connector>('/operator/connectors', { name, http: settings });
const change = (name: string, changes: object) =>
  operator.call<Connector>('PATCH', `/operator/connectors/${name}`, changes);
const refusedChange = (name: string, settings: object) =>
  operator.refused('PATCH', `/operator/connectors/${name}`, { http: settings });
const post = async (address: string, body: object) =>
  (
    await fetch(address, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  ).status;
const statusOf = async (phone: string) =>
  (
    await sql<{ status: number; link: string }[]>`
      SELECT status, link FROM messages WHERE recipient = ${phone} AND final_at IS NOT NULL`
  )[0];
const requestTo = (phone: string, of = provider) =>
  waitFor(`the request to ${phone}`, () => of.received.find((one) => jsonOf(one).to === `+${phone}`));

test('an added connector delivers a message, and takes its reports also when it is disabled', async () => {
  const made = await add('provider');
  assert.deepEqual([made.protocol, made.has_password, made.http?.secret_names], ['http', true, ['key']]);
  assert.match(made.http!.reports_url!, /\/carrier-requests\/provider\/[\w-]{32}\/reports$/);
  const route = await operator.post<{ id: string }>('/operator/routes', {
    prefix: '9725001',
    connectors: [{ connector: 'provider' }],
  });
  const [one, other] = phones(10_000, 2) as [string, string];
  await mustSend(url, sender, [one]);
  const request = await requestTo(one);
  assert.equal(request.headers.authorization, `Bearer ${KEY}`);
  assert.equal(await post(made.http!.reports_url!, { id: `id-+${one}`, status: 'DELIVERED' }), 200);
  await waitFor('the message is delivered', async () => (await statusOf(one))?.status === status.delivered);
  assert.equal((await statusOf(one))?.link, 'provider');

  await mustSend(url, sender, [other]);
  await requestTo(other);
  await change('provider', { is_enabled: false });
  assert.equal(await post(made.http!.reports_url!, { id: `id-+${other}`, status: 'DELIVERED' }), 200);
  await waitFor('the other is delivered', async () => (await statusOf(other))?.status === status.delivered);
  const wrong = made.http!.reports_url!.replace(/[\w-]{32}/, 'x'.repeat(32));
  assert.equal(await post(wrong, { id: 'x', status: 'DELIVERED' }), 404);

  await change('provider', { is_enabled: true });
  assert.deepEqual(await operator.refused('DELETE', '/operator/connectors/provider'), [
    'not-now',
    undefined,
    409,
  ]);
  await operator.call('DELETE', `/operator/routes/${route.id}`);
  const trial = await operator.post<{ is_accepted: boolean }>('/operator/connectors/provider/try');
  assert.equal(trial.is_accepted, true);
  await operator.call('DELETE', '/operator/connectors/provider');
  assert.equal(await post(made.http!.reports_url!, { id: 'x', status: 'DELIVERED' }), 404);
});

test('nothing returns its secrets, and the addresses are returned once', async () => {
  const made = await add('hidden', http({ path_secret: PATH_SECRET }));
  assert.ok(made.http!.incoming_url!.endsWith(`/carrier-requests/hidden/${PATH_SECRET}/incoming`));
  const changed = await change('hidden', { http: { window: 7 } });
  assert.deepEqual(
    [changed.http?.window, changed.http?.reports_url, changed.http?.secret_names],
    [7, null, ['key']],
  );
  const renewed = await change('hidden', { http: { path_secret: null } });
  const [, newSecret] = /hidden\/([\w-]+)\/reports$/.exec(renewed.http!.reports_url!)!;
  assert.notEqual(newSecret, PATH_SECRET);
  const shown = JSON.stringify([
    changed,
    await operator.get('/operator/connectors'),
    await operator.get('/operator/audit'),
    await sql`SELECT settings, encode(password, 'escape') AS sealed FROM connectors`,
  ]);
  for (const secret of [KEY, PATH_SECRET, newSecret!]) assert.ok(!shown.includes(secret), secret);
  await operator.call('DELETE', '/operator/connectors/hidden');
});

test('another destination needs the secrets again', async () => {
  await add('moving');
  const description = described(second.origin);
  const missing = (field: string) => ['bad-field', field, 400];
  assert.deepEqual(await refusedChange('moving', { description }), missing('http.secrets'));
  assert.deepEqual(
    await refusedChange('moving', { description, secrets: { key: OTHER_KEY } }),
    missing('http.path_secret'),
  );
  const path = described(provider.origin, { title: 'Same origin' });
  await change('moving', { http: { description: path } });
  const token = {
    ...path,
    send: {
      ...path.send,
      auth: { oauth: { url: `${second.origin}/token`, client: 'me', secret: '{secret.key}' } },
    },
  };
  assert.deepEqual(await refusedChange('moving', { description: token }), missing('http.secrets'));
  const moved = await change('moving', {
    http: { description, secrets: { key: OTHER_KEY }, path_secret: null },
  });
  assert.notEqual(moved.http!.reports_url, null);
  await operator.post('/operator/routes', { prefix: '9725002', connectors: [{ connector: 'moving' }] });
  const [phone] = phones(20_000, 1) as [string];
  await mustSend(url, sender, [phone]);
  assert.equal((await requestTo(phone, second)).headers.authorization, `Bearer ${OTHER_KEY}`);
  assert.ok(second.received.every(({ headers }) => !String(headers.authorization).includes(KEY)));
});

test('a refusal names the field', async () => {
  const before = await sql`SELECT name FROM connectors ORDER BY name`;
  const refused = async (settings: object) => {
    const [code, field] = await operator.refused('POST', '/operator/connectors', {
      name: 'x',
      http: settings,
    });
    assert.equal(code, 'bad-field');
    return field;
  };
  const description = described(provider.origin);
  const rules = [
    { when: { is: 'x', at: '/' }, then: 'accepted' },
    { when: { is: 'x' }, then: 'refused' },
  ];
  assert.equal(
    await refused(http({ description: { ...description, answer: { rules } } })),
    'http.description.answer.rules[1].when.at',
  );
  assert.equal(await refused(http({ description: 'nobody' })), 'http.description');
  assert.equal(await refused({ secrets: { key: KEY } }), 'http.description');
  assert.equal(await refused({ description }), 'http.secrets.key');
  assert.equal(await refused(http({ secrets: { key: KEY, other: 'x' } })), 'http.secrets.other');
  assert.equal(await refused(http({ path_secret: 'short' })), 'http.path_secret');
  assert.equal(await refused(http({ addresses: ['x'] })), 'http.addresses[0]');
  assert.equal(await refused(http({ signature: { scheme: 'none' } })), 'http.signature.scheme');
  assert.equal(await refused(http({ window: 0 })), 'http.window');
  const url = `${provider.origin}/{phone}`;
  assert.equal(
    await refused(http({ description: { ...description, send: { ...description.send, url } } })),
    'http.description.send.url',
  );
  assert.deepEqual(await sql`SELECT name FROM connectors ORDER BY name`, before);
});

test('a connector without its lost secrets stays disabled, and works when they are set', async () => {
  const { discardConnectorPassword } = await import('../../../server/engine/connectors/connectors.ts');
  await add('lost');
  await discardConnectorPassword(sql, 'lost');
  await waitFor('it is disabled', async () => {
    const { connectors } = await operator.get<{ connectors: Connector[] }>('/operator/connectors');
    return connectors.some(
      (one) => one.name === 'lost' && !one.is_enabled && one.http?.secret_names.length === 0,
    );
  });
  assert.deepEqual(await operator.refused('PATCH', '/operator/connectors/lost', { is_enabled: true }), [
    'bad-field',
    'http.secrets.key',
    400,
  ]);
  assert.deepEqual(await operator.refused('POST', '/operator/connectors/lost/try'), [
    'not-now',
    undefined,
    409,
  ]);
  const restored = await change('lost', { is_enabled: true, http: { secrets: { key: KEY } } });
  assert.deepEqual([restored.is_enabled, restored.http?.secret_names], [true, ['key']]);
});

test('a polled provider needs no address for reports, and a change of the connector keeps its cursor', async () => {
  const pages: Record<string, object> = {};
  const polled = await startProvider({ after }, (request) => {
    if (request.path === '/send') return accept(request);
    const page = pages[request.query.get('after') ?? ''] ?? { items: [] };
    return { status: 200, body: page };
  });
  const pollsAfter = (cursor: string) =>
    polled.received.filter(({ path, query }) => path === '/reports' && query.get('after') === cursor);
  const poll = (origin: string) => ({
    reports: {
      ...{ url: `${origin}/reports`, every: 5, query: { after: '{cursor}' } },
      cursor: { at: '/next', first: '0' },
    },
  });
  const description = described(polled.origin, {
    reports: { each: '/items/*', id: '/id', status: '/status', states: { DELIVERED: 'delivered' } },
    poll: poll(polled.origin),
  });
  await add('polled', { description, secrets: { key: KEY } });
  const route = await operator.post<{ id: string }>('/operator/routes', {
    prefix: '9725001',
    connectors: [{ connector: 'polled' }],
  });
  const [phone] = phones(10_090, 1) as [string];
  await mustSend(url, sender, [phone]);
  await waitFor('the request to the phone', () => polled.received.some(({ path }) => path === '/send'));
  pages['0'] = { items: [{ id: `id-+${phone}`, status: 'DELIVERED' }], next: 'c1' };
  await waitFor('the message is delivered', async () => (await statusOf(phone))?.status === status.delivered);
  await waitFor('the cursor is used', () => pollsAfter('c1').length > 0);
  assert.equal(pollsAfter('c1')[0]!.headers.authorization, `Bearer ${KEY}`);

  // A change opens the connector again.
  const before = pollsAfter('c1').length;
  const first = pollsAfter('0').length;
  await change('polled', { http: { window: 7 } });
  await waitFor('it goes on', () => pollsAfter('c1').length > before);
  assert.equal(pollsAfter('0').length, first);

  // Stored secrets do not go to another address that is polled.
  const moved = { ...description, poll: poll(second.origin) };
  assert.deepEqual(await refusedChange('polled', { description: moved }), ['bad-field', 'http.secrets', 400]);

  await operator.call('DELETE', `/operator/routes/${route.id}`);
  await operator.call('DELETE', '/operator/connectors/polled');
  const rows = await sql`SELECT 1 FROM poll_cursors WHERE connector = 'polled'`;
  assert.equal(rows.length, 0);
});
