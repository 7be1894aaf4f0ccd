import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { good } from '../api/sms/good-requests.ts';
import { MAIL_TOKEN } from '../channels/mail-api/support.ts';
import { openDescription } from '../docs/openapi-support.ts';
import { type Call, type Fields, openCases } from '../docs/v1-cases.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN, forms, startTestService } from '../support/service.ts';
import { assertCleanPrototypes, shapeOf, withEachText } from './attack.ts';

/*
 * Statements in every text that any API takes: in each field of each operation of each API, in each parameter of a
 * query, in paths and headers. What an injected statement would do is seen in what another account has.
 */

const CANARY = 'canary of another account';
const phoneTime = Date.now();
const service = await startTestService({
  settings: { CARILLON_DEMO_MAIL_TOKEN: MAIL_TOKEN },
  phoneClock: { now: () => phoneTime },
});
const { url, sql } = service;
const cases = await openCases(service, phoneTime);
const { operations } = await openDescription(url);
const victim = await service.addAccount({ username: 'victim', name: CANARY });
const made = await service.call(
  'json',
  'newCL',
  {
    user: { username: 'victim' },
    cl: { name: CANARY, destinations: { destination: [{ phone: newPhone(), df1: CANARY }] } },
  },
  { token: victim.token },
);
assert.equal(made.status, 0, made.message);

/** Statements that break out of a text, a number, a name, a pattern, an array, a COPY or JSON. */
const statements = [
  `' OR '1'='1`,
  `'; UPDATE contact_lists SET name = 'pwned'; --`,
  `\\'; DROP TABLE contact_lists CASCADE; --`,
  '1 UNION SELECT name FROM contact_lists --',
  `%' ESCAPE '!' OR true OR name LIKE '`,
  `"}'::jsonb; CREATE ROLE pwned SUPERUSER; --`,
  '$$; SELECT pg_sleep(10); $$',
  `{"a","b"}'); DELETE FROM accounts; --`,
  '\n\\.\nSELECT 1;\t\\N',
];

/** Each place gets some of them, and each route all of them. */
const isTurn = (position: number) => position % 4 === 0;

/** What the other account has, and what the database is made of. */
async function untouched(): Promise<unknown> {
  const [victims] = await sql`
    SELECT (SELECT name FROM accounts WHERE id = ${victim.id}) AS account,
      (SELECT array_agg(name) FROM contact_lists WHERE account_id = ${victim.id}) AS lists,
      (SELECT balance::text FROM wallets WHERE account_id = ${victim.id}) AS balance,
      (SELECT count(*)::int FROM contact_lists WHERE name = 'pwned') AS pwned`;
  return { victims, shape: await shapeOf(sql) };
}
const before = await untouched();
const owner = await cases.newPerson('owner');

/** No answer is a fault, tells of the database, or shows what another account has. */
function assertHarmless(where: string, http: number, text: string, sent: string): void {
  assert.ok(http < 500, `${where}: ${http} ${text.slice(0, 300)}`);
  assert.doesNotMatch(text, /syntax error|relation "|column "|PostgresError|pg_catalog/, where);
  assert.ok(!text.includes(CANARY) || sent.includes(CANARY), `${where} shows ${text.slice(0, 300)}`);
}

for (const form of forms) {
  describe(`into POST /api, ${form}`, () => {
    for (const [root, request] of Object.entries(good)) {
      test(root, async () => {
        for (const [index, statement] of statements.entries()) {
          for (const { path, value } of withEachText(request(), statement)) {
            // One statement for each field in turn is enough for XML, which is decoded to the same.
            if (form === 'xml' && index % 3 !== 1) continue;
            if (form === 'xml' && /[\n\t]/.test(statement)) continue;
            const answer = await service.call(form, root, value as Fields);
            assertHarmless(
              `${root}${path}: ${statement}`,
              answer.http,
              JSON.stringify(answer.fields),
              statement,
            );
          }
        }
        assert.deepEqual(await untouched(), before);
      });
    }
  });
}

describe('into /v1', () => {
  const own = operations.filter(({ path }) => path.startsWith('/v1/') && !path.startsWith('/v1/live'));
  for (const { path, method, operation } of own) {
    const { operationId, parameters = [], requestBody } = operation;
    const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const example = type === 'application/json' ? (content!.example as Fields) : undefined;

    test(`${method.toUpperCase()} ${path}`, async () => {
      // What the path names is made only where there is something beside it to write into.
      const asked = parameters.some((one) => one.in === 'query' && !['username', 'limit'].includes(one.name));
      const call: Call = example || asked ? await cases.callOf(path, operationId, example) : {};
      const headers = {
        ...(path.startsWith('/v1/operator/') ? cases.operator : owner).headers,
        ...call.headers,
      };
      const at = (id: string) => new URL(path.replace('{id}', encodeURIComponent(id)), url);
      const needed = parameters.filter((one) => one.in === 'query' && one.required);

      async function ask(where: URL, body: string | undefined, statement: string, what: string) {
        for (const { name, schema } of needed) {
          if (!where.searchParams.has(name)) {
            where.searchParams.set(name, String(schema.examples?.[0] ?? schema.enum?.[0]));
          }
        }
        const answer = await fetch(where, {
          method: method.toUpperCase(),
          headers: { ...headers, ...(body !== undefined && { 'content-type': type ?? 'application/json' }) },
          body: body ?? null,
        });
        // Streams go on and on.
        const isStream = (answer.headers.get('content-type') ?? '').startsWith('text/event-stream');
        if (isStream) await answer.body?.cancel();
        const text = isStream ? '' : await answer.text();
        assertHarmless(`${method} ${path} ${what}: ${statement}`, answer.status, text, statement);
      }

      for (const [index, statement] of statements.entries()) {
        for (const [position, { name, in: place }] of parameters.entries()) {
          if (place === 'query' && isTurn(index + position)) {
            const where = at(call.id ?? '1');
            where.searchParams.set(name, statement);
            await ask(where, example && JSON.stringify(call.body ?? example), statement, name);
          }
        }
        if (path.includes('{id}') && isTurn(index))
          await ask(at(statement), example && JSON.stringify(example), statement, 'id');
        let field = 0;
        for (const { path: inner, value } of withEachText(call.body ?? example, statement)) {
          if (isTurn(index + field++)) await ask(at(call.id ?? '1'), JSON.stringify(value), statement, inner);
        }
      }
      await cases.undo[operationId]?.();
      assert.deepEqual(await untouched(), before);
      assertCleanPrototypes(path);
    });
  }
});

describe('into the chat and the mailing-list API', () => {
  const source = '972550000001';
  const calls: readonly [method: string, path: string, authorization: string, body?: unknown][] = [
    ['GET', `/chat-api/get-phone-templates/${source}/{}`, `Bearer ${DEMO_TOKEN}`],
    ['GET', '/chat-api/get-phone-templates/{}', `Bearer ${DEMO_TOKEN}`],
    [
      'POST',
      '/chat-api/send-template-message',
      `Bearer ${DEMO_TOKEN}`,
      {
        source,
        destination: newPhone(),
        templateId: `1_${source}_two`,
        dynamicFieldsObject: { 1: 'a', 2: 'b' },
      },
    ],
    [
      'POST',
      '/chat-api/create-campaign-wa',
      `Bearer ${DEMO_TOKEN}`,
      {
        source,
        destinations: { phones: [newPhone()], cl: ['1'] },
        campaign_message: `1_${source}_plain`,
        campaign_name: 'name',
        dynamicHeaders: { 1: 'df1' },
        future_campaign: 'instant',
      },
    ],
    [
      'POST',
      '/chat-api/send-buttons',
      `Bearer ${DEMO_TOKEN}`,
      { source, destination: newPhone(), header: '1', body: 'b', footer: 'f', button1: 'x', replyTo: '1' },
    ],
    [
      'POST',
      '/api/Mailer/CreateMalingList',
      MAIL_TOKEN,
      { IsNewList: true, NewListName: 'n', NewListDescription: 'd' },
    ],
    [
      'POST',
      '/api/Mailer/AddUsersToLists',
      MAIL_TOKEN,
      {
        users: [{ EmailAddress: 'a@example.com', FirstName: 'a', LastName: 'b' }],
        mailingLists: [{ ExistingListID: '1' }],
      },
    ],
    ['GET', '/api/Mailer/GetMailingListByID/?listID={}&type=0', MAIL_TOKEN],
    ['GET', '/api/Mailer/GetMailingListByID/?listID=1&type={}', MAIL_TOKEN],
    ['POST', '/api/Mailer/TruncateMailingLists', MAIL_TOKEN, ['1']],
  ];
  for (const [method, path, authorization, body] of calls) {
    test(`${method} ${path}`, async () => {
      for (const statement of statements) {
        const bodies =
          body === undefined ? [{ path: '', value: undefined }] : [...withEachText(body, statement)];
        for (const { path: field, value } of bodies) {
          const answer = await fetch(url + path.replace('{}', encodeURIComponent(statement)), {
            method,
            headers: { authorization, 'content-type': 'application/json' },
            body: value === undefined ? null : JSON.stringify(value),
          });
          assertHarmless(`${path}${field}: ${statement}`, answer.status, await answer.text(), statement);
        }
      }
      assert.deepEqual(await untouched(), before);
    });
  }
});

describe('where a program reads and not a person', () => {
  test('in tokens, session cookies, and the codes of links', async () => {
    for (const statement of statements) {
      const safe = statement.replace(/[\n\t]/g, ' ');
      for (const [path, headers] of [
        ['/v1/overview', { authorization: `Bearer ${safe.replaceAll(' ', '/**/')}` }],
        ['/v1/session', { cookie: `carillon_session=${safe}` }],
        ['/api/Mailer/GetMailingListByID/?listID=1&type=0', { authorization: safe }],
        [`/l/${encodeURIComponent(statement)}`, {}],
        [`/u/${encodeURIComponent(statement)}`, {}],
        [`/v/${encodeURIComponent(statement)}`, {}],
        [`/m/c/${encodeURIComponent(statement)}`, {}],
        [`/mail/remove/${encodeURIComponent(statement)}`, {}],
        [`/mail/confirm/${encodeURIComponent(statement)}`, {}],
      ] as [string, Record<string, string>][]) {
        const answer = await fetch(url + path, { headers });
        const text = await answer.text();
        assertHarmless(`${path} ${statement}`, answer.status, text, statement);
        assert.ok(answer.status >= 400 || text.includes('"success":false'), `${path} ${answer.status}`);
      }
    }
    assert.deepEqual(await untouched(), before);
  });

  test('in the head and the rows of a CSV file', async () => {
    const list = await service.call('json', 'newCL', { cl: { name: 'CSV' } });
    const [id] = list.fields.identifiers as string[];
    for (const statement of statements) {
      const cell = `"${statement.replaceAll('"', '""')}"`;
      const answer = await fetch(`${url}/v1/contact-lists/${id}/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'text/csv' },
        body: `phone,${cell}\r\n${newPhone()},${cell}\r\n${cell},x\r\n`,
      });
      assertHarmless(`CSV ${statement}`, answer.status, await answer.text(), statement);
      await cases.undo.importContacts!();
    }
    assert.deepEqual(await untouched(), before);
  });
});
