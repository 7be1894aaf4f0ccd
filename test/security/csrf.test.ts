import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openDescription } from '../docs/openapi-support.ts';
import { countEverything } from '../support/books.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../support/console.ts';
import { newPhone } from '../support/phones.ts';
import { sendRequest } from '../support/send-request.ts';
import { startTestService } from '../support/service.ts';

/*
 * A page of another site lets the browser of somebody who is signed in ask for a change. Such a page can send GET and
 * POST with the content types of forms, and no header of its own without asking first (CORS), which nobody allows here.
 */

const service = await startTestService();
const { url, sql } = service;
await addPerson(service, 'csrf-owner', 'owner', service.demo.id);
await addPerson(service, 'csrf-operator', 'operator', null);
const owner = await signedIn(service, 'csrf-owner');
const operator = await signedIn(service, 'csrf-operator');
const { operations } = await openDescription(url);
const changes = operations.filter(({ path, method }) => path.startsWith('/v1/') && method !== 'get');

/** What a form, an image, a link or a fetch of another site comes with. */
const crossSite = {
  origin: 'https://evil.example',
  referer: 'https://evil.example/win-a-prize',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
};
const bodies: Readonly<Record<string, string>> = {
  'application/x-www-form-urlencoded': 'phones=0501234567&message=Hi&source=Shop&name=x',
  'text/plain': '{"phones": ["0501234567"], "message": "Hi", "source": "Shop", "name": "x"}',
  'multipart/form-data; boundary=x':
    '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--x--\r\n',
  'application/json': '{"phones": ["0501234567"], "message": "Hi", "source": "Shop", "name": "x"}',
};

const insteadOfHeader: readonly Record<string, string>[] = [
  {},
  { 'x-carillon-csrf': '' },
  { 'x-carillon-csrf': '0' },
  { 'x-csrf-token': '1' },
];

function sessionOf(path: string): string {
  return (path.startsWith('/v1/operator') ? operator : owner).cookie!;
}

const before = await countEverything(sql);

describe('a change with nothing but the cookie', () => {
  for (const [index, { method, path }] of changes.entries()) {
    test(`${method.toUpperCase()} ${path}`, async () => {
      const where = `${url}${path.replace(/\{\w+\}/g, '1')}`;
      for (const [number, [type, body]] of Object.entries(bodies).entries()) {
        // Each type and each header at every route; with one another they meet at every fourth.
        const csrf = insteadOfHeader[(index + number) % insteadOfHeader.length]!;
        const { status, text } = await sendRequest(where, {
          method: method.toUpperCase(),
          headers: {
            ...crossSite,
            ...csrf,
            cookie: `carillon_session=${sessionOf(path)}`,
            'content-type': type,
          },
          body: method === 'delete' ? null : body,
        });
        const { error } = JSON.parse(text) as { error: { message: string } };
        assert.equal(status, 403, `${type}: ${error.message}`);
        assert.match(error.message, /X-Carillon-CSRF/);
      }
    });
  }
});

test('a change by a method that only reads, or by naming another method', async () => {
  const cookie = `carillon_session=${owner.cookie}`;
  for (const { method, path } of changes) {
    const there = path.replace(/\{\w+\}/g, '1');
    const readable = operations.some((one) => one.path === path && one.method === 'get');
    for (const [as, target, headers] of [
      ['GET', there, {}],
      ['HEAD', there, {}],
      ['GET', `${there}?_method=${method}`, {}],
      ['GET', there, { 'x-http-method-override': method.toUpperCase() }],
      ['GET', there, { 'x-http-method': method.toUpperCase(), 'x-method-override': method.toUpperCase() }],
    ] as [string, string, Record<string, string>][]) {
      const { status } = await sendRequest(url + target, {
        method: as,
        headers: { ...crossSite, ...headers, cookie },
      });
      if (!readable) assert.ok(status >= 400, `${as} ${target}: ${status}`);
    }
  }
});

test('none of it changed anything', async () => {
  assert.deepEqual(await countEverything(sql), before);
});

test('permission for another site to send the header', async () => {
  for (const path of [
    '/v1/sms',
    '/v1/session',
    '/api',
    '/chat-api/send-buttons',
    '/api/Mailer/CreateMalingList',
    '/',
  ]) {
    for (const origin of ['https://evil.example', 'null', url, 'http://localhost']) {
      for (const method of ['OPTIONS', 'GET', 'POST']) {
        const answer = await fetch(url + path, {
          method,
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'x-carillon-csrf, content-type, authorization',
          },
        });
        await answer.body?.cancel();
        for (const name of ['origin', 'headers', 'credentials', 'methods', 'private-network']) {
          assert.equal(answer.headers.get(`access-control-allow-${name}`), null, `${method} ${path} ${name}`);
        }
      }
    }
  }
});

test('signing somebody in as the attacker, and signing somebody out', async () => {
  for (const type of Object.keys(bodies)) {
    const answer = await fetch(`${url}/v1/session`, {
      method: 'POST',
      headers: { ...crossSite, 'content-type': type },
      body: JSON.stringify({ username: 'csrf-owner', password: PASSWORD }),
    });
    assert.equal(answer.status, 403);
    assert.equal(answer.headers.get('set-cookie'), null);
  }
  const out = await fetch(`${url}/v1/session`, {
    method: 'DELETE',
    headers: { ...crossSite, cookie: `carillon_session=${owner.cookie}` },
  });
  assert.equal(out.status, 403);
  assert.equal((await owner.call('GET', '/session')).status, 200);
});

test('the cookie itself: other sites do not send it, scripts do not read it', async () => {
  const browser = new Browser(url);
  const answer = await browser.call('POST', '/session', { username: 'csrf-owner', password: PASSWORD });
  assert.equal(answer.status, 200);
  const cookie = answer.headers.get('set-cookie')!;
  for (const wanted of [/;\s*HttpOnly/i, /;\s*SameSite=Strict/i, /;\s*Path=\/(;|$)/i])
    assert.match(cookie, wanted);
  assert.doesNotMatch(cookie, /Domain=/i);
});

describe('the other APIs know no cookie', () => {
  test('a form that posts XML or JSON to them', async () => {
    const cookie = `carillon_session=${owner.cookie}`;
    const sms = {
      sms: {
        user: { username: 'demo' },
        source: 'Shop',
        destinations: { phone: newPhone() },
        message: 'Hi',
      },
    };
    for (const [path, body] of [
      ['/api', JSON.stringify(sms)],
      ['/api', '<balance><user><username>demo</username></user></balance>'],
      ['/chat-api/send-template-message', '{}'],
      ['/api/Mailer/GetMailingListNames', '{}'],
    ] as const) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await fetch(url + path, {
          method: 'POST',
          headers: { ...crossSite, cookie, 'content-type': type, 'x-carillon-csrf': '1' },
          body,
        });
        const text = await answer.text();
        assert.ok(
          answer.status === 401 || /<status>3<|"status":3|"success":false/.test(text),
          `${path}: ${answer.status} ${text}`,
        );
      }
    }
    assert.deepEqual(await countEverything(sql), before);
  });
});

test('a public page in a frame of another site, so that its button is pressed unseen', async () => {
  for (const path of [
    '/u/AAAAAA',
    '/v/AAAAAAAAAAAAAAAAAAAAAA',
    '/mail/remove/x',
    '/contact?tel=972501234567',
    '/docs',
    '/',
  ]) {
    const answer = await fetch(url + path, { headers: { accept: 'text/html' } });
    await answer.body?.cancel();
    assert.match(answer.headers.get('content-security-policy')!, /frame-ancestors 'none'/, path);
  }
});
