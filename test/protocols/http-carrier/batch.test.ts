import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { status } from '../../../server/kit/statuses.ts';
import type { HttpDescriptionInput } from '../../../server/protocols/http-carrier/description.ts';
import { httpCarrierSettings } from '../../../server/protocols/http-carrier/settings.ts';
import { waitFor } from '../../support/wait-for.ts';
import { jsonOf, type Received, type Reply, settingsOf, startConnector, startProvider } from './support.ts';

type Items = NonNullable<HttpDescriptionInput['answer']['items']>;

const items: Items = {
  each: '/results/*',
  ref: '/ref',
  rules: [
    { when: { at: '/state', is: 'ok' }, then: 'accepted' },
    { when: { at: '/state', is: 'bad' }, then: 'refused', as: 'rejected' },
    { when: { at: '/state', is: 'busy' }, then: 'throttled' },
    { when: { at: '/state', is: 'later' }, then: 'again' },
    { when: { at: '/state', is: 'credit' }, then: 'again', fault: 'rejected' },
  ],
  id: '/id',
  code: '/code',
  parts: '/parts',
};

/** A description whose requests have several messages. */
const batchAt = (
  origin: string,
  { items: given = items, ...more }: { items?: Items | null; max?: number; repeatable?: boolean } = {},
): HttpDescriptionInput => ({
  send: {
    url: `${origin}/send`,
    body: { json: { account: 'a', list: [{ ref: '{id}', to: '{to.plus}', text: '{text}' }] } },
    batch: { list: '/list', max: more.max ?? 100 },
  },
  repeatable: more.repeatable ?? false,
  answer: {
    rules: [
      ...(given ? [] : [{ when: { status: 202 }, then: 'accepted' } as const]),
      { when: { status: 429 }, then: 'throttled' },
      { when: { status: 401 }, then: 'again', fault: 'access' },
      { when: { status: 503 }, then: 'again' },
      { when: { status: '4xx' }, then: 'refused', as: 'rejected' },
    ],
    code: '/code',
    ...(given && { items: given }),
  },
});

interface Entry {
  readonly ref: string;
  readonly to: string;
  readonly text: string;
}
const listOf = (request: Received) => jsonOf(request).list as Entry[];
const accept = ({ ref }: Entry) => ({ ref, state: 'ok', id: `p${ref}` });
const answer = (results: unknown[]): Reply => ({ status: 200, body: { results } });
const acceptAll = (request: Received) => answer(listOf(request).map(accept));

/** Numbers from 1, as ids of messages. */
const ids = (count: number, first = 1) => Array.from({ length: count }, (_, at) => first + at);
const accepted = (id: number) => ({ kind: 'accepted', carrierIds: [`p${id}`] });
const lost = { kind: 'unknown', isLast: true };

describe('requests with several messages', () => {
  test('messages of one turn leave in one request, and each gets the result with its id', async (t) => {
    const provider = await startProvider(t, (request) => {
      const [one, two, three, four] = listOf(request);
      return answer([
        { ref: four!.ref, state: 'later', code: 'L1' },
        { ref: '999', state: 'ok', id: 'foreign' },
        { ref: two!.ref, state: 'bad', code: 'B1' },
        { ...accept(one!), parts: 2 },
        { ref: three!.ref, state: 'busy' },
      ]);
    });
    const { send } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    const texts = ['Hello', 'שלום "x"', '\u0000\ud800', ''];
    const outcomes = await Promise.all(texts.map((payload, at) => send({ id: at + 1, payload })));
    assert.deepEqual(outcomes, [
      accepted(1),
      { kind: 'refused', status: status.rejected, code: 'B1' },
      { kind: 'again' },
      { kind: 'retry', code: 'L1' },
    ]);
    assert.equal(provider.received.length, 1);
    assert.deepEqual(jsonOf(provider.received[0]!), {
      account: 'a',
      list: [
        { ref: '1', to: '+972501234567', text: 'Hello' },
        { ref: '2', to: '+972501234567', text: 'שלום "x"' },
        { ref: '3', to: '+972501234567', text: '\u0000\ufffd' },
        // A member without a value is left out.
        { ref: '4', to: '+972501234567' },
      ],
    });
  });

  test('a message without a result is not sent again, and the others have theirs', async (t) => {
    const provider = await startProvider(t, (request) =>
      answer(
        listOf(request)
          .filter(({ ref }) => ref !== '2')
          .map(accept),
      ),
    );
    const { send, connector } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    assert.deepEqual(await Promise.all(ids(3).map((id) => send({ id }))), [accepted(1), lost, accepted(3)]);
    assert.equal(connector.up, true);
  });

  test('results without ids are in order, if none is missing and each has its recipient', async (t) => {
    const { ref: _ref, ...inOrder } = items;
    const replies: ((list: Entry[]) => unknown[])[] = [
      (list) => list.map(({ to, ref }) => ({ state: 'ok', id: `p${ref}`, to })),
      (list) => list.slice(1).map(({ to, ref }) => ({ state: 'ok', id: `p${ref}`, to })),
      (list) => list.toReversed().map(({ to, ref }) => ({ state: 'ok', id: `p${ref}`, to })),
    ];
    const provider = await startProvider(t, (request, count) => answer(replies[count - 1]!(listOf(request))));
    const description = batchAt(provider.origin, { items: { ...inOrder, to: '/to' } });
    const { send } = startConnector(t, settingsOf({ description }));
    const sendAll = () => Promise.all(ids(3).map((id) => send({ id, destination: `97250000000${id}` })));
    assert.deepEqual(await sendAll(), ids(3).map(accepted));
    assert.deepEqual(await sendAll(), [lost, lost, lost]);
    assert.deepEqual(await sendAll(), [lost, accepted(2), lost]);
  });

  test('an accepted request without results accepts all messages with their own ids', async (t) => {
    const provider = await startProvider(t, () => ({ status: 202 }));
    const description = batchAt(provider.origin, { items: null });
    const { send } = startConnector(t, settingsOf({ description }));
    assert.deepEqual(await Promise.all(ids(2).map((id) => send({ id }))), [
      { kind: 'accepted', carrierIds: ['1'] },
      { kind: 'accepted', carrierIds: ['2'] },
    ]);
  });

  test('an answer about 500 messages is read, also when it is long', async (t) => {
    const provider = await startProvider(t, (request) =>
      answer(listOf(request).map((one) => ({ ...accept(one), about: 'x'.repeat(1_000) }))),
    );
    const description = batchAt(provider.origin, { max: 500 });
    const { send } = startConnector(t, settingsOf({ description, window: 1_000 }));
    const outcomes = await Promise.all(ids(500).map((id) => send({ id })));
    assert.deepEqual(outcomes, ids(500).map(accepted));
    assert.equal(provider.received.length, 1);
  });
});

describe('gathering', () => {
  test('a request has at most the maximum', async (t) => {
    const provider = await startProvider(t, acceptAll);
    const description = batchAt(provider.origin, { max: 10 });
    const { send } = startConnector(t, settingsOf({ description }));
    await Promise.all(ids(25).map((id) => send({ id })));
    assert.deepEqual(
      provider.received.map((request) => listOf(request).length),
      [10, 10, 5],
    );
  });

  test('while a request is under way, others leave together after a short time', async (t) => {
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const provider = await startProvider(t, async (request, count) => {
      if (count === 1) await release;
      return acceptAll(request);
    });
    const { send } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    const first = send({ id: 1 });
    await waitFor('the first request', () => provider.received.length === 1);
    assert.deepEqual(await Promise.all(ids(5, 2).map((id) => send({ id }))), ids(5, 2).map(accepted));
    assert.equal(provider.received.length, 2);
    resolve();
    assert.deepEqual(await first, accepted(1));
  });

  test('messages that wait count for the window', async (t) => {
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const provider = await startProvider(t, async (request) => {
      await release;
      return acceptAll(request);
    });
    const settings = settingsOf({ description: batchAt(provider.origin), window: 5 });
    const { send, connector } = startConnector(t, settings);
    const outcomes = ids(12).map((id) => send({ id }));
    assert.equal(connector.capacity(), 0);
    await waitFor('the first request', () => provider.received.length === 1);
    assert.equal(listOf(provider.received[0]!).length, 5);
    resolve();
    assert.deepEqual(await Promise.all(outcomes), ids(12).map(accepted));
    assert.equal(connector.capacity(), 5);
  });

  test('the rate counts messages', async (t) => {
    const provider = await startProvider(t, acceptAll);
    const settings = settingsOf({ description: batchAt(provider.origin), messagesPerSecond: 100 });
    const { connector } = startConnector(t, settings);
    const before = connector.capacity();
    assert.ok(before >= 1 && before <= 5);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    for (const id of ids(before))
      connector.submit(
        {
          accountId: 1,
          id,
          source: 'Shop',
          destination: '972501234567',
          payload: 'x',
          validUntil: Date.now() + 60_000,
        },
        resolve,
      );
    assert.equal(connector.capacity(), 0);
    assert.equal(((await promise) as { kind: string }).kind, 'accepted');
    assert.equal(listOf(provider.received[0]!).length, before);
  });

  test('an expired message does not leave with the others', async (t) => {
    const provider = await startProvider(t, acceptAll);
    const { send } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    const outcomes = await Promise.all([send({ id: 1 }), send({ id: 2, validUntil: 1 }), send({ id: 3 })]);
    assert.deepEqual(outcomes, [accepted(1), { kind: 'expired' }, accepted(3)]);
    assert.deepEqual(
      listOf(provider.received[0]!).map(({ ref }) => ref),
      ['1', '3'],
    );
  });

  test('a connector that stops returns the messages that wait', async (t) => {
    const provider = await startProvider(t, () => 'silent');
    const { send, connector } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    const first = send({ id: 1 });
    await waitFor('the first request', () => provider.received.length === 1);
    const waiting = send({ id: 2 });
    await connector.stop(0);
    assert.deepEqual(await Promise.all([first, waiting]), [lost, { kind: 'again' }]);
    assert.equal(provider.received.length, 1);
  });

  test('a connector that has time to stop sends the messages that wait', async (t) => {
    const provider = await startProvider(t, acceptAll);
    const { send, connector } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    const outcome = send({ id: 1 });
    await connector.stop(10_000);
    assert.deepEqual(await outcome, accepted(1));
  });
});

describe('requests that fail as a whole', () => {
  test('one message that makes the provider refuse a batch does not spoil it', async (t) => {
    const taken: string[] = [];
    const provider = await startProvider(t, (request) => {
      const list = listOf(request);
      if (list.some(({ text }) => text === 'forbidden')) return { status: 400, body: { code: 'TEXT' } };
      taken.push(...list.map(({ ref }) => ref));
      return acceptAll(request);
    });
    const { send } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    const outcomes = await Promise.all(
      ids(20).map((id) => send({ id, payload: id === 7 ? 'forbidden' : 'Hello' })),
    );
    assert.deepEqual(
      outcomes,
      ids(20).map((id) =>
        id === 7 ? { kind: 'refused', status: status.rejected, code: 'TEXT' } : accepted(id),
      ),
    );
    // Nothing was sent twice.
    assert.equal(taken.length, 19);
    assert.equal(new Set(taken).size, 19);
  });

  test('a request that is too large is divided', async (t) => {
    const provider = await startProvider(t, (request) =>
      listOf(request).length > 3 ? { status: 413 } : acceptAll(request),
    );
    const { send } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    assert.deepEqual(await Promise.all(ids(10).map((id) => send({ id }))), ids(10).map(accepted));
  });

  const whole: [string, Reply, object][] = [
    ['a throttled request returns all messages', { status: 429 }, { kind: 'again' }],
    ['a temporary failure is retried later', { status: 503 }, { kind: 'retry', code: 'HTTP_503' }],
    ['the connection ends after the request', 'cut', lost],
    ['the connection ends in the answer', { head: 200 }, lost],
    ['a gateway answers', { status: 502, body: '<html>' }, lost],
    ['the answer has no results', { status: 200, body: { results: [] } }, lost],
    ['the answer does not come in time', 'silent', lost],
  ];
  for (const [title, reply, expected] of whole) {
    test(title, async (t) => {
      const provider = await startProvider(t, () => reply);
      const timeoutMs = reply === 'silent' ? 1_000 : 30_000;
      const settings = settingsOf({ description: batchAt(provider.origin), timeoutMs });
      const { send, connector } = startConnector(t, settings);
      assert.deepEqual(await Promise.all(ids(3).map((id) => send({ id }))), [expected, expected, expected]);
      assert.equal(provider.received.length, 1);
      assert.equal(connector.up, true);
    });
  }

  test('lost answers of a provider that recognizes ids are sent again', async (t) => {
    const provider = await startProvider(t, () => 'cut');
    const description = batchAt(provider.origin, { repeatable: true });
    const { send } = startConnector(t, settingsOf({ description }));
    for (const outcome of await Promise.all(ids(2).map((id) => send({ id })))) {
      assert.equal(outcome.kind, 'unknown');
      assert.equal('isLast' in outcome, false);
    }
  });

  test('a refused account takes the connector down for a second, however many messages', async (t) => {
    const provider = await startProvider(t, (request, count) =>
      count === 1 ? { status: 401, body: { code: 'key' } } : acceptAll(request),
    );
    const { send, connector } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    const outcomes = await Promise.all(ids(30).map((id) => send({ id })));
    assert.ok(outcomes.every(({ kind }) => kind === 'again'));
    assert.deepEqual(connector.fault, { reason: 'access', detail: 'key' });
    assert.equal(connector.capacity(), 0);
    // A pause for each message, twice as long as the one before, would end at the maximum of 30 seconds.
    await waitFor('the connector is up again', () => connector.up, 20_000);
    // One message tests the provider.
    assert.equal(connector.capacity(), 1);
    assert.deepEqual(await send({ id: 99 }), accepted(99));
    assert.equal(connector.fault, undefined);
  });

  test('without a connection nothing was sent', async (t) => {
    const provider = await startProvider(t, acceptAll);
    await provider.close();
    const { send, connector } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    const outcomes = await Promise.all(ids(3).map((id) => send({ id })));
    assert.ok(outcomes.every(({ kind }) => kind === 'again'));
    assert.equal(connector.fault?.reason, 'refused');
    assert.equal(connector.up, false);
  });

  test('an exhausted balance takes the connector down, and accepted messages of the batch stay accepted', async (t) => {
    const provider = await startProvider(t, (request) =>
      answer(
        listOf(request).map((one) =>
          one.ref === '2' ? { ref: '2', state: 'credit', code: 'NO_CREDIT' } : accept(one),
        ),
      ),
    );
    const { send, connector } = startConnector(t, settingsOf({ description: batchAt(provider.origin) }));
    const outcomes = await Promise.all(ids(3).map((id) => send({ id })));
    assert.deepEqual(outcomes, [accepted(1), { kind: 'again' }, accepted(3)]);
    assert.deepEqual(connector.fault, { reason: 'rejected', detail: 'NO_CREDIT' });
    assert.equal(connector.up, false);
  });
});

describe('descriptions', () => {
  const description = batchAt('https://api.example');
  const { send, answer: ofAnswer } = description;
  const problemOf = (input: object) => {
    const { error } = httpCarrierSettings.safeParse({
      name: 'one',
      description: { ...description, ...input },
    });
    const issue = error?.issues[0];
    return issue ? `${issue.path.join('.')}: ${issue.message}` : 'valid';
  };

  test('problems name the field', () => {
    const listAt = (list: string, more: object = {}) => ({
      send: { ...send, ...more, batch: { list, max: 10 } },
    });
    const outside = /^description\.send\.batch\.list: \{id\} is of one message, and outside of this list/;
    const cases: [object, RegExp][] = [
      [listAt('/other'), /^description\.send\.batch\.list: must be a list of the body with one object/],
      [listAt('/account'), /^description\.send\.batch\.list: must be a list/],
      [listAt('list'), /^description\.send\.batch\.list: must be a JSON Pointer/],
      [
        listAt('/list', { body: { json: { list: ['{text}'] } } }),
        /must be a list of the body with one object/,
      ],
      [listAt('/list', { body: { json: { list: [{}, {}] } } }), /must be a list of the body with one object/],
      [
        listAt('/list', { body: { form: { list: '{text}' } } }),
        /^description\.send\.batch\.list: needs a JSON/,
      ],
      [listAt('/list', { headers: { 'idempotency-key': '{id}' } }), outside],
      [listAt('/list', { query: { id: '{id}' } }), outside],
      [listAt('/list', { url: 'https://api.example/{id}' }), outside],
      [listAt('/list', { body: { json: { key: ['{id}'], list: [{ text: '{text}' }] } } }), outside],
      [
        listAt('/list', { url: 'https://api.example/{phone}' }),
        /^description\.send\.url: unknown placeholder/,
      ],
      [{ send: { ...send, batch: { list: '/list', max: 501 } } }, /^description\.send\.batch\.max/],
      [
        { send: { ...send, batch: { list: '/list', max: 2, wait: 1_001 } } },
        /^description\.send\.batch\.wait/,
      ],
      [{ send: { ...send, batch: { list: '/list', max: 1 } } }, /^description\.send\.batch\.max/],
      [{ send: { ...send, batch: undefined } }, /^description\.answer\.items: is only for send\.batch/],
      [
        { answer: { ...ofAnswer, id: '/id' } },
        /^description\.answer\.id: is of one message; with send\.batch it belongs to items/,
      ],
      [
        { answer: { ...ofAnswer, rules: [{ when: { status: 200 }, then: 'accepted' }] } },
        /^description\.answer\.rules\.0\.then: only results can be accepted/,
      ],
      [
        { answer: { ...ofAnswer, items: { ...items, ref: 're2:id=(\\w+)' } } },
        /^description: re2: reads the whole body/,
      ],
      [{ answer: { ...ofAnswer, items: { ...items, rules: [] } } }, /^description\.answer\.items\.rules/],
    ];
    assert.equal(problemOf({}), 'valid');
    // The address of reports is the same for all messages; it needs the secret of its path.
    const withOrigin = listAt('/list', { query: { callback: '{origin}' } });
    assert.match(problemOf(withOrigin), /^pathSecret: is missing/);
    for (const [input, expected] of cases) assert.match(problemOf(input), expected);
  });
});
