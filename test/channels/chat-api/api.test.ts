import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Document } from '../../../server/api/openapi/document.ts';
import { covers } from '../../conformance/covers.ts';
import { describedFields } from '../../docs/described-fields.ts';
import { countEverything } from '../../support/books.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Body, newClient, SOURCE, startChat, templateId } from './support.ts';

/** What is the same for A1 to A5: paths, sign-in, bodies, limits, the description. */
const chat = await startChat({ CHAT_API_ALIASES: 'brand-api,other' });
const { sql } = chat;

const plain = (): Body => ({
  source: SOURCE,
  destination: newClient(),
  templateId: templateId('plain'),
});
/** The operations with bodies, and the reasons of the three that have them. */
const posts = ['send-template-message', 'send-buttons', 'send-carousel', 'create-campaign-wa'];
const tooFast = [
  ['send-template-message', 22],
  ['send-buttons', 15],
  ['send-carousel', 9],
] as const;

test(
  'A2 answers at three segments, all under each prefix, with a slash at the end or without',
  covers('A2.paths', 'chat.paths'),
  async () => {
    for (const prefix of ['/chat-api', '/brand-api', '/other']) {
      for (const segment of ['send-template-message', 'send-template', 'send-whatsapp-template']) {
        await chat.accepted(segment, plain(), { prefix });
        await chat.accepted(`${segment}/`, plain(), { prefix });
      }
      for (const path of posts.slice(1)) {
        const { http, success, json } = await chat.post(path, {}, { prefix });
        assert.equal(http, 200);
        assert.equal(success ?? (json.data as Body).success, false);
      }
      assert.equal((await chat.get(`get-phone-templates/${SOURCE}`, { prefix })).success, true);
    }
  },
);

test('other paths and methods are 404, and signed in like all', covers('chat.paths'), async () => {
  for (const path of ['', 'nosuch', 'send-buttons/x', 'get-phone-templates', 'send-buttons']) {
    const answer = await chat.get(path);
    assert.deepEqual([answer.http, answer.success], [404, false], path);
    assert.equal((await chat.get(path, { token: null })).http, 401, path);
  }
  assert.equal((await chat.post(`get-phone-templates/${SOURCE}`, {})).http, 404);
  const response = await fetch(`${chat.url}/unknown-alias/send-template`, { method: 'POST' });
  assert.equal(response.status, 404);
  await response.arrayBuffer();
});

test('a token is accepted without Bearer', covers('amendments.token header'), async () => {
  const { token } = await chat.addAccount({ username: 'no-bearer' });
  const options = { token: null, headers: { authorization: token } };
  assert.equal((await chat.get('get-phone-templates/1', options)).http, 200);
});

test(
  'without a token, or with one that is unknown, expired or revoked, it is 401',
  covers('A1.sign-in', 'chat.sign-in'),
  async () => {
    const { tokens, clock } = chat.appContext;
    const account = await chat.addAccount({ username: 'signs-in' });
    const expired = await tokens.mint(account.id, { expiresAt: clock.now() - 1 });
    const revoked = await tokens.mint(account.id);
    assert.equal((await chat.get('get-phone-templates/1', { token: revoked.token })).http, 200);
    await tokens.revoke(revoked.id);
    const before = await countEverything(sql);
    for (const options of [
      { token: null },
      { token: 'nosuchtoken' },
      { token: expired.token },
      { token: revoked.token },
      { token: null, headers: { authorization: 'Basic ZGVtbzpkZW1v' } },
      { token: null, headers: { authorization: 'Bearer ' } },
    ]) {
      const all = [
        await chat.get(`get-phone-templates/${SOURCE}`, options),
        ...(await Promise.all(posts.map((path) => chat.post(path, plain(), options)))),
        await chat.post('send-buttons', 'no JSON', options),
      ];
      for (const { http, json } of all) {
        assert.equal(http, 401);
        assert.deepEqual(Object.keys(json), ['success', 'message']);
        assert.equal(json.success, false);
      }
    }
    assert.deepEqual(await countEverything(sql), before);
  },
);

test('an account may be used from its addresses alone', covers('chat.sign-in'), async () => {
  const account = await chat.addAccount({ username: 'fenced', addresses: ['192.0.2.0/24'] });
  assert.equal((await chat.get('get-phone-templates/1', { token: account.token })).http, 401);
});

test(
  'a body that is not JSON is 400 with reason 2, in the form of the operation',
  covers('A2.2', 'A4.2', 'A5.2', 'chat.HTTP'),
  async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const bodies = [
      '',
      ' ',
      'hello',
      '{"source": ',
      '<xml/>',
      "{'source': '1'}",
      '{"source": "\\u0000"}',
      '{"source": "\\ud800"}',
      '{"\\u0000": 1}',
      `{"x": ${deep}}`,
      deep,
    ];
    for (const body of bodies) {
      for (const path of posts) {
        const { http, json, ans } = await chat.post(path, body);
        assert.equal(http, 400, body.slice(0, 40));
        if (path === 'create-campaign-wa') {
          const { data } = json as { data: Body };
          assert.deepEqual([data.success, data.sum], [false, 0]);
          continue;
        }
        assert.deepEqual([json.success, ans.status, ans.reason, ans.unique], [false, 'FAIL', 2, '']);
        const common = [
          'unique',
          'timestamp',
          'from',
          'to',
          'body',
          'templateTimeLeft',
          'conversationTimeLeft',
        ];
        for (const field of common) assert.ok(field in ans, field);
      }
    }
    const bytes = await fetch(`${chat.url}/chat-api/send-buttons`, {
      method: 'POST',
      headers: { authorization: 'Bearer the-token-of-the-demo-account' },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    });
    assert.equal(bytes.status, 400);
    await bytes.arrayBuffer();
  },
);

test('JSON that is no object has no fields: reason 2 for the source', covers('A2.2'), async () => {
  for (const body of ['[]', '7', 'null', '"text"', 'true', '[{"source": "972550000001"}]', '{}']) {
    const { http, ans } = await chat.post('send-template', body);
    assert.deepEqual([http, ans.reason], [200, 2], body);
  }
});

test(
  'whatever the content type says; a byte-order mark; unknown fields; a key twice',
  covers('chat.content type'),
  async () => {
    for (const type of ['text/plain', 'application/xml', 'application/json; charset=utf-16', 'no type', '']) {
      const { success } = await chat.post('send-template', plain(), { headers: { 'content-type': type } });
      assert.equal(success, true, type);
    }
    const text = JSON.stringify({ ...plain(), __proto__x: 1, constructor: { prototype: 1 } });
    assert.equal((await chat.post('send-template', `\uFEFF ${text}`)).success, true);
    const poisoned = text.replace('{', '{"__proto__": {"source": "x"}, "source": "x", ');
    assert.equal((await chat.post('send-template', poisoned)).success, true);
  },
);

test('a megabyte: read, and judged by its fields; over ten it is 413', covers('chat.HTTP'), async () => {
  const mib = 'x'.repeat(1024 * 1024);
  const { ans } = await chat.post('send-template', { ...plain(), dynamicFieldsObject: { '1': mib } });
  assert.equal(ans.reason, 17);
  assert.equal((await chat.post('send-template', { ...plain(), more: mib })).success, true);
  assert.equal((await chat.post('send-template', { ...plain(), source: mib })).ans.reason, 2);
  assert.equal((await chat.post('send-template', { ...plain(), templateId: mib })).ans.reason, 12);
  for (const path of posts) {
    const { http, json, ans } = await chat.post(path, { more: mib.repeat(10) });
    assert.equal(http, 413);
    if (path === 'create-campaign-wa') assert.equal((json.data as Body).success, false);
    else assert.deepEqual([json.success, ans.reason], [false, 2]);
  }
});

test(
  'any value in any field is answered with a reason, and nothing is stored of what is refused',
  covers('chat.HTTP'),
  async () => {
    const values = [
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e300,
      '',
      ' ',
      'נ😀',
      [],
      [[]],
      [1, 2],
      {},
      { _: 'x' },
      { a: { b: 1 } },
    ];
    const fields = {
      'send-template-message': ['source', 'destination', 'templateId', 'dynamicFieldsObject'],
      'send-buttons': [
        'source',
        'destination',
        'header',
        'headerURL',
        'body',
        'button1',
        'buttonExternal',
        'replyTo',
      ],
      'send-carousel': [
        'source',
        'destination',
        'message',
        'buttons',
        'card1_headerLink',
        'card1_body',
        'showRequest',
      ],
    };
    const shipments = async () => (await sql`SELECT count(*)::int AS n FROM shipments`)[0]!.n;
    const before = await shipments();
    for (const [path, names] of Object.entries(fields)) {
      for (const name of names) {
        for (const value of values) {
          const destination = newClient();
          const { http, success, ans } = await chat.post(path, {
            source: SOURCE,
            destination,
            [name]: value,
          });
          assert.deepEqual([http, success, ans.status], [200, false, 'FAIL'], `${path} ${name} ${value}`);
          assert.ok(Number(ans.reason) >= 2, `${path} ${name} ${JSON.stringify(value)}: ${ans.reason}`);
        }
      }
    }
    assert.equal(await shipments(), before);
  },
);

test(
  'over the rate limit it is 429 with the reason of the operation',
  covers('A2.22', 'A4.15', 'A5.9', 'chat.HTTP'),
  async () => {
    const limited = await startTestService({
      sandbox: false,
      settings: { RATE_LIMIT_ACCOUNT: '3', RATE_LIMIT_ADDRESS: '1000' },
    });
    const { token } = await limited.addAccount({ username: 'limited' });
    const call = async (path: string, init: RequestInit = { method: 'POST', body: '{}' }) => {
      const response = await fetch(`${limited.url}/chat-api/${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}` },
      });
      const json = (await response.json()) as Record<string, Record<string, unknown>>;
      return { http: response.status, after: Number(response.headers.get('retry-after')), json };
    };
    const overLimit = (path: string, init?: RequestInit) =>
      waitFor('one to be refused', async () => {
        const crowd = await Promise.all(Array.from({ length: 8 }, () => call(path, init)));
        return crowd.find(({ http }) => http === 429);
      });
    for (const [path, reason] of tooFast) {
      const { json, after } = await overLimit(path);
      assert.ok(after >= 1);
      assert.deepEqual([json.success, json.ans!.status, json.ans!.reason], [false, 'FAIL', reason]);
    }
    const { json } = await overLimit('create-campaign-wa');
    assert.deepEqual([json.data!.success, json.data!.sum], [false, 0]);
    const listed = await overLimit('get-phone-templates/1', {});
    assert.deepEqual([listed.json.success, listed.json.templates], [false, []]);
  },
);

test('an address has its limit too, over all prefixes', covers('chat.HTTP'), async () => {
  const limited = await startTestService({
    sandbox: false,
    settings: { RATE_LIMIT_ADDRESS: '5', CHAT_API_ALIASES: 'brand' },
  });
  await waitFor('one to be refused', async () => {
    const crowd = await Promise.all(
      ['chat-api', 'brand', 'chat-api', 'brand', 'chat-api', 'brand'].map(async (prefix) => {
        const response = await fetch(`${limited.url}/${prefix}/send-buttons`, { method: 'POST' });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    assert.ok(crowd.every((status) => status === 401 || status === 429));
    return crowd.includes(429);
  });
});

const document = (await (await fetch(`${chat.url}/docs/openapi.json`)).json()) as Document;
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  path.startsWith('/chat-api/') ? Object.values(methods).map((operation) => ({ path, operation })) : [],
);

test('A1 to A5 are described, each once, and their examples fit', covers('chat.described'), () => {
  assert.deepEqual(described.map(({ path }) => path).sort(), [
    '/chat-api/create-campaign-wa',
    '/chat-api/get-phone-templates/{phone}',
    '/chat-api/get-phone-templates/{phone}/{templateId}',
    '/chat-api/send-buttons',
    '/chat-api/send-carousel',
    '/chat-api/send-template-message',
  ]);
  for (const { path, operation } of described) {
    const contents = [operation.requestBody, operation.responses['200']].flatMap((body) =>
      body && 'content' in body ? [body.content['application/json']!] : [],
    );
    assert.ok(contents.length > 0);
    for (const { schema, example } of contents) {
      z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).parse(example);
      for (const { path: field, schema: inner } of describedFields(schema)) {
        assert.ok(
          inner.description || inner.properties || /^[1-5]$/.test(field.at(-1)!),
          `${path} ${field.join('.')}`,
        );
      }
    }
  }
});

test(
  'the examples of the description are accepted as they stand, and answered with its fields',
  covers('chat.described'),
  async () => {
    await chat.clientWrites('972501234567');
    // The window is closed by a template that waits for an answer: so the two that need it come first.
    const order = ['send-buttons', 'send-carousel', 'create-campaign-wa', 'send-template-message'];
    for (const segment of order) {
      const { operation } = described.find(({ path }) => path.endsWith(segment))!;
      const { example } = operation.requestBody!.content['application/json']!;
      const { json } = await chat.post(segment, example as Body);
      assert.equal(json.success ?? (json.data as Body).success, true, `${segment}: ${JSON.stringify(json)}`);
      const success = operation.responses['200'] as { content: Record<string, { schema: object }> };
      z.fromJSONSchema(success.content['application/json']!.schema as z.core.JSONSchema.JSONSchema).parse(
        json,
      );
    }
    const { json } = await chat.get(`get-phone-templates/${SOURCE}`);
    const { operation } = described.find(({ path }) => path.endsWith('{phone}'))!;
    const listed = operation.responses['200'] as { content: Record<string, { schema: object }> };
    z.fromJSONSchema(listed.content['application/json']!.schema as z.core.JSONSchema.JSONSchema).parse(json);
  },
);

test(
  'the pages at /docs show them, with lines for the shell that can be used',
  covers('chat.described'),
  async () => {
    const page = await (await fetch(`${chat.url}/docs/api/chat-messages`)).text();
    assert.match(page, /id="sendCarousel"/);
    assert.match(page, /\/chat-api\/get-phone-templates\/972550000001\/1_972550000001_website/);
  },
);
