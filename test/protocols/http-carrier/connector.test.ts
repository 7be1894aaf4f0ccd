import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { status } from '../../../server/kit/statuses.ts';
import { tryHttpCarrier } from '../../../server/protocols/http-carrier/trial.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  formOf,
  jsonOf,
  PATH_SECRET,
  PUBLIC_URL,
  type Reply,
  settingsOf,
  simple,
  startConnector,
  startProvider,
} from './support.ts';

const accepted = (id: string): Reply => ({ status: 200, body: { id } });

describe('outcomes', () => {
  test('an accepted message has the id of the provider', async (t) => {
    const provider = await startProvider(t, () => accepted('m1'));
    const { send, connector } = startConnector(t, settingsOf({ description: simple(provider.origin) }));
    assert.deepEqual(await send(), { kind: 'accepted', carrierIds: ['m1'] });
    const [request] = provider.received;
    assert.deepEqual([request!.method, request!.path], ['POST', '/send']);
    assert.deepEqual(jsonOf(request!), { to: '+972501234567', text: 'Hello' });
    assert.equal(connector.up, true);
  });

  test('a refusal is final', async (t) => {
    const provider = await startProvider(t, () => ({ status: 400, body: { code: 21 } }));
    const { send } = startConnector(t, settingsOf({ description: simple(provider.origin) }));
    assert.deepEqual(await send(), { kind: 'refused', status: status.rejected, code: '21' });
  });

  test('a throttled message returns to the dispatcher, and the connector waits', async (t) => {
    const provider = await startProvider(t, (_request, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '3600' } } : accepted('m2'),
    );
    const { send, connector } = startConnector(t, settingsOf({ description: simple(provider.origin) }));
    assert.deepEqual(await send(), { kind: 'again' });
    assert.equal(connector.capacity(), 0);
    assert.equal(connector.up, true);
  });

  test('after a throttled message the next one tests the provider', async (t) => {
    const provider = await startProvider(t, (_request, count) =>
      count === 1 ? { status: 429 } : accepted('m2'),
    );
    const { send } = startConnector(t, settingsOf({ description: simple(provider.origin) }));
    assert.deepEqual(await send(), { kind: 'again' });
    assert.deepEqual(await send(), { kind: 'accepted', carrierIds: ['m2'] });
  });

  test('a temporary failure is retried later', async (t) => {
    const provider = await startProvider(t, () => ({ status: 503, headers: { 'retry-after': '20' } }));
    const { send } = startConnector(t, settingsOf({ description: simple(provider.origin) }));
    assert.deepEqual(await send(), { kind: 'retry', code: 'HTTP_503', afterMs: 20_000 });
  });

  test('a message whose validity has ended is not sent', async (t) => {
    const provider = await startProvider(t, () => accepted('m1'));
    const { send } = startConnector(t, settingsOf({ description: simple(provider.origin) }));
    assert.deepEqual(await send({ validUntil: 1 }), { kind: 'expired' });
    assert.equal(provider.received.length, 0);
  });

  test('a message that cannot be written does not stop others', async (t) => {
    const provider = await startProvider(t, () => accepted('m1'));
    const description = simple(provider.origin, {
      send: { url: `${provider.origin}/send`, headers: { 'x-text': '{text}' } },
    });
    const { send } = startConnector(t, settingsOf({ description }));
    assert.deepEqual(await send({ payload: 'a\nb' }), {
      kind: 'refused',
      status: status.undelivered,
      code: 'REQUEST',
    });
    assert.equal((await send()).kind, 'accepted');
  });
});

describe('lost answers', () => {
  const lost: [string, Reply][] = [
    ['the connection ends after the request', 'cut'],
    ['the connection ends in the answer', { head: 200 }],
    ['the connection ends in the answer of a gateway', { head: 504 }],
    ['the answer does not come in time', 'silent'],
    ['a gateway answers', { status: 502, body: '<html>' }],
    ['the answer is not readable', { status: 200, body: 'OK' }],
    ['the accepted message has no id', { status: 200, body: { id: '' } }],
  ];
  for (const [title, reply] of lost) {
    test(`${title}: the message is not sent again`, async (t) => {
      const provider = await startProvider(t, () => reply);
      const settings = settingsOf({
        description: simple(provider.origin),
        timeoutMs: reply === 'silent' ? 1_000 : 30_000,
      });
      const { send, connector } = startConnector(t, settings);
      assert.deepEqual(await send(), { kind: 'unknown', isLast: true });
      assert.equal(provider.received.length, 1);
      assert.equal(connector.up, true);
    });
  }

  test('the status of a refusal counts, even if the connection ends after it', async (t) => {
    for (const [head, kind] of [
      [429, 'again'],
      [503, 'retry'],
      [400, 'refused'],
    ] as const) {
      const provider = await startProvider(t, () => ({ head }));
      const { send } = startConnector(t, settingsOf({ description: simple(provider.origin) }));
      assert.equal((await send()).kind, kind);
    }
  });

  test('a provider that recognizes repeated requests gets it again', async (t) => {
    const provider = await startProvider(t, () => 'cut');
    const description = simple(provider.origin, { repeatable: true });
    const { send } = startConnector(t, settingsOf({ description }));
    const outcome = await send();
    assert.equal(outcome.kind, 'unknown');
    assert.equal('isLast' in outcome, false);
  });
});

describe('providers that accept nothing', () => {
  test('without a connection the message was not sent, and the connector is down', async (t) => {
    const provider = await startProvider(t, () => accepted('m1'));
    await provider.close();
    const { send, connector } = startConnector(t, settingsOf({ description: simple(provider.origin) }));
    assert.deepEqual(await send(), { kind: 'again' });
    assert.equal(connector.fault?.reason, 'refused');
    assert.equal(connector.up, false);
    assert.equal(connector.capacity(), 0);
  });

  test('a refused account takes the connector down, and one message tests it again', async (t) => {
    const provider = await startProvider(t, (_request, count) =>
      count === 1 ? { status: 401, body: { code: 'key' } } : accepted('m1'),
    );
    const { send, connector } = startConnector(t, settingsOf({ description: simple(provider.origin) }));
    assert.deepEqual(await send(), { kind: 'again' });
    assert.deepEqual(connector.fault, { reason: 'access', detail: 'key' });
    assert.equal(connector.up, false);
    await waitFor('the connector is up again', () => connector.up);
    assert.equal(connector.capacity(), 1);
    assert.equal((await send()).kind, 'accepted');
    assert.equal(connector.fault, undefined);
    assert.ok(connector.capacity() > 1);
  });

  test('a provider in a private network is not called', async (t) => {
    const provider = await startProvider(t, () => accepted('m1'));
    const settings = settingsOf({ description: simple(provider.origin), allowPrivate: false });
    const { send } = startConnector(t, settings);
    assert.deepEqual(await send(), { kind: 'again' });
    assert.equal(provider.received.length, 0);
    const trial = await tryHttpCarrier(settings, false);
    assert.equal(trial.isAccepted, false);
  });
});

describe('limits', () => {
  test('the window limits the requests under way', async (t) => {
    const provider = await startProvider(t, () => 'silent');
    const { send, connector } = startConnector(
      t,
      settingsOf({ description: simple(provider.origin), window: 2 }),
    );
    const outcomes = [send(), send(), send()];
    await waitFor('two requests', () => provider.received.length === 2);
    assert.equal(connector.capacity(), 0);
    assert.equal(connector.window, 2);
    void outcomes;
  });

  test('a limit of messages per second, which can be changed', async (t) => {
    const provider = await startProvider(t, () => accepted('m1'));
    const settings = settingsOf({ description: simple(provider.origin), messagesPerSecond: 1 });
    const { send, connector } = startConnector(t, settings);
    assert.equal((await send()).kind, 'accepted');
    assert.ok(connector.capacity() < settings.window);
    connector.limit(0);
    assert.equal(connector.capacity(), settings.window);
  });

  test('stop waits for requests under way and ends the rest as unknown', async (t) => {
    const provider = await startProvider(t, () => 'silent');
    const { send, connector } = startConnector(t, settingsOf({ description: simple(provider.origin) }));
    const outcome = send();
    await waitFor('the request', () => provider.received.length === 1);
    await connector.stop(10);
    assert.deepEqual(await outcome, { kind: 'unknown', isLast: true });
    assert.equal(connector.capacity(), 0);
    assert.equal(connector.up, false);
  });
});

describe('OAuth', () => {
  const describedAt = (origin: string) =>
    simple(origin, {
      send: {
        url: `${origin}/send`,
        body: { form: { text: '{text}', report: '{origin}/reports' } },
        auth: {
          oauth: {
            url: `${origin}/token`,
            client: '{secret.client}',
            secret: '{secret.secret}',
            scope: 'sms',
          },
        },
      },
    });
  const secrets = { client: 'me', secret: 'pw' };

  test('a token is fetched once and used until it expires', async (t) => {
    const provider = await startProvider(t, ({ path }) =>
      path === '/token'
        ? { status: 200, body: { access_token: 't0ken', token_type: 'bearer', expires_in: 3_600 } }
        : accepted('m1'),
    );
    const settings = settingsOf({ description: describedAt(provider.origin), secrets });
    const { send } = startConnector(t, settings);
    assert.deepEqual(
      (await Promise.all([send(), send()])).map(({ kind }) => kind),
      ['accepted', 'accepted'],
    );
    await send();
    const tokens = provider.received.filter(({ path }) => path === '/token');
    assert.equal(tokens.length, 1);
    assert.deepEqual(formOf(tokens[0]!), { grant_type: 'client_credentials', scope: 'sms' });
    assert.equal(tokens[0]!.headers.authorization, `Basic ${Buffer.from('me:pw').toString('base64')}`);
    const sent = provider.received.at(-1)!;
    assert.equal(sent.headers.authorization, 'Bearer t0ken');
    assert.equal(formOf(sent).report, `${PUBLIC_URL}/carrier-requests/test/${PATH_SECRET}/reports`);
    assert.deepEqual(
      (await tryHttpCarrier(settings, false)).steps.map(({ name, answer }) => [name, answer]),
      [
        ['connect', 'without TLS'],
        ['OAuth', 'token'],
      ],
    );
  });

  test('a refused client takes the connector down; no message was sent', async (t) => {
    const provider = await startProvider(t, () => ({ status: 401, body: { error: 'invalid_client' } }));
    const settings = settingsOf({ description: describedAt(provider.origin), secrets });
    const { send, connector } = startConnector(t, settings);
    assert.deepEqual(await send(), { kind: 'again' });
    assert.equal(connector.fault?.reason, 'access');
    assert.ok(provider.received.every(({ path }) => path === '/token'));
    assert.equal((await tryHttpCarrier(settings, false)).isAccepted, false);
  });
});
