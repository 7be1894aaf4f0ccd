import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { HttpLookUp } from '../../../server/protocols/http-carrier/look-up.ts';
import { namedLookUp, readyLookUps } from '../../../server/protocols/http-carrier/look-up-description.ts';
import { lookUpSettings } from '../../../server/protocols/http-carrier/look-up-settings.ts';
import { waitFor } from '../../support/wait-for.ts';
import { jsonOf, type Received, type Reply, startProvider } from './support.ts';

/* Look-ups of networks, against servers that follow the references of their providers. */

const PHONE = '447790606023';

/** A small description of a JSON interface. */
const simple = (origin: string, more: object = {}) => ({
  send: { method: 'GET', url: `${origin}/numbers/{to.digits}`, headers: { 'x-key': '{secret.key}' } },
  answer: {
    rules: [
      { when: { status: 200, at: '/network' }, then: 'found' },
      { when: { status: 404 }, then: 'unknown' },
      { when: { status: 429 }, then: 'throttled' },
      { when: { status: 401 }, then: 'again', fault: 'access' },
      { when: { status: 503 }, then: 'again' },
    ],
    network: '/network',
    ported: { at: '/ported', is: true },
    reachable: { at: '/state', in: ['on', 'roaming'] },
    validSeconds: '/ttl',
    ...more,
  },
});

function lookUpOf(t: TestContext, description: unknown, more: object = {}) {
  const settings = lookUpSettings.parse({
    description,
    secrets: { key: 'key of tests' },
    timeoutMs: 1_000,
    ...more,
  });
  const lookUp = new HttpLookUp(settings, {
    clock: new AdjustableClock(),
    log: createLogger('silent'),
    allowPrivate: true,
  });
  t.after(() => lookUp.stop(0));
  return lookUp;
}

async function lookUpAt(
  t: TestContext,
  reply: (request: Received, count: number) => Reply,
  more: object = {},
) {
  const server = await startProvider(t, reply);
  return { server, lookUp: lookUpOf(t, simple(server.origin, more)) };
}

test('the network, whether the number was ported, and the validity are read', async (t) => {
  const body = { network: '425-02', ported: false, state: 'off', ttl: 3_600 };
  const { server, lookUp } = await lookUpAt(t, () => ({ status: 200, body }));
  assert.deepEqual(await lookUp.find(PHONE), {
    ...{ kind: 'found', network: { mcc: '425', mnc: '02' } },
    ...{ ported: false, reachable: false, validMs: 3_600_000 },
  });
  assert.equal(server.received[0]!.path, `/numbers/${PHONE}`);
  assert.equal(server.received[0]!.headers['x-key'], 'key of tests');
});

test('networks are written in one text or in two, with or without zeros', async (t) => {
  let body: object = {};
  const { lookUp } = await lookUpAt(t, () => ({ status: 200, body: { network: 'yes', ...body } }), {
    ...{ network: undefined, mcc: '/mcc', mnc: '/mnc' },
  });
  const networkOf = async (given: object) => {
    body = given;
    const result = await lookUp.find(PHONE);
    return result.kind === 'found' ? result.network : result.kind;
  };
  assert.deepEqual(await networkOf({ mcc: 226, mnc: 3 }), { mcc: '226', mnc: '03' });
  assert.deepEqual(await networkOf({ mcc: '310', mnc: '260' }), { mcc: '310', mnc: '260' });
  assert.equal(await networkOf({ mcc: '310' }), null);
  assert.equal(await networkOf({ mcc: 'x', mnc: 'y' }), null);
  const whole = await lookUpAt(t, () => ({ status: 200, body: { network: 42501 } }));
  const found = await whole.lookUp.find(PHONE);
  assert.deepEqual(found, {
    ...{
      kind: 'found',
      network: { mcc: '425', mnc: '01' },
      ported: null,
      reachable: null,
      validMs: undefined,
    },
  });
});

test('a number without a network is unknown', async (t) => {
  const { lookUp } = await lookUpAt(t, () => ({ status: 404 }));
  assert.deepEqual(await lookUp.find(PHONE), { kind: 'unknown' });
  assert.equal(lookUp.fault, undefined);
});

for (const [reply, reason] of [
  [{ status: 401 }, 'access'],
  [{ status: 429 }, 'rejected'],
] as const) {
  test(`after ${reply.status} nothing is looked up for a while, then one request tests the provider`, async (t) => {
    let isWell = false;
    const answer = { status: 200, body: { network: '42501' } };
    const { server, lookUp } = await lookUpAt(t, () => (isWell ? answer : reply));
    const failed = await lookUp.find(PHONE);
    assert.equal(failed.kind === 'failed' && failed.fault?.reason, reason);
    assert.equal(lookUp.fault?.reason, reason);
    assert.equal(lookUp.isReady, false);
    assert.deepEqual(await lookUp.find(PHONE), { kind: 'failed' });
    assert.equal(server.received.length, 1);
    isWell = true;
    await waitFor('the pause is over', () => lookUp.isReady);
    const [one, ...others] = await Promise.all([PHONE, '1', '2'].map((phone) => lookUp.find(phone)));
    assert.deepEqual([one!.kind, others.map(({ kind }) => kind)], ['found', ['failed', 'failed']]);
    assert.equal(server.received.length, 2);
    assert.equal((await lookUp.find(PHONE)).kind, 'found');
  });
}

test('a provider asks for a longer pause', async (t) => {
  const { lookUp } = await lookUpAt(t, () => ({ status: 429, headers: { 'retry-after': '3600' } }));
  await lookUp.find(PHONE);
  assert.equal(lookUp.fault?.reason, 'rejected');
});

test('single failures do not stop it, several in a row do', async (t) => {
  const { server, lookUp } = await lookUpAt(t, () => ({ status: 503 }));
  for (let count = 1; count <= 4; count++) {
    assert.equal((await lookUp.find(PHONE)).kind, 'failed');
    assert.equal(lookUp.isReady, true, `after ${count}`);
  }
  await lookUp.find(PHONE);
  assert.equal(lookUp.isReady, false);
  assert.equal(server.received.length, 5);
});

test('silence, a broken connection and an unreadable answer are failures', async (t) => {
  for (const reply of ['silent', 'cut', { head: 200 }, { status: 200, body: 'no JSON' }] as const) {
    const server = await startProvider(t, () => reply);
    const lookUp = lookUpOf(t, simple(server.origin), { timeoutMs: 300 });
    const result = await lookUp.find(PHONE);
    assert.equal(result.kind, 'failed', JSON.stringify(reply));
  }
});

test('a look-up in a private network needs permission', async (t) => {
  const server = await startProvider(t, () => ({ status: 200, body: { network: '42501' } }));
  const settings = lookUpSettings.parse({ description: simple(server.origin), secrets: { key: 'x' } });
  const lookUp = new HttpLookUp(settings, {
    clock: new AdjustableClock(),
    log: createLogger('silent'),
    allowPrivate: false,
  });
  t.after(() => lookUp.stop(0));
  assert.equal((await lookUp.find(PHONE)).kind, 'failed');
  assert.equal(server.received.length, 0);
});

test('settings with a fault are refused with the path of the field', () => {
  const problem = (given: object) => {
    const { error } = lookUpSettings.safeParse({ secrets: { key: 'x' }, ...given });
    return error && `${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`;
  };
  const good = simple('https://one.example');
  assert.equal(problem({ description: good }), undefined);
  assert.equal(problem({ description: good, secrets: {} }), 'secrets.key: is missing');
  assert.equal(
    problem({ description: good, secrets: { key: 'x', other: 'y' } }),
    'secrets.other: is not used by the description',
  );
  assert.match(problem({ description: 'nobody' })!, /^description: no description has this name/);
  const text = { ...good, send: { ...good.send, url: 'https://one.example/{text}' } };
  assert.match(problem({ description: text })!, /^description: \{text\} is of a message/);
  const { network: _, ...without } = good.answer;
  assert.match(
    problem({ description: { ...good, answer: without } })!,
    /^description.answer.network: give either/,
  );
  const both = { ...good.answer, mcc: '/mcc', mnc: '/mnc' };
  assert.match(
    problem({ description: { ...good, answer: both } })!,
    /^description.answer.network: give either/,
  );
  const faulty = { ...good.answer, rules: [{ when: { status: 200 }, then: 'found', fault: 'access' }] };
  assert.match(problem({ description: { ...good, answer: faulty } })!, /^description.answer.rules.0.fault: /);
  assert.match(problem({ description: good, prefixes: ['x'] })!, /^prefixes.0: must be digits/);
});

/** Answers of a provider in the words of its reference, and what they mean. */
interface Case {
  readonly secrets: Readonly<Record<string, string>>;
  readonly request: (request: Received) => unknown;
  readonly expected: unknown;
  readonly answers: readonly (readonly [reply: Reply, meaning: unknown])[];
}

const hlrLookup = (result: object): Reply => ({ status: 200, body: { body: { results: [result] } } });

const cases: Readonly<Record<string, Case>> = {
  twilio: {
    secrets: { account: 'AC1', token: 'token' },
    request: ({ method, path, query, headers }) => [
      ...[method, decodeURIComponent(path), query.get('Fields')],
      Buffer.from(headers.authorization!.slice('Basic '.length), 'base64').toString(),
    ],
    expected: ['GET', `/v2/PhoneNumbers/+${PHONE}`, 'line_type_intelligence', 'AC1:token'],
    answers: [
      [
        {
          status: 200,
          body: {
            valid: true,
            line_type_intelligence: {
              error_code: null,
              ...{ mobile_country_code: '234', mobile_network_code: '33', type: 'mobile' },
            },
          },
        },
        '234-33 ported null reachable null',
      ],
      [
        {
          status: 200,
          body: { valid: true, line_type_intelligence: { type: 'landline', mobile_network_code: null } },
        },
        'unknown',
      ],
      [{ status: 200, body: { valid: false, validation_errors: ['TOO_SHORT'] } }, 'unknown'],
      [{ status: 401, body: { code: 20003 } }, 'access'],
      [{ status: 429, body: { code: 20429 } }, 'rejected'],
    ],
  },
  hlrlookup: {
    secrets: { key: 'key', secret: 'secret' },
    request: (request) => jsonOf(request),
    expected: { api_key: 'key', api_secret: 'secret', requests: [{ telephone_number: PHONE }] },
    answers: [
      [
        hlrLookup({
          ...{ error: 'NONE', live_status: 'LIVE', is_ported: 'YES', current_network: 'AVAILABLE' },
          current_network_details: { mccmnc: '23438', name: 'Virgin Mobile' },
        }),
        '234-38 ported true reachable true',
      ],
      [
        hlrLookup({
          ...{ error: 'NONE', live_status: 'DEAD', is_ported: 'NO' },
          current_network_details: { mccmnc: '23433' },
        }),
        '234-33 ported false reachable false',
      ],
      [hlrLookup({ error: 'NONE', live_status: 'NO_COVERAGE' }), 'unknown'],
      [hlrLookup({ error: 'INTERNAL_ERROR' }), 'other'],
      [{ status: 401 }, 'access'],
    ],
  },
  budgetsms: {
    secrets: { username: 'user1', userid: '21547', handle: '1e753da74' },
    request: ({ query }) => Object.fromEntries(query),
    expected: { username: 'user1', userid: '21547', handle: '1e753da74', to: PHONE },
    answers: [
      [{ status: 200, body: 'OK 204 08 0.0450' }, '204-08 ported null reachable null'],
      [{ status: 200, body: 'ERR 3001' }, 'unknown'],
      [{ status: 200, body: 'ERR 1002' }, 'access'],
      [{ status: 200, body: 'ERR 4003' }, 'other'],
    ],
  },
};

test('every ready look-up has a server', () => {
  assert.deepEqual(Object.keys(cases).sort(), [...readyLookUps].sort());
});

for (const [name, { secrets, request, expected, answers }] of Object.entries(cases)) {
  describe(name, () => {
    for (const [reply, meaning] of answers) {
      test(`answers ${meaning}`, async (t) => {
        const server = await startProvider(t, () => reply);
        const ready = namedLookUp.parse(name);
        const url = ready.send.url.replace(/^https:\/\/[^/]+/, server.origin);
        const lookUp = lookUpOf(t, { ...ready, send: { ...ready.send, url } }, { secrets });
        const result = await lookUp.find(PHONE);
        const shown =
          result.kind === 'found'
            ? `${result.network?.mcc}-${result.network?.mnc} ported ${result.ported} reachable ${result.reachable}`
            : result.kind === 'failed'
              ? result.fault?.reason
              : result.kind;
        assert.equal(shown, meaning);
        assert.deepEqual(request(server.received[0]!), expected);
      });
    }
  });
}
