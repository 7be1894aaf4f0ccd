import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { CarrierIncoming, CarrierReceipt } from '../../../server/engine/carriers/carrier.ts';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import type { HttpDescriptionInput } from '../../../server/protocols/http-carrier/description.ts';
import { httpCarrierSettings } from '../../../server/protocols/http-carrier/settings.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  formOf,
  jsonOf,
  memoryCursors,
  type Received,
  type Reply,
  settingsOf,
  simple,
  startConnector,
  startProvider,
} from './support.ts';

type Polls = NonNullable<HttpDescriptionInput['poll']>;

const reports = {
  each: '/items/*',
  id: '/id',
  status: '/state',
  states: { OK: 'delivered', NO: 'undelivered' },
} as const;
const incoming = { each: '/messages/*', from: '/from', to: '/to', text: '/text' };

const polledAt = (origin: string, poll: Polls): HttpDescriptionInput =>
  simple(origin, { reports, incoming, poll });
const items = (ids: readonly string[], more: object = {}): Reply => ({
  status: 200,
  body: { items: ids.map((id) => ({ id, state: 'OK' })), ...more },
});
const nothing = items([]);

/** Starts a connector that polls, and collects what it stores. */
function startPolling(
  t: TestContext,
  description: HttpDescriptionInput,
  { cursors = memoryCursors(), secrets = {}, store = async () => {} } = {} as {
    cursors?: ReturnType<typeof memoryCursors>;
    secrets?: Record<string, string>;
    store?: (receipt: CarrierReceipt) => Promise<void>;
  },
) {
  const receipts: CarrierReceipt[] = [];
  const messages: CarrierIncoming[] = [];
  const { connector } = startConnector(t, settingsOf({ description, secrets, timeoutMs: 5_000 }), {
    cursors,
    listener: {
      receipt: async (receipt) => {
        await store(receipt);
        receipts.push(receipt);
      },
      incoming: async (message) => void messages.push(message),
    },
  });
  return { connector, cursors, receipts, messages };
}

/** The requests to a path. */
const to = (provider: { readonly received: readonly Received[] }, path: string) =>
  provider.received.filter((request) => request.path === path);

async function polled(result: string): Promise<number> {
  const { values } = (await metrics.getSingleMetric('carillon_http_carrier_polls_total')!.get()) as {
    values: { labels: { result?: string }; value: number }[];
  };
  return values.reduce((sum, { labels, value }) => sum + (labels.result === result ? value : 0), 0);
}

describe('polls', () => {
  test('reports and incoming messages are read with the authentication of the provider', async (t) => {
    const provider = await startProvider(t, ({ path }) =>
      path === '/inbox'
        ? { status: 200, body: { messages: [{ from: '+972501234567', to: '97237654321', text: 'Hi' }] } }
        : items(['p1', 'p2']),
    );
    const description = polledAt(provider.origin, {
      reports: { url: `${provider.origin}/reports`, query: { key: '{secret.key}' } },
      incoming: { url: `${provider.origin}/inbox`, method: 'POST', body: { form: { limit: '100' } } },
    });
    const { receipts, messages } = startPolling(
      t,
      { ...description, send: { ...description.send, auth: { bearer: '{secret.token}' } } },
      { secrets: { key: 'k3y', token: 't0ken' } },
    );
    await waitFor('all is stored', () => receipts.length === 2 && messages.length === 1);
    assert.deepEqual(
      receipts.map(({ carrierId, status, code }) => [carrierId, status, code]),
      [
        ['p1', 102, 'OK'],
        ['p2', 102, 'OK'],
      ],
    );
    assert.deepEqual(messages, [{ from: '972501234567', to: '97237654321', text: 'Hi' }]);
    const [poll] = to(provider, '/reports');
    assert.deepEqual(
      [poll!.method, poll!.query.get('key'), poll!.headers.authorization],
      ['GET', 'k3y', 'Bearer t0ken'],
    );
    const [inbox] = to(provider, '/inbox');
    assert.deepEqual([inbox!.method, formOf(inbox!)], ['POST', { limit: '100' }]);
  });

  test('the next poll has the cursor, and follows soon while there is more', async (t) => {
    const pages: Record<string, Reply> = {
      '0': items(['p1'], { next: 'c1' }),
      c1: items(['p2'], { next: 'c2' }),
      c2: nothing,
    };
    const provider = await startProvider(t, ({ query }) => pages[query.get('after')!]!);
    const url = `${provider.origin}/reports`;
    const description = polledAt(provider.origin, {
      reports: { url, query: { after: '{cursor}' }, cursor: { at: '/next', first: '0' } },
    });
    const { receipts, cursors } = startPolling(t, description);
    await waitFor('the last page is read', () => provider.received.length === 3);
    assert.deepEqual(
      receipts.map(({ carrierId }) => carrierId),
      ['p1', 'p2'],
    );
    // An answer without a cursor leaves it.
    assert.deepEqual([...cursors.values], [[`test reports ${url}`, 'c2']]);
  });

  test('a restarted connector continues after the stored cursor', async (t) => {
    const provider = await startProvider(t, () => nothing);
    const url = `${provider.origin}/reports`;
    const description = polledAt(provider.origin, {
      reports: { url, query: { after: '{cursor}' }, cursor: { at: '/next' } },
    });
    const cursors = memoryCursors();
    const first = startPolling(t, description, { cursors });
    await waitFor('the first poll', () => provider.received.length === 1);
    // Without a value, the parameter is left out.
    assert.equal(provider.received[0]!.query.has('after'), false);
    await first.connector.stop(0);
    cursors.values.set(`test reports ${url}`, 'c7');
    cursors.values.set('test reports https://other.example', 'c9');
    startPolling(t, description, { cursors });
    await waitFor('the second poll', () => provider.received.length === 2);
    assert.equal(provider.received[1]!.query.get('after'), 'c7');
  });

  test('the cursor moves and items are acknowledged only after they are stored', async (t) => {
    let isStored = false;
    const provider = await startProvider(t, ({ path, query }) => {
      if (path === '/ack') return { status: 204 };
      return query.get('after') === 'c1' ? nothing : items(['p1', 'p2'], { next: 'c1' });
    });
    const description = polledAt(provider.origin, {
      reports: {
        url: `${provider.origin}/reports`,
        query: { after: '{cursor}' },
        cursor: { at: '/next', first: '0' },
        acknowledge: {
          url: `${provider.origin}/ack`,
          ids: '/items/*/id',
          body: { json: { ids: '{ids}', text: 'of {ids}', upTo: '{cursor}' } },
        },
        every: 5,
      },
    });
    const { receipts, cursors } = startPolling(t, description, {
      store: async () => {
        if (!isStored) throw new Error('no database');
      },
    });
    const failures = await polled('failed');
    await waitFor('a poll that was not stored', async () => (await polled('failed')) > failures);
    assert.equal(cursors.values.size, 0);
    assert.equal(to(provider, '/ack').length, 0);
    isStored = true;
    await waitFor('the items are acknowledged', () => to(provider, '/ack').length === 1);
    assert.equal(receipts.length, 2);
    assert.deepEqual([...cursors.values.values()], ['c1']);
    assert.deepEqual(jsonOf(to(provider, '/ack')[0]!), {
      ids: ['p1', 'p2'],
      text: 'of p1,p2',
      upTo: 'c1',
    });
    // It is asked again with the cursor, and nothing is acknowledged twice.
    await waitFor('the next poll', () => to(provider, '/reports').at(-1)!.query.get('after') === 'c1');
    assert.equal(to(provider, '/ack').length, 1);
  });

  test('items whose acknowledgement fails come again', async (t) => {
    const provider = await startProvider(t, ({ path }) =>
      path === '/ack' ? { status: 500 } : items(['p1']),
    );
    const description = polledAt(provider.origin, {
      reports: {
        url: `${provider.origin}/reports`,
        acknowledge: { url: `${provider.origin}/ack`, ids: '/items/*/id', query: { id: '{ids}' } },
        every: 5,
      },
    });
    const { receipts } = startPolling(t, description);
    await waitFor('a second poll', () => to(provider, '/reports').length === 2);
    await waitFor('it is stored again', () => receipts.length === 2);
    assert.equal(to(provider, '/ack')[0]!.query.get('id'), 'p1');
  });
});

describe('polls that fail', () => {
  const lost: [string, Reply, string?][] = [
    ['an error', { status: 500 }],
    ['a refused key', { status: 401 }],
    ['a redirection', { status: 302, headers: { location: 'https://elsewhere.example/' } }],
    ['a broken connection', 'cut'],
    ['a broken answer', { head: 200 }],
    ['an answer over the limit', { status: 200, body: { items: [], more: 'x'.repeat(300_000) } }],
  ];
  for (const [title, reply] of lost) {
    test(`${title} is counted, and messages are still sent`, async (t) => {
      const provider = await startProvider(t, ({ path }) =>
        path === '/send' ? { status: 200, body: { id: 'm1' } } : reply,
      );
      const description = polledAt(provider.origin, {
        reports: { url: `${provider.origin}/reports`, query: { c: '{cursor}' }, cursor: { at: '/next' } },
      });
      const failures = await polled('failed');
      const cursors = memoryCursors();
      const { connector, send } = startConnector(t, settingsOf({ description }), { cursors });
      await waitFor('a failed poll', async () => (await polled('failed')) > failures);
      assert.equal(connector.up, true);
      assert.equal(connector.fault, undefined);
      assert.equal((await send()).kind, 'accepted');
      assert.equal(cursors.values.size, 0);
      assert.equal(to(provider, '/reports').length, 1);
    });
  }

  test('an unreadable answer has no items', async (t) => {
    const provider = await startProvider(t, () => ({ status: 200, body: '<html>' }));
    const empty = await polled('empty');
    const { receipts } = startPolling(
      t,
      polledAt(provider.origin, { reports: { url: `${provider.origin}/reports` } }),
    );
    await waitFor('a poll', async () => (await polled('empty')) > empty);
    assert.equal(receipts.length, 0);
  });

  test('a connector that stops ends a poll under way, and polls no more', async (t) => {
    const provider = await startProvider(t, () => 'silent');
    const { connector, cursors } = startPolling(
      t,
      polledAt(provider.origin, { reports: { url: `${provider.origin}/reports`, every: 5 } }),
    );
    await waitFor('a poll', () => provider.received.length === 1);
    const failures = await polled('failed');
    await connector.stop(0);
    assert.equal(cursors.values.size, 0);
    assert.equal(await polled('failed'), failures);
    assert.equal(provider.received.length, 1);
  });
});

describe('descriptions', () => {
  const url = 'https://api.example/reports';
  const problemOf = (poll: object, more: object = {}) => {
    const description = { ...simple('https://api.example', { reports, incoming }), poll, ...more };
    const { error } = httpCarrierSettings.safeParse({ name: 'one', description });
    const issue = error?.issues[0];
    return issue ? `${issue.path.join('.')}: ${issue.message}` : 'valid';
  };

  test('problems name the field', () => {
    const at = '^description\\.poll\\.reports';
    const cases: [object, string][] = [
      [{ url: 'ftp://api.example' }, '^description\\.poll: must be an address'],
      [{ url, every: 4 }, `${at}\\.every`],
      [{ url, every: 3_601 }, `${at}\\.every`],
      [{ url, query: { to: '{to.plus}' } }, `${at}\\.query\\.to: \\{to\\.plus\\} is of a message`],
      [{ url, body: { json: { a: ['{text}'] } } }, `${at}\\.body`],
      [{ url, query: { c: '{cursor}' } }, `${at}\\.cursor: is missing`],
      [{ url, cursor: { at: '/next' } }, `${at}\\.cursor: is not used`],
      [{ url, cursor: { at: 'next' }, query: { c: '{cursor}' } }, `${at}\\.cursor\\.at: .*locator`],
      [{ url, query: { i: '{ids}' } }, `${at}\\.url: \\{ids\\} is only for acknowledge`],
      [{ url, acknowledge: { url: `${url}/{ids}` } }, `${at}\\.acknowledge\\.ids: is missing`],
      [{ url, acknowledge: { url, ids: '/id' } }, `${at}\\.acknowledge\\.ids: is not used`],
      [
        { url, acknowledge: { url: '{origin}/x' } },
        `${at}\\.acknowledge\\.url: \\{origin\\} is of a message`,
      ],
      [{ url: 'https://{secret.host}/x' }, '^secrets\\.host: is missing'],
    ];
    assert.equal(problemOf({ reports: { url } }), 'valid');
    for (const [input, expected] of cases) assert.match(problemOf({ reports: input }), new RegExp(expected));
    assert.match(
      problemOf({ reports: { url } }, { reports: undefined }),
      /^description\.reports: is missing/,
    );
    const send = { url: 'https://api.example', query: { c: '{cursor}' } };
    assert.match(
      problemOf({ reports: { url } }, { send }),
      /^description\.send\.query\.c: \{cursor\} is only/,
    );
  });
});
