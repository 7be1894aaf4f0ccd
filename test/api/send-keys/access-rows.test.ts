import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { SignedRule } from '../../../server/api/access/rules.ts';
import { newClient, SOURCE, templateId } from '../../channels/chat-api/support.ts';
import { openDescription } from '../../docs/openapi-support.ts';
import { type Call, type Fields, openCases } from '../../docs/v1-cases.ts';
import { isOfInterface, routeRules, ruleOfRoute, smsOperations } from '../../support/access-table.ts';
import { newPhone } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Every row of the access table that takes a send key, by way of the description; and every other one, that it needs none. */

const MAIL_TOKEN = 'the-mail-token-of-the-demo-account';
const phoneTime = Date.now();
const service = await startTestService({
  settings: { CARILLON_DEMO_MAIL_TOKEN: MAIL_TOKEN },
  phoneClock: { now: () => phoneTime },
});
const { sql } = service;
const { operations, document } = await openDescription(service.url);
const cases = await openCases(service, phoneTime);

const takesKey = (rule: SignedRule | undefined) => rule?.sendKey !== undefined;
const signed = (rule: unknown) => rule as SignedRule | undefined;

/** What differs in another request with the same key, by operation. */
const others: Readonly<Record<string, Fields>> = {
  sendText: { message: 'Another' },
  sendTestMessage: { message: 'Another' },
  sendCode: { text: 'Another [code]' },
  sendChatTemplate: { to: newClient() },
  startChatCampaign: { phones: [newClient()] },
  createMailCampaign: { subject: 'Another' },
  testMailCampaign: { subject: 'Another' },
  verifyNumbers: { includes_international: true },
  createSubscriber: { name: 'Another' },
  transferCredit: { note: 'another' },
  topUp: { note: 'another' },
  sendChatButtons: { body: 'Another' },
  sendChatCarousel: { body: 'Another' },
  replyToConversation: { text: 'Another' },
  testAlertRule: { means: ['mail', 'webhook'] },
  testOperatorAlertRule: { means: ['mail', 'webhook'] },
  addMailUsers: { users: [{ email: 'another@example.com' }] },
};

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly isRepeated: boolean;
}

async function post(path: string, headers: Record<string, string>, body: string): Promise<Answer> {
  const answer = await fetch(new URL(path, service.url), { method: 'POST', headers, body });
  return {
    status: answer.status,
    text: await answer.text(),
    isRepeated: answer.headers.get('idempotent-replayed') === 'true',
  };
}

/** What is made by requests alone, and by nothing that goes on by itself. */
async function countDone(): Promise<Fields> {
  const [row] = await sql`
    SELECT (SELECT count(*) FROM shipments) AS shipments, (SELECT count(*) FROM campaigns) AS campaigns,
      (SELECT count(*) FROM mail_contents) AS mail_contents, (SELECT count(*) FROM accounts) AS accounts,
      (SELECT count(*) FROM phone_verifications) AS verifications,
      (SELECT count(*) FROM csv_jobs) AS csv_jobs, (SELECT count(*) FROM send_keys) AS send_keys,
      (SELECT count(*) FROM ledger WHERE kind IN ('topup', 'transfer')) AS moves`;
  return { ...row };
}

/** Sends a request twice at once and once more with one key, and another one: done once, and the other refused. */
async function isDoneOnce(send: (key: string) => Promise<Answer>, other: (key: string) => Promise<Answer>) {
  const key = randomUUID();
  const both = await Promise.all([send(key), send(key)]);
  const [first, second] = both[0].isRepeated ? [both[1], both[0]] : both;
  assert.ok(first.status < 300, first.text);
  assert.equal(first.isRepeated, false);
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM send_keys WHERE ltrim(key, chr(10)) = ${key}`;
  assert.equal(row!.count, 1, 'the key is not stored');
  const before = await countDone();
  for (const answer of [second, await send(key)]) {
    assert.ok(answer.isRepeated, answer.text);
    assert.equal(answer.status, first.status);
    const { repeated: _, ...fields } = JSON.parse(answer.text) as Fields;
    assert.deepEqual(fields, JSON.parse(first.text));
  }
  assert.equal((await other(key)).isRepeated, false);
  assert.deepEqual(await countDone(), before);
}

describe('every route of /v1 that sends or pays', () => {
  for (const { path, operation } of operations.filter((one) => one.path.startsWith('/v1/'))) {
    const { operationId, requestBody, parameters = [] } = operation;
    if (!parameters.some((one) => one.in === 'header' && one.name === 'Idempotency-Key')) continue;
    const [type, content] = Object.entries(requestBody!.content)[0]!;
    const isJson = type === 'application/json';

    test(`${path}: the same key is done once`, async () => {
      const call: Call = await cases.callOf(
        path,
        operationId,
        isJson ? (content.example as Fields) : undefined,
      );
      const headers = path.startsWith('/v1/operator/')
        ? cases.operator.headers
        : { authorization: `Bearer ${DEMO_TOKEN}` };
      const url = path.replace('{id}', call.id ?? '1');
      const send = (change: Fields, more: string) => (key: string) =>
        post(
          url,
          { ...headers, ...call.headers, 'content-type': type, 'idempotency-key': `"${key}"` },
          isJson
            ? JSON.stringify({ ...(call.body ?? (content.example as Fields)), ...change })
            : `${String(content.example)}${more}`,
        );
      if (isJson) assert.ok(others[operationId], `write into others what differs in ${operationId}`);
      await isDoneOnce(send({}, ''), async (key) => {
        const answer = await send(others[operationId] ?? {}, 'another@example.com\r\n')(key);
        assert.equal(answer.status, 422, answer.text);
        assert.equal((JSON.parse(answer.text) as { error: { code: string } }).error.code, 'key-reused');
        return answer;
      });
      const bad = await send({}, '')('');
      assert.equal(bad.status, 400);
      assert.deepEqual((JSON.parse(bad.text) as { error: Fields }).error.field, 'Idempotency-Key');
    });
  }
});

describe('every operation of the chat API', () => {
  const bearer = { authorization: `Bearer ${DEMO_TOKEN}` };

  /** A client who has written, so that free forms may be sent. */
  async function talkingClient(): Promise<string> {
    const client = newClient();
    const said = await post(
      `/v1/sandbox/phones/${client}/chat`,
      { ...bearer, 'content-type': 'application/json' },
      JSON.stringify({ to: SOURCE, body: 'Hello' }),
    );
    assert.equal(said.status, 200, said.text);
    await waitFor('the window to open', async () => {
      const rows = await sql`SELECT 1 FROM chat_incoming WHERE client = ${client}`;
      return rows.length > 0;
    });
    return client;
  }

  const bodies: Readonly<Record<string, () => Promise<Fields>>> = {
    'send-template-message': async () => ({
      destination: newClient(),
      templateId: templateId('two'),
      dynamicFieldsObject: { 1: 'Dana', 2: '1234' },
    }),
    'create-campaign-wa': async () => ({
      destinations: { phones: [newClient()] },
      campaign_message: templateId('plain'),
      future_campaign: 'instant',
    }),
    'send-buttons': async () => ({
      destination: await talkingClient(),
      header: '1',
      body: 'Choose',
      button1: 'Yes',
    }),
    'send-carousel': async () => ({
      destination: await talkingClient(),
      message: 'Look',
      buttons: 2,
      card1_headerLink: 'https://example.com/a.jpg',
      card1_button1: 'A',
      card2_headerLink: 'https://example.com/b.jpg',
      card2_button1: 'B',
    }),
  };

  for (const row of Object.keys(routeRules).filter((key) => key.startsWith('POST /chat-api/'))) {
    const path = row.replace('POST ', '');
    const name = path.replace('/chat-api/', '');
    test(`${path}: the same key, in the header and in the body, is done once`, async () => {
      assert.ok(takesKey(signed(routeRules[row])), row);
      const make = bodies[/template/.test(name) ? 'send-template-message' : name];
      assert.ok(make, `write into bodies what ${name} takes`);
      const body = { source: SOURCE, ...(await make()) };
      let times = 0;
      const send = (more: Fields) => (key: string) =>
        times++ % 2 === 0
          ? post(path, { ...bearer, 'idempotency-key': key }, JSON.stringify({ ...body, ...more }))
          : post(path, bearer, JSON.stringify({ ...body, ...more, send_key: key }));
      await isDoneOnce(send({}), async (key) => {
        const answer = await send({ another: 'x' })(key);
        assert.match(answer.text, /send key was used with another request/);
        return answer;
      });
      for (const wrong of ['', {}, 'שלום']) {
        const answer = await post(path, bearer, JSON.stringify({ ...body, send_key: wrong }));
        assert.match(answer.text, /"message":"send_key: /);
      }
    });
  }
});

test('the mailing-list API: users are added once', async () => {
  const path = '/api/Mailer/AddUsersToLists';
  assert.ok(takesKey(signed(routeRules[`POST ${path}`])));
  const headers = { authorization: MAIL_TOKEN };
  const made = await post(
    '/api/Mailer/CreateMalingList',
    headers,
    JSON.stringify({ IsNewList: true, NewListName: 'Once' }),
  );
  const [list] = (JSON.parse(made.text) as { data: { mailingLists: number[] } }).data.mailingLists;
  const send = (EmailAddress: string) => (key: string) =>
    post(
      path,
      { ...headers, 'idempotency-key': key },
      JSON.stringify({ users: [{ EmailAddress }], mailingLists: [{ ExistingListID: list }] }),
    );
  await isDoneOnce(send('dana@example.com'), async (key) => {
    const answer = await send('avi@example.com')(key);
    assert.match(answer.text, /"ResultID":400,"ResultMessage":"the send key was used/);
    return answer;
  });
});

test('the operator and the account may use the same key', async () => {
  const key = randomUUID();
  const account = await service.addAccount({ username: 'shared-key' }, 10);
  const topUp = await post(
    `/v1/operator/accounts/${account.id}/top-up`,
    { ...cases.operator.headers, 'content-type': 'application/json', 'idempotency-key': key },
    JSON.stringify({ amount: '5' }),
  );
  assert.equal(topUp.status, 200, topUp.text);
  const sent = await post(
    '/v1/sms',
    { authorization: `Bearer ${account.token}`, 'content-type': 'application/json', 'idempotency-key': key },
    JSON.stringify({ source: 'Shop', phones: [newPhone()], message: 'Hello' }),
  );
  assert.equal(sent.status, 202, sent.text);
  assert.equal(sent.isRepeated, false);
});

const operationsThatDoNot = new Set([
  ...['cancel', 'dlr', 'dlrByDate', 'dlrbyDate', 'ttsDlr', 'incoming', 'getVerifiedPhones', 'balance'],
  ...['blacklist', 'addNumBL', 'rmNumBL', 'newCL', 'removeCL', 'addNumCL', 'rmNumCL', 'getCL', 'getCLbyID'],
  ...['validate_otp', 'push_url', 'getBlanceSubs', 'getApiToken'],
]);

describe('every row of the access table', () => {
  test('a POST takes a send key, or its author says that it sends nothing', () => {
    const posts = Object.entries(routeRules).filter(([row, rule]) => row.startsWith('POST ') && !rule.open);
    assert.ok(posts.length > 100);
    const wrong = posts.filter(
      ([, rule]) => takesKey(signed(rule)) === (signed(rule)?.sendsNothing === true),
    );
    assert.deepEqual(
      wrong.map(([row]) => row),
      [],
    );
  });

  test('other methods take none', () => {
    const wrong = Object.entries(routeRules).filter(
      // An interface of another gateway may send by a GET.
      ([row, rule]) => !row.startsWith('POST ') && !isOfInterface(row) && takesKey(signed(rule)),
    );
    assert.deepEqual(
      wrong.map(([row]) => row),
      [],
    );
  });

  for (const [root, rule] of Object.entries(smsOperations)) {
    test(`${root} ${takesKey(signed(rule)) ? 'takes a send key' : 'neither sends nor pays'}`, () => {
      assert.equal(takesKey(signed(rule)), !operationsThatDoNot.has(root));
    });
  }

  test('the description says of each whether it takes one', () => {
    for (const { path, method, operation } of operations) {
      const root = path.startsWith('/api#') ? path.slice('/api#'.length) : undefined;
      const rule =
        root === undefined
          ? ruleOfRoute(method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1'))
          : smsOperations[root];
      const names = (operation.parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name);
      assert.deepEqual(names, takesKey(signed(rule)) ? ['Idempotency-Key'] : [], `${method} ${path}`);
      if (root === undefined) continue;
      const schema = document.components.schemas[root] as { properties: Fields };
      assert.equal('send_key' in schema.properties, takesKey(signed(rule)), root);
    }
  });
});
