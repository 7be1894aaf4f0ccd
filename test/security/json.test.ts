import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { templateId } from '../channels/chat-api/support.ts';
import { MAIL_TOKEN } from '../channels/mail-api/support.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { assertCleanPrototypes } from './attack.ts';

/* JSON of an attacker, against each API that reads it. */

const service = await startTestService({ settings: { CARILLON_DEMO_MAIL_TOKEN: MAIL_TOKEN } });
const { url } = service;

/** An API that reads JSON: where a body goes, and a good one. */
interface Target {
  readonly path: string;
  readonly authorization: string;
  readonly good: () => Record<string, unknown>;
}
const bearer = `Bearer ${DEMO_TOKEN}`;
const targets: Readonly<Record<string, Target>> = {
  'the SMS API': {
    path: '/api',
    authorization: bearer,
    good: () => ({
      sms: {
        user: { username: 'demo' },
        source: 'Shop',
        destinations: { phone: newPhone() },
        message: 'Hello',
      },
    }),
  },
  'the chat API': {
    path: '/chat-api/send-template-message',
    authorization: bearer,
    good: () => ({ source: '972550000001', destination: newPhone(), templateId: templateId('plain') }),
  },
  'the mailing-list API': {
    path: '/api/Mailer/CreateMalingList',
    authorization: MAIL_TOKEN,
    good: () => ({ IsNewList: true, NewListName: 'News' }),
  },
  '/v1': {
    path: '/v1/sms',
    authorization: bearer,
    good: () => ({ source: 'Shop', phones: [newPhone()], message: 'Hello' }),
  },
};

/** What an API says to a body: the HTTP status and the text. No body may be a fault of the service. */
async function say({ path, authorization }: Target, body: string | Uint8Array): Promise<[number, string]> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: body as string,
  });
  const text = await answer.text();
  assert.ok(answer.status < 500, `${String(body).slice(0, 100)}: ${answer.status} ${text}`);
  assert.doesNotMatch(
    text,
    /SyntaxError|at JSON\.parse|node_modules|\.ts:\d/,
    'a stack or an error of the parser',
  );
  return [answer.status, text];
}

/** Whether an answer says that something was done. */
const isDone = (text: string) =>
  /"status":"?0"?[,}]|"shipment_id"|"success":true/.test(text) && !/"error"/.test(text);

for (const [name, target] of Object.entries(targets)) {
  describe(`to ${name}`, () => {
    const good = () => JSON.stringify(target.good());

    test('a valid one is accepted, so that the others are refused for their own fault', async () => {
      const [status, text] = await say(target, good());
      assert.ok(isDone(text), `${status} ${text}`);
    });

    test('`__proto__` and `constructor.prototype` at every level', async () => {
      const evil = '{"polluted": "yes", "role": "operator", "isAdmin": true}';
      for (const added of [
        `"__proto__": ${evil}`,
        `"constructor": {"prototype": ${evil}}`,
        `"prototype": ${evil}`,
        `"__proto__": {"__proto__": ${evil}}`,
        `"__proto__": null`,
        `"__proto__": "polluted"`,
        `"__proto__": [1]`,
        `"\\u005f_proto__": ${evil}`,
        `"hasOwnProperty": 1, "toString": 1, "valueOf": 1, "toJSON": 1, "then": 1, "length": -1`,
        `"__defineGetter__": ${evil}, "__lookupSetter__": ${evil}`,
      ]) {
        // After each opening brace of the body.
        const body = good();
        for (const { index } of body.matchAll(/\{/g)) {
          const comma = body[index + 1] === '}' ? '' : ',';
          await say(target, body.slice(0, index + 1) + added + comma + body.slice(index + 1));
          assertCleanPrototypes(`${added} at ${index}`);
        }
      }
    });

    test('required fields that are only inherited', async () => {
      const [, text] = await say(target, `{"__proto__": ${good()}}`);
      assert.ok(!isDone(text), text);
      const [, constructed] = await say(target, `{"constructor": {"prototype": ${good()}}}`);
      assert.ok(!isDone(constructed), constructed);
    });

    test('nested deeply, in objects and lists', async () => {
      for (const depth of [33, 2_000, 100_000]) {
        for (const [open, close] of [
          ['[', ']'],
          ['{"a":', '}'],
        ] as const) {
          const nested = open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth);
          for (const body of [nested, good().replace('{', `{"a": ${nested},`), open.repeat(depth)]) {
            const [, text] = await say(target, body);
            if (body === nested) assert.ok(!isDone(text), text.slice(0, 200));
          }
        }
      }
    });

    test('numbers that are invalid or too large', async () => {
      for (const number of ['NaN', 'Infinity', '-Infinity', '0x10', '01', '+1', '1e', '.5', '1.', '1_000']) {
        const [, text] = await say(target, good().replace(/"Hello"|"News"|"1_\d+_plain"/, number));
        assert.ok(!isDone(text), `${number}: ${text}`);
      }
      for (const number of [
        '1e400',
        '-1e400',
        '1e308',
        '9007199254740993',
        '9'.repeat(5_000),
        '-0',
        '1e-400',
      ]) {
        const body = good();
        for (const { index, 0: value } of body.matchAll(/"[^"]*"(?=[,}\]])/g)) {
          await say(target, body.slice(0, index) + number + body.slice(index + value.length));
        }
      }
    });

    test('a value of every other kind in the place of each', async () => {
      for (const other of [
        'null',
        'true',
        '[]',
        '{}',
        '""',
        '[[]]',
        '[null]',
        '{"$":{},"_":""}',
        '"\\u0000"',
        '"\\ud800"',
      ]) {
        const body = good();
        for (const { index, 0: value } of body.matchAll(/"[^"]*"(?=[,}\]])|true/g)) {
          await say(target, body.slice(0, index) + other + body.slice(index + value.length));
        }
      }
    });

    test('what is not JSON: comments, commas, quotes, two documents, other encodings', async () => {
      for (const body of [
        `/* x */ ${good()}`,
        good().replace('}', ',}'),
        good().replaceAll('"', "'"),
        good() + good(),
        `${good()}garbage`,
        `)]}'\n${good()}`,
        `callback(${good()})`,
        Buffer.from(good(), 'utf16le'),
        Buffer.concat([Buffer.from(good().slice(0, -1)), Buffer.from([0xff, 0xfe]), Buffer.from('}')]),
        good().replace(/.$/, '\0}'),
      ]) {
        const [, text] = await say(target, body);
        assert.ok(!isDone(text), text);
      }
      await say(target, good().replace('{', '{"\\ud800\\u0000": 1,'));
      for (const body of ['', ' ', 'null', 'true', '0', '"x"', '[]', '{}', '[{}]']) {
        const [, text] = await say(target, body);
        assert.ok(!isDone(text), `${body}: ${text}`);
      }
    });
  });
}

describe('a key twice, so that the check reads one and the work the other', () => {
  test('the user name: the last one counts, for the check and for the work', async () => {
    const victim = await service.addAccount({ username: 'victim' });
    const sms = (user: string) =>
      `{"sms": {${user}, "source": "Shop", "destinations": {"phone": "${newPhone()}"}, "message": "Hello"}}`;
    for (const [user, status] of [
      ['"user": {"username": "demo", "username": "victim"}', 11],
      ['"user": {"username": "demo"}, "user": {"username": "victim"}', 11],
      ['"user": {"username": ["demo", "victim"]}', 2],
      ['"user": [{"username": "demo"}, {"username": "victim"}]', 2],
      ['"user": {"username": "victim", "username": "demo"}', 0],
    ] as const) {
      const answer = await service.post(sms(user));
      assert.equal(answer.status, status, `${user}: ${answer.message}`);
    }
    const [sent] =
      await service.sql`SELECT count(*)::int AS n FROM shipments WHERE account_id = ${victim.id}`;
    assert.equal(sent!.n, 0);
  });

  test('a body with two operations', async () => {
    const user = '{"user": {"username": "demo"}}';
    assert.equal((await service.post(`{"balance": ${user}, "getCL": ${user}}`)).status, 997);
    assert.equal((await service.post(`{"toString": ${user}}`)).status, 997);
    assert.equal((await service.post(`{"__proto__": ${user}}`)).status, 997);
    assert.equal((await service.post(`{"constructor": ${user}}`)).status, 997);
  });
});

describe('set what no field is for', () => {
  test('of an account or a person: fields that only the operator has', async () => {
    const more = {
      id: 1,
      account_id: '1',
      accountId: 1,
      role: 'operator',
      balance: 1_000_000,
      parent_id: null,
      parentId: null,
      password_sign_in: true,
      suspended: false,
    };
    const calls = async (method: string, path: string, body: object) => {
      const answer = await fetch(`${url}/v1${path}`, {
        method,
        headers: { authorization: bearer, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.ok(answer.status < 500, `${path} ${answer.status}`);
      await answer.body?.cancel();
    };
    const before = await service.sql`SELECT id, parent_id, username FROM accounts ORDER BY id`;
    const balance = await service.balance();
    await calls('POST', '/tokens', { label: 'mine', ...more });
    await calls('POST', '/webhooks', { url: 'https://hooks.example.com/', ...more });
    await calls('POST', '/contact-lists', { name: 'mine', ...more });
    assert.deepEqual(await service.sql`SELECT id, parent_id, username FROM accounts ORDER BY id`, before);
    assert.equal(await service.balance(), balance);
    const [foreign] = await service.sql`
      SELECT (SELECT count(*)::int FROM tokens WHERE account_id <> ${service.demo.id})
        + (SELECT count(*)::int FROM event_endpoints WHERE account_id <> ${service.demo.id})
        + (SELECT count(*)::int FROM contact_lists WHERE account_id <> ${service.demo.id}) - (
          SELECT count(*)::int FROM tokens JOIN accounts a ON a.id = account_id WHERE a.username = 'victim') AS n`;
    assert.equal(foreign!.n, 0);
  });
});
