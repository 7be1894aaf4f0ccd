import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { covers } from '../conformance/covers.ts';
import { DEMO_TOKEN, forms, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { toXml } from '../support/xml.ts';

/*
 * What a stranger can do with the body of a request before anybody knows who they are, and what NUL does in an address.
 */

const service = await startTestService({ settings: { HTTP_BODY_STALL_SECONDS: '1' } });
const { port } = new URL(service.url);
const authorized = { authorization: `Bearer ${DEMO_TOKEN}` };
const KIB = 1024;

function bodyOf(form: string, bytes: number): string {
  const content = { user: { username: 'demo' } };
  const text = form === 'xml' ? toXml('balance', content) : JSON.stringify({ balance: content });
  return text.padEnd(bytes, ' ');
}

for (const form of forms) {
  test(
    `${form}: without a token 64 KiB are read, and one byte more is 413 in the form and root of the request`,
    covers('amendments.too large'),
    async () => {
      const small = await service.post(bodyOf(form, 64 * KIB), { token: null });
      assert.deepEqual([small.http, small.status], [200, 3]);
      const large = await service.post(bodyOf(form, 64 * KIB + 1), { token: null });
      assert.deepEqual([large.http, large.status, large.form], [413, 1, form]);
      if (form === 'xml') assert.equal(large.root, 'balance');
    },
  );

  test(`${form}: a wrong token with a large body is a failed sign-in, and its body is not kept`, async () => {
    const answer = await service.post(bodyOf(form, 5 * KIB * KIB), { token: 'wrong' });
    assert.deepEqual([answer.http, answer.status, answer.form], [200, 3, form]);
  });

  test(
    `${form}: a client that writes all of a body that is too large before it reads sees the answer`,
    covers('amendments.too large'),
    async () => {
      const body = bodyOf(form, 20 * KIB * KIB);
      const socket = connect(Number(port), '127.0.0.1');
      const head = `POST /api HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${DEMO_TOKEN}\r\nContent-Length: ${body.length}\r\n\r\n`;
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      await new Promise<void>((resolve) => socket.write(head + body, () => resolve()));
      await waitFor('an answer', () => answer.includes('10 MiB'));
      assert.match(answer, /^HTTP\/1\.1 413 /);
      assert.match(answer, form === 'xml' ? /<balance><status>1</ : /"status":1/);
      socket.destroy();
    },
  );
}

test('NUL in an address is refused by name, and is no fault', async () => {
  for (const [path, field] of [
    ['/v1/wallet?username=%00', 'username'],
    ['/v1/messages?external_id=a%00b', 'external_id'],
    ['/v1/messages/%00', 'path'],
    ['/chat-api/get-phone-templates/%00', 'path'],
    ['/api/Mailer/GetMailingListByID?id=%00', 'id'],
    ['/r/%00', ''],
  ]) {
    const response = await fetch(service.url + path, { headers: authorized });
    const text = await response.text();
    assert.ok(response.status < 500, `${path}: ${response.status}`);
    assert.ok(text.includes(field!), `${path}: ${text}`);
  }
});

test('NUL and half of a surrogate pair in a JSON body under /v1 are refused by the name of the field', async () => {
  const contacts = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ phone: `05012345${i}`, fields: ['Dana', ''] }));
  const long = contacts(3_000);
  const cases: readonly [body: string, field: string | undefined][] = [
    ['{"name":"a\\u0000b"}', 'name'],
    ['{"name":"a\\ud800b"}', 'name'],
    ['{"other":{"list":["x",{"text":"\\u0000"}]}}', 'other.list[1].text'],
    // Before what stands before it and is deeper, as bodies are checked.
    ['{"a":[{"b":["\\u0000"]}],"c":"\\u0000"}', 'c'],
    ['{"a":{"b\\u0000":1}}', 'a'],
    ['{"a: b":{"c d":"\\u0000"}}', undefined],
    ['["\\u0000"]', undefined],
    ['{"\\u0000":1}', undefined],
    // Read in slices.
    [
      JSON.stringify({ contacts: long.with(2_500, { phone: '1', fields: ['\0', ''] }) }),
      'contacts[2500].fields[0]',
    ],
    [JSON.stringify({ pad: 'x'.repeat(70_000), name: '\0' }), 'name'],
    [JSON.stringify({ a: { 'b\0': long } }), 'a'],
    [JSON.stringify([long, ['\0']]), undefined],
  ];
  for (const [body, field] of cases) {
    const response = await fetch(`${service.url}/v1/contact-lists`, {
      method: 'POST',
      headers: { ...authorized, 'content-type': 'application/json' },
      body,
    });
    const { error } = (await response.json()) as { error: { code: string; field?: string; message: string } };
    assert.deepEqual(
      [response.status, error.code, error.field],
      [400, 'bad-field', field],
      body.slice(0, 80),
    );
    assert.match(error.message, /must not contain NUL or half of a surrogate pair/);
  }
});

test('a body that brings nothing more is ended, with an answer', async () => {
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(
    `POST /api HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${DEMO_TOKEN}\r\nContent-Length: 100\r\n\r\n{"a`,
  );
  await waitFor('an answer', () => answer !== '');
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, /"status":1/);
  await waitFor('the end of the connection', () => socket.closed);
});

test('a token of any length is unknown, and not kept as it is', async () => {
  const answer = await service.post(bodyOf('json', 100), { token: 'x'.repeat(15_000) });
  assert.deepEqual([answer.http, answer.status], [200, 3]);
});

/** The status line and the body of the answer to a request that is written as it is. */
async function answerTo(request: string): Promise<{ status: number; body: string }> {
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(request);
  await waitFor('an answer', () => answer.includes('\r\n\r\n'));
  socket.destroy();
  return { status: Number(answer.split(' ')[1]), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) };
}

test('an empty Content-Type is not a fault of the service, whatever the length of the body', async () => {
  const head = `POST /api HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${DEMO_TOKEN}\r\nContent-Type:\r\n`;
  const body = bodyOf('json', 100);
  const full = await answerTo(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  assert.deepEqual([full.status, JSON.parse(full.body).status], [200, 0]);
  const empty = await answerTo(`${head}Content-Length: 0\r\n\r\n`);
  assert.deepEqual([empty.status, JSON.parse(empty.body).status], [200, 1]);
});

test('a path with an invalid percent-encoding is refused in the form of its API', async () => {
  const forms: readonly [path: string, status: number, body: RegExp][] = [
    ['/v1/messages/%ff', 400, /^{"error":{"code":"unreadable"/],
    ['/chat-api/%ff', 400, /^{"success":false,"message":"the request cannot be read"/],
    ['/api/Mailer/%ff', 200, /"ResultID":400/],
    ['/u/%zz', 400, /^<!DOCTYPE html>/],
    ['/%ff', 400, /"message":"the path has an invalid percent-encoding"/],
  ];
  for (const [path, status, body] of forms) {
    const answer = await answerTo(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${DEMO_TOKEN}\r\n\r\n`,
    );
    assert.equal(answer.status, status, path);
    assert.match(answer.body, body, path);
  }
});

test('an upload that brings nothing more is ended with 408, wherever its body is read', async () => {
  const paths = ['/v1/media?kind=image', '/chat-webhooks', '/u/abc'];
  const answers = paths.map((path) =>
    answerTo(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${DEMO_TOKEN}\r\nContent-Type: image/png\r\nContent-Length: 4000\r\n\r\nabc`,
    ),
  );
  for (const [index, answer] of (await Promise.all(answers)).entries())
    assert.equal(answer.status, 408, paths[index]);
});
