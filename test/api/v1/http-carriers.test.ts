import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { readyDescription, readyNames } from '../../../server/protocols/http-carrier/providers.ts';
import { startTestService } from '../../support/service.ts';
import { asPerson, withToken } from './calls.ts';

/* Descriptions of HTTP interfaces are tried without sending. */

interface Shown {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly name: string; readonly value: string }[];
  readonly body: string | null;
}
interface Preview {
  readonly request: Shown;
  readonly polls: (Shown & { readonly kind: string })[];
  readonly verdict: { readonly outcome: string; readonly ids: string[]; readonly code: string | null } | null;
  readonly results: { readonly ref: string | null; readonly outcome: string; readonly code: string | null }[];
  readonly notice: {
    readonly reports: { carrier_id: string; status: number; code: string; is_refunded: boolean }[];
    readonly incoming: { from: string; to: string; text: string }[];
    readonly unreadable: number;
  } | null;
}

const service = await startTestService();
const operator = await asPerson(service, 'operator');
const PATH = '/operator/http-carriers/try';
const preview = (body: object) => operator.post<Preview>(PATH, body);

const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const SECRET = 'a/b+c "<secret>"&é';
const everywhere = {
  send: {
    url: 'https://{secret.host}/{secret.key}/send',
    query: { q: '{secret.key}' },
    headers: { 'x-key': '{secret.ascii}' },
    auth: { basic: ['{secret.key}', '{secret.ascii}'] },
    body: { json: { key: '{secret.key}', text: '{text}', back: '{origin}/reports' } },
  },
  answer: {
    rules: [
      { when: { status: 200, at: '/id' }, then: 'accepted' },
      { when: { status: 429 }, then: 'throttled' },
    ],
    id: '/id',
  },
  reports: { each: '/*', id: '/id', status: '/status', states: { OK: 'delivered' }, code: '/code' },
  incoming: { from: '/from', to: '/to', text: '/text' },
};
const secrets = { host: 'tenant-7.example', key: SECRET, ascii: 'ascii-secret' };

test('every ready description is listed with its secrets, and makes a request', async () => {
  const { http_carriers: ready } = await operator.get<{
    http_carriers: { name: string; title: string; secret_names: string[] }[];
  }>('/operator/http-carriers');
  assert.deepEqual(
    ready.map(({ name }) => name),
    readyNames,
  );
  // A value of any other form is refused.
  const values: Readonly<Record<string, string>> = { host: 'api.example', privateKey: PRIVATE_KEY };
  for (const { name, secret_names: names } of ready) {
    const given = Object.fromEntries(names.map((one) => [one, values[one] ?? `value-of-${one}`]));
    const { request } = await preview({ description: name, secrets: given });
    assert.match(request.url, /^https:\/\//, name);
    assert.ok(JSON.stringify(request).includes('***'), name);
    assert.doesNotMatch(JSON.stringify(request), /value-of-|api\.example|PRIVATE KEY/, name);
    assert.deepEqual((await preview({ description: name })).request, request, name);
  }
});

test('a call is previewed with its words, and its report is read as a call', async () => {
  const body = { description: 'twilio-calls', from: '+97237654321', text: 'הקוד 4829' };
  const request = { kind: 'reports', body: 'CallSid=CA1&CallStatus=busy' };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const read = await preview({ ...body, request: { ...request, headers } });
  const form = new URLSearchParams(read.request.body!);
  assert.equal(form.get('From'), '+97237654321');
  assert.equal(
    form.get('Twiml'),
    '<Response><Say voice="Google.he-IL-Standard-A" loop="2">הקוד ארבע, שמונה, שתיים, תשע</Say></Response>',
  );
  assert.deepEqual(
    read.notice?.reports.map(({ status, code, is_refunded }) => [status, code, is_refunded]),
    [[101, 'BUSY/busy', true]],
  );
  const english = { ...(readyDescription('twilio-calls') as object), languages: { en: 'en-US' } };
  const [code, field] = await operator.refused('POST', PATH, { ...body, description: english });
  assert.deepEqual([code, field], ['bad-field', 'text']);
});

test('a preview masks secrets in the host, in paths, escaped and encoded', async () => {
  const { request } = await preview({ description: everywhere, secrets, text: 'Hi & bye' });
  assert.equal(request.method, 'POST');
  assert.equal(request.url, 'https://***/***/send?q=***');
  assert.deepEqual(
    request.headers.map(({ name, value }) => [name, value]),
    [
      ['x-key', '***'],
      ['authorization', 'Basic ***'],
      ['content-type', 'application/json'],
    ],
  );
  const body = JSON.parse(request.body!);
  assert.deepEqual([body.key, body.text], ['***', 'Hi & bye']);
  assert.match(body.back, /\/carrier-requests\/preview\/\*\*\*\/reports$/);
  const oauth = { url: 'https://auth.example/token', client: 'me', secret: '{secret.key}' };
  const description = { ...everywhere, send: { url: 'https://api.example/', auth: { oauth } } };
  const token = await preview({ description });
  assert.deepEqual(token.request.headers, [{ name: 'authorization', value: 'Bearer ***' }]);
});

test('a recorded answer gets its verdict, and a recorded request is read', async () => {
  const accepted = await preview({ description: everywhere, answer: { status: 200, body: '{"id":"m-1"}' } });
  assert.deepEqual([accepted.verdict?.outcome, accepted.verdict?.ids], ['accepted', ['m-1']]);
  const other = async (status: number) =>
    (await preview({ description: everywhere, answer: { status } })).verdict?.outcome;
  assert.equal(await other(429), 'throttled');
  assert.equal(await other(500), 'unknown');
  assert.equal(accepted.notice, null);

  const items = [{ id: 'm-1', status: 'ok' }, { id: 'm-2', status: 'new', code: 'E1' }, { status: 'OK' }];
  const read = await preview({
    description: everywhere,
    request: { kind: 'reports', body: JSON.stringify(items) },
  });
  assert.deepEqual(
    read.notice?.reports.map((one) => [one.carrier_id, one.status, one.code]),
    [
      ['m-1', 102, 'ok'],
      ['m-2', -1, 'new/E1'],
    ],
  );
  assert.equal(read.notice?.unreadable, 1);
  const message = { from: '+972501234567', to: '97237654321', text: 'When are you open?' };
  const incoming = await preview({
    description: everywhere,
    request: { kind: 'incoming', body: JSON.stringify(message) },
  });
  assert.deepEqual(incoming.notice?.incoming, [{ ...message, from: '972501234567' }]);
});

test('a batch is shown with two messages, and each result of a recorded answer gets its verdict', async () => {
  const messages = [
    { messageId: '1', status: { groupName: 'PENDING', name: 'PENDING_ACCEPTED' } },
    { messageId: '2', status: { groupName: 'REJECTED', name: 'REJECTED_SENDER' } },
    { messageId: '3' },
  ];
  const body = JSON.stringify({ messages });
  const read = await preview({ description: 'infobip', answer: { status: 200, body } });
  const list = JSON.parse(read.request.body!).messages as { destinations: { messageId: string }[] }[];
  assert.equal(new Set(list.map(({ destinations }) => destinations[0]!.messageId)).size, 2);
  assert.equal(read.verdict, null);
  assert.deepEqual(
    read.results.map(({ ref, outcome, code }) => [ref, outcome, code]),
    [
      ['1', 'accepted', null],
      ['2', 'refused', 'REJECTED_SENDER'],
      ['3', 'unknown', null],
    ],
  );
  const whole = await preview({ description: 'infobip', answer: { status: 429 } });
  assert.deepEqual([whole.verdict?.outcome, whole.results], ['throttled', []]);
});

test('signatures are shown masked, and a wrong key is refused', async () => {
  const signature = { scheme: 'hmac', secret: 'key', key: 'hex', signed: ['body'], header: 'x-signature' };
  const { auth: _auth, ...send } = everywhere.send;
  const description = { ...everywhere, send: { ...send, signature } };
  const { request } = await preview({ description, secrets: { ...secrets, key: '00ff' } });
  assert.deepEqual(request.headers.at(-1), { name: 'x-signature', value: '***' });
  const refused = await operator.refused('POST', PATH, { description, secrets: { ...secrets, key: 'xx' } });
  assert.deepEqual(refused.slice(0, 2), ['bad-field', 'secrets.key']);
});

test('polls are shown masked', async () => {
  const reports = {
    url: 'https://{secret.host}/reports',
    query: { key: '{secret.key}', after: '{cursor}' },
    cursor: { at: '/next', first: '0' },
  };
  const { polls } = await preview({ description: { ...everywhere, poll: { reports } }, secrets });
  assert.deepEqual(polls, [
    {
      ...{ kind: 'reports', method: 'GET', url: 'https://***/reports?key=***&after=0', body: null },
      headers: [{ name: 'authorization', value: 'Basic ***' }],
    },
  ]);
  assert.deepEqual((await preview({ description: everywhere })).polls, []);
});

test('a refusal names the field', async () => {
  const refused = async (body: object) => (await operator.refused('POST', PATH, body)).slice(0, 2);
  const rules = [{ when: { is: 'x' }, then: 'refused' }];
  assert.deepEqual(await refused({ description: { ...everywhere, answer: { rules } } }), [
    'bad-field',
    'description.answer.rules[0].when.at',
  ]);
  assert.deepEqual(await refused({}), ['bad-field', 'description']);
  assert.deepEqual(await refused({ description: everywhere, secrets: {} }), ['bad-field', 'secrets.host']);
  assert.deepEqual(await refused({ connector: 'none' }), ['bad-field', 'connector']);
  assert.deepEqual(await refused({ connector: 'none', description: 'twilio' }), ['bad-field', 'connector']);
  const description = { ...everywhere, send: { ...everywhere.send, headers: { 'x-text': '{text}' } } };
  assert.deepEqual(await refused({ description, text: 'a\nb' }), ['bad-field', 'description']);
});

test('an added connector is previewed by its name, by operators only', async () => {
  const http = { description: everywhere, secrets };
  await operator.post('/operator/connectors', { name: 'added', is_enabled: false, http });
  const { request } = await preview({ connector: 'added' });
  assert.equal(request.url, 'https://***/***/send?q=***');
  assert.match(request.body!, /carrier-requests\/added\/\*\*\*\/reports/);
  const account = await service.addAccount({ username: 'owned' });
  const owner = await asPerson(service, 'owner', account.id);
  for (const caller of [owner, withToken(service.url, account.token)])
    assert.deepEqual(await caller.refused('POST', PATH, { connector: 'added' }), [
      'not-allowed',
      undefined,
      403,
    ]);
});
