import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../api/v1/calls.ts';
import { MAIL_TOKEN, startMail } from '../channels/mail-api/support.ts';
import { DEMO_PASSWORD, DEMO_TOKEN } from '../support/service.ts';
import { type AnyBody, onlyDescribed, openDescription } from './openapi-support.ts';

/* What is said of the mailing-list API is what it does. */

const service = await startMail();
const { operations, resolve, readerOf } = await openDescription(service.url);
const calls = withToken(service.url, DEMO_TOKEN);
const own = operations.filter(({ path }) => path.startsWith('/api/Mailer/'));

test('all six operations are described', () => assert.equal(own.length, 6));

for (const { path, method, operation } of own) {
  const content = Object.values(operation.requestBody?.content ?? {})[0];
  const { schema } = Object.values(resolve<AnyBody>(operation.responses['200']!).content!)[0]!;

  test(`${method} ${path}`, async () => {
    const { id: list } = await calls.post<{ id: string }>('/mail/lists', { name: 'documented' });
    await calls.post(`/mail/lists/${list}/users`, { users: [{ email: 'dana@example.com' }] });
    const query = method === 'get' ? `?listID=${list}&type=0` : '';
    // The example is of the lists 17 and 18.
    const body =
      content &&
      JSON.stringify(content.example)
        .replace(/\b1[78]\b/g, list)
        .replace('the password', DEMO_PASSWORD);
    const ask = async (token: string, sent: string | undefined) => {
      const answer = await fetch(`${service.url}${path}${query}`, {
        method: method.toUpperCase(),
        headers: { authorization: token },
        body: sent ?? null,
      });
      const fields = (await answer.json()) as { result: { ResultID: number } };
      return { status: answer.status, fields, id: fields.result.ResultID };
    };

    const { status, fields, id } = await ask(MAIL_TOKEN, body);
    assert.deepEqual([status, id], [200, 200], JSON.stringify(fields));
    assert.deepEqual(onlyDescribed(fields, resolve(schema)), fields);
    readerOf(schema).parse(fields);
    const codes = operation['x-outcomes'].map(({ code }) => Number(code));
    if (!path.endsWith('/token')) {
      const signedOut = await ask('no token of anybody', body);
      assert.deepEqual([signedOut.id, codes.includes(401)], [401, true]);
    }
    if (body) {
      const unusable = await ask(MAIL_TOKEN, '"something else"');
      assert.deepEqual([unusable.id, codes.includes(400)], [400, true]);
    }
    const names = operation.parameters?.filter((one) => one.in === 'query').map(({ name }) => name) ?? [];
    assert.deepEqual(names, method === 'get' ? ['listID', 'type'] : []);
  });
}
