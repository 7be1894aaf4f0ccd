import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TestMessages } from '../../../server/engine/test-messages/test-messages.ts';
import { status } from '../../../server/kit/statuses.ts';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { phones, startNetwork } from '../../faults/support.ts';
import {
  jsonOf,
  type Received,
  type Reply,
  simple,
  startProvider,
} from '../../protocols/http-carrier/support.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from '../dispatch/support.ts';

/* Test messages of operators over one connector. */

interface Exchange {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly body: string | null;
  } | null;
  readonly sent: boolean;
  readonly answer: {
    readonly status: number;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly body: string | null;
  } | null;
  readonly error: string | null;
  readonly verdict: { readonly outcome: string; readonly ids: string[]; readonly code: string | null } | null;
}
interface Sent {
  readonly id: string;
  readonly account_id: string;
  readonly message_id: string;
}
interface Shown extends Sent {
  readonly connector: string;
  readonly username: string;
  readonly state: string | null;
  readonly code: string | null;
  readonly attempts: number;
  readonly exchange: Exchange | null;
}

const KEY = 'the "key"/of the provider';
const network = await startNetwork();
const database = await createDatabase();
const service = await startDispatching(network, {}, database, { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' });
const { sql, clock, appContext } = service;
const shop = await service.account('shop', 1_000);
let replies: (request: Received) => Reply = () => ({ status: 200, body: { id: 'm-1' } });
const provider = await startProvider({ after }, (request) => replies(request));
const described = simple(provider.origin);
const description = {
  ...described,
  send: {
    ...described.send,
    url: `${provider.origin}/send/{secret.account}`,
    query: { tag: '{secret.key}' },
    headers: { 'x-trace': 'yes' },
    auth: { basic: ['{secret.account}', '{secret.key}'] },
  },
};
const secrets = { account: 'AC0123456789', key: KEY };
const operators = await Promise.all(Array.from({ length: 8 }, () => asPerson(service, 'operator')));
const [operator] = operators as [(typeof operators)[0]];
await operator.post('/operator/connectors', { name: 'provider', http: { description, secrets } });

let next = 40_000;
const freePhone = () => phones(next++, 1)[0]!;
const bodyOf = (phone: string, more: object = {}) => ({
  account_id: String(shop.id),
  source: 'Shop',
  phone: `+${phone}`,
  message: 'Test of the connector',
  ...more,
});
const send = (as: (typeof operators)[0], phone: string, more: object = {}, connector = 'provider') =>
  as.post<Sent>(`/operator/connectors/${connector}/test-messages`, bodyOf(phone, more), 202);
const show = (id: string) => operator.get<Shown>(`/operator/test-messages/${id}`);
const shownWhen = (what: string, id: string, is: (test: Shown) => boolean) =>
  waitFor(what, async () => {
    const shown = await show(id);
    return is(shown) ? shown : undefined;
  });
const requestTo = (phone: string) => provider.received.find((one) => jsonOf(one).to === `+${phone}`);

test('a message goes over the connector without a route, and its exchange is shown without secrets', async () => {
  const basic = Buffer.from(`${secrets.account}:${KEY}`).toString('base64');
  replies = () => ({
    status: 200,
    headers: { 'x-request-id': `r-${encodeURI(KEY)}`, 'set-cookie': 'a=b' },
    body: {
      id: 'm-1',
      plain: KEY,
      form: new URLSearchParams([['', KEY]]).toString().slice(1),
      path: encodeURIComponent(KEY),
      hex: Buffer.from(KEY).toString('hex').toUpperCase(),
      basic,
      long: 'x'.repeat(5_000),
    },
  });
  const phone = freePhone();
  const sent = await send(operator, phone);
  const shown = await shownWhen('it is submitted', sent.id, ({ state }) => state === 'submitted');
  assert.deepEqual(
    [shown.connector, shown.username, shown.account_id, shown.message_id, shown.attempts],
    ['provider', 'shop', String(shop.id), sent.message_id, 1],
  );
  const { request, answer, verdict, sent: wasSent, error } = shown.exchange!;
  assert.deepEqual([wasSent, error], [true, null]);
  assert.equal(request?.url, `${provider.origin}/send/***?tag=***`);
  const headers = Object.fromEntries(request.headers.map(({ name, value }) => [name, value]));
  assert.deepEqual(headers, {
    'x-trace': 'yes',
    authorization: 'Basic ***',
    'content-type': 'application/json',
  });
  assert.equal(request.body, requestTo(phone)!.body);
  assert.equal(answer?.status, 200);
  assert.deepEqual(
    answer.headers
      .filter(({ name }) => name === 'x-request-id' || name === 'set-cookie')
      .map(({ value }) => value),
    ['r-***'],
  );
  assert.equal(answer.body?.length, 4_096);
  const fields = answer.body.slice(0, answer.body.indexOf(',"long"'));
  assert.deepEqual(JSON.parse(`${fields}}`), {
    ...{ id: 'm-1', plain: '***', form: '***', path: '***', hex: '***', basic: '***' },
  });
  assert.deepEqual([verdict?.outcome, verdict?.ids], ['accepted', ['m-1']]);
  const stored = JSON.stringify([shown, await sql`SELECT exchange FROM test_messages`]);
  for (const secret of [KEY, encodeURIComponent(KEY), secrets.account, basic])
    assert.ok(!stored.includes(secret) && !stored.includes(JSON.stringify(secret).slice(1, -1)), secret);

  const [message] = await sql<{ link: string; price: string }[]>`
    SELECT link, price FROM messages WHERE id = ${Number(sent.message_id)} AND account_id = ${shop.id}`;
  assert.equal(message?.link, 'provider');
  assert.ok(Number(message?.price) > 0);
  assert.deepEqual(
    network.submits.filter(({ to }) => to === phone),
    [],
  );
});

test('a message over an SMPP connection has no exchange', async () => {
  const phone = freePhone();
  const sent = await send(operator, phone, {}, 'smpp');
  const shown = await shownWhen('it is delivered', sent.id, ({ state }) => state === 'delivered');
  assert.deepEqual([shown.attempts, shown.exchange], [0, null]);
  assert.ok(network.taken.has(phone));
});

test('the rules of the account apply, and nothing is stored for a refused message', async () => {
  const as = operators[1]!;
  const path = '/operator/connectors/provider/test-messages';
  const refused = (more: object, connector = path) =>
    as.refused('POST', connector, bodyOf(freePhone(), more));
  assert.deepEqual(await refused({ account_id: undefined }), ['bad-field', 'account_id', 400]);
  assert.deepEqual(await refused({ account_id: '17' }), ['bad-field', 'account_id', 400]);
  assert.deepEqual(await refused({ phone: 'nobody' }), ['bad-destination', 'phone', 400]);
  assert.deepEqual(await refused({ message: '' }), ['bad-message', 'message', 400]);
  assert.deepEqual(await refused({ source: 'a sender of many letters' }), ['bad-source', 'source', 400]);
  assert.deepEqual(await refused({}, '/operator/connectors/other/test-messages'), [
    'not-found',
    undefined,
    404,
  ]);

  const poor = await service.account('poor', 0);
  assert.deepEqual((await refused({ account_id: String(poor.id) }))[0], 'no-credit');
  const blocked = freePhone();
  await withToken(service.url, shop.token).post('/blacklist', { phones: [blocked] });
  assert.deepEqual((await refused({ phone: blocked }))[0], 'all-blocked');
  const suspended = await service.account('suspended', 10);
  await operator.post(`/operator/accounts/${suspended.id}/suspend`, {});
  assert.deepEqual((await refused({ account_id: String(suspended.id) }))[0], 'not-now');
  await operator.call('PATCH', '/operator/connectors/provider', { is_enabled: false });
  assert.deepEqual((await refused({}))[0], 'not-now');
  await operator.call('PATCH', '/operator/connectors/provider', { is_enabled: true });
  const rows = await sql`SELECT FROM test_messages WHERE account_id <> ${shop.id} OR phone = ${blocked}`;
  assert.equal(rows.length, 0);
});

test('an operator sends five messages in a minute, other operators their own', async () => {
  const [, , as, other] = operators as [unknown, unknown, (typeof operators)[0], (typeof operators)[0]];
  const all = await Promise.all(
    Array.from({ length: 7 }, () =>
      as.text('POST', '/operator/connectors/provider/test-messages', bodyOf(freePhone())),
    ),
  );
  assert.deepEqual(all.map(({ status: http }) => http).toSorted(), [202, 202, 202, 202, 202, 429, 429]);
  await send(other, freePhone());
  clock.advance(60_001);
  await send(as, freePhone());
});

test('a repeated request with its send key sends once', async () => {
  const phone = freePhone();
  const path = '/operator/connectors/provider/test-messages';
  const once = async () => {
    const answer = await operators[3]!.fetch('POST', path, bodyOf(phone), { 'idempotency-key': '"test-17"' });
    return (await answer.json()) as Sent;
  };
  const first = await once();
  assert.deepEqual(await once(), first);
  await shownWhen('it is sent', first.id, ({ attempts }) => attempts > 0);
  assert.equal(provider.received.filter((one) => jsonOf(one).to === `+${phone}`).length, 1);
});

test('while its connector is disabled a message waits, and it ends with its validity', async () => {
  replies = () => ({ status: 503, body: { code: 'busy' } });
  const phone = freePhone();
  const sent = await send(operators[4]!, phone);
  const shown = await shownWhen('the first attempt is over', sent.id, ({ exchange }) => exchange !== null);
  assert.deepEqual([shown.exchange?.verdict?.outcome, shown.state], ['again', 'waiting']);
  await operator.call('PATCH', '/operator/connectors/provider', { is_enabled: false });
  const batch = async () =>
    (
      await sql<{ route: string; attempt: number; is_free: boolean }[]>`
        SELECT route, attempt, lease_owner IS NULL AS is_free FROM dispatch_batches
        WHERE account_id = ${shop.id} AND route = 'only/provider'`
    )[0];
  const attempts: number[] = [];
  for (let minute = 0; minute < 3; minute++) {
    clock.advance(120_000);
    const before = attempts.at(-1) ?? 0;
    const { attempt, route } = await waitFor('it is put back', async () => {
      const one = await batch();
      return one?.is_free && one.attempt > before ? one : undefined;
    });
    attempts.push(attempt);
    assert.equal(route, 'only/provider');
  }
  assert.equal((await show(sent.id)).state, 'waiting');
  assert.deepEqual(
    network.submits.filter(({ to }) => to === phone),
    [],
  );
  const balance = await appContext.wallets.balance(shop.id);
  clock.advance(3_700_000);
  const ended = await shownWhen('its validity is over', sent.id, ({ state }) => state === 'failed');
  assert.equal(ended.attempts, 1);
  const [message] = await sql<{ status: number }[]>`
    SELECT status FROM messages WHERE account_id = ${shop.id} AND id = ${Number(sent.message_id)}`;
  assert.equal(message?.status, status.expired);
  assert.ok((await appContext.wallets.balance(shop.id)) > balance);
  assert.equal(await batch(), undefined);
  await operator.call('PATCH', '/operator/connectors/provider', { is_enabled: true });
  replies = () => ({ status: 200, body: { id: 'm-2' } });
});

test('an account that stores no texts has a record without them', async () => {
  const quiet = await service.account('quiet', 100);
  await sql`INSERT INTO retention (account_id, text_mode) VALUES (${quiet.id}, 'none')`;
  await appContext.textStorage.reload();
  const sent = await send(operators[5]!, freePhone(), { account_id: String(quiet.id) });
  const { exchange } = await shownWhen('the exchange is shown', sent.id, ({ attempts }) => attempts > 0);
  assert.deepEqual([exchange?.request, exchange?.answer?.body], [null, null]);
  assert.deepEqual([exchange?.answer?.status, exchange?.verdict?.outcome], [200, 'accepted']);
  const [row] = await sql<{ is_sealed: boolean }[]>`
    SELECT left(exchange, 1) = chr(1) AS is_sealed FROM test_messages WHERE id = ${Number(sent.id)}`;
  assert.equal(row?.is_sealed, true);
});

test('an erasure of the person removes it', async () => {
  const owner = await asPerson(service, 'owner', shop.id);
  const phone = freePhone();
  const { id } = await send(operators[4]!, phone);
  await shownWhen('it is sent', id, ({ attempts }) => attempts > 0);
  const body = { phones: [phone] };
  const { counts } = await owner.post<{ counts: { kind: string; count: number }[] }>(
    '/data-subjects/search',
    body,
  );
  assert.deepEqual(
    counts.filter(({ kind }) => kind === 'test-messages'),
    [{ kind: 'test-messages', count: 1 }],
  );
  await owner.post('/data-subjects/erasures', { ...body, confirm: phone }, 202);
  await waitFor('it is removed', async () => {
    const rows = await sql`SELECT FROM test_messages WHERE id = ${Number(id)}`;
    return rows.length === 0;
  });
  assert.equal((await operator.fetch('GET', `/operator/test-messages/${id}`)).status, 404);
});

test('a token that the provider refuses is shown, and one that it gives is masked', async () => {
  const TOKEN = 'a-token-of-the-provider';
  let isGiven = false;
  const oauth = await startProvider({ after }, ({ path }) => {
    if (path !== '/token') return { status: 200, body: { id: 'm-3', echo: `Bearer ${TOKEN}` } };
    return isGiven ? { status: 200, body: { access_token: TOKEN } } : { status: 401, body: { error: 'no' } };
  });
  const auth = {
    oauth: { url: `${oauth.origin}/token`, client: '{secret.client}', secret: '{secret.secret}' },
  };
  const plain = simple(oauth.origin);
  await operator.post('/operator/connectors', {
    name: 'oauth',
    http: {
      description: { ...plain, send: { ...plain.send, auth } },
      secrets: { client: 'me-the-client', secret: 'pw-of-the-client' },
    },
  });
  const sent = await send(operators[6]!, freePhone(), {}, 'oauth');
  const failed = await shownWhen('the refusal is shown', sent.id, ({ exchange }) => exchange !== null);
  const { request, sent: wasSent, answer, verdict } = failed.exchange!;
  assert.deepEqual([request, wasSent, answer?.status, verdict], [null, false, 401, null]);
  isGiven = true;
  const shown = await shownWhen('it is sent', sent.id, ({ exchange }) => exchange?.sent === true);
  assert.deepEqual(JSON.parse(shown.exchange!.answer!.body!), { id: 'm-3', echo: 'Bearer ***' });
  assert.ok(!JSON.stringify(shown).includes(TOKEN));
  const headers = shown.exchange!.request!.headers.map(({ name, value }) => `${name}: ${value}`);
  assert.ok(headers.includes('authorization: Bearer ***'));
});

test('a broken connection is shown, and a connector that routes use records no other message', async () => {
  replies = () => 'cut';
  const sent = await send(operators[7]!, freePhone());
  const { exchange, code } = await shownWhen('it has ended', sent.id, ({ state }) => state === 'failed');
  assert.deepEqual(
    [exchange?.sent, exchange?.answer, exchange?.verdict, code],
    [true, null, null, 'CARRIER_SILENT'],
  );
  assert.ok(exchange?.error);
  replies = () => ({ status: 200, body: { id: 'm-4' } });
  const before = await sql`SELECT id, attempts FROM test_messages ORDER BY id`;
  await operator.post('/operator/routes', { prefix: '9725004', connectors: [{ connector: 'provider' }] });
  const phone = freePhone();
  await fetch(`${service.url}/v1/sms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'Shop', message: 'Hello', phones: [`+${phone}`] }),
  });
  await waitFor('it is sent', () => requestTo(phone));
  assert.deepEqual(await sql`SELECT id, attempts FROM test_messages ORDER BY id`, before);
});

test('the process that has the connector sends it, whichever process accepted it', async () => {
  const other = await startDispatching(network, {}, database, { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' });
  other.clock.advance(clock.now() - other.clock.now());
  const added = { name: 'later', http: { description, secrets } };
  await operator.post('/operator/connectors', added);
  const elsewhere = await asPerson(other, 'operator');
  for (const as of [elsewhere, await asPerson(service, 'operator')]) {
    await waitFor('the process knows the connector', async () => {
      const { connectors } = await as.get<{ connectors: { name: string }[] }>('/operator/connectors');
      return connectors.some(({ name }) => name === 'later');
    });
    const phone = freePhone();
    const { id } = await send(as, phone, {}, 'later');
    await shownWhen('it is sent', id, ({ exchange, state }) => exchange !== null && state === 'submitted');
    assert.equal(provider.received.filter((one) => jsonOf(one).to === `+${phone}`).length, 1);
  }
  await other.stop();
});

test('records are removed within a day', async () => {
  clock.advance(23 * 3_600_000);
  const store = new TestMessages({
    ...appContext,
    sql,
    clock,
    network: undefined as never,
    acceptor: undefined as never,
  });
  await store.cleanUp();
  const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM test_messages`;
  assert.equal(row?.count, 0);
  const [call] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM audit_log WHERE action = 'POST /v1/operator/connectors/:id/test-messages' AND status = 202`;
  assert.ok(call!.count > 0);
});
