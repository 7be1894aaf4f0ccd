import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { addPerson, Browser, PASSWORD } from '../support/console.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';

/* What a browser could be made to do with an answer: keep it, guess its type, frame it, run it, send it over plain http. */

interface Route {
  readonly app: FastifyInstance;
  readonly method: string;
  readonly url: string;
}

// Every route of every server that is made from now on.
const routes: Route[] = [];
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ app: fastify, method: one, url });
  });
});

const service = await startTestService();
const { port } = new URL(service.url);
const secure = await startTestService({
  sandbox: false,
  settings: { PUBLIC_URL: 'https://carillon.example' },
});

const ours = routes.filter(({ app }) => {
  const address = app.server.address();
  return typeof address === 'object' && address !== null && String(address.port) === port;
});

const pathOf = (url: string) => url.replaceAll(/:\w+(\([^)]*\))?/g, '1').replaceAll('*', 'x');

function assertHeaders({ headers }: Response, where: string, https = false): void {
  const header = (name: string) => headers.get(name) ?? '';
  assert.equal(header('x-content-type-options'), 'nosniff', where);
  assert.equal(header('referrer-policy'), 'no-referrer', where);
  assert.equal(header('x-frame-options'), 'DENY', where);
  assert.equal(header('cross-origin-opener-policy'), 'same-origin', where);
  assert.match(header('cross-origin-resource-policy'), /^(same|cross)-origin$/, where);
  assert.match(header('content-security-policy'), /default-src 'none'/, where);
  if (header('content-type').startsWith('text/html')) {
    assert.match(header('content-security-policy'), /frame-ancestors 'none'/, where);
    assert.match(header('content-security-policy'), /base-uri 'none'/, where);
    assert.doesNotMatch(
      header('content-security-policy'),
      /script-src[^;]*unsafe|(?:script|default)-src[^;]*\*/,
      where,
    );
  }
  assert.equal(
    headers.get('strict-transport-security'),
    https ? 'max-age=31536000; includeSubDomains' : null,
    where,
  );
  assert.equal(headers.get('server') ?? headers.get('x-powered-by'), null, where);
}

/** Pages and files of the console, and the description: the same for everybody. */
const isPublic = (url: string) =>
  /^\/(assets\/|docs|icon|manifest|favicon|robots|fonts\/|[\w.-]+\.\w+$)/.test(url);

test('every route, asked by a stranger: headers that keep the answer safe, and no version', async () => {
  assert.ok(ours.length > 200, `${ours.length} routes`);
  const seen = new Set<string>();
  for (const { method, url } of ours) {
    const path = pathOf(url);
    if (method === 'HEAD' || seen.has(`${method} ${path}`)) continue;
    seen.add(`${method} ${path}`);
    const response = await fetch(service.url + path, {
      method,
      redirect: 'manual',
      ...(!['GET', 'OPTIONS'].includes(method) && { body: '{}' }),
    });
    await response.arrayBuffer();
    const where = `${method} ${path} ${response.status}`;
    assertHeaders(response, where);
    assert.equal(response.headers.get('x-carillon-version'), null, where);
    if (!isPublic(url)) assert.match(response.headers.get('cache-control') ?? '', /^no-store/, where);
  }
});

test('what is not understood has them, too', async () => {
  for (const path of [
    '/nowhere',
    '/v1/nowhere',
    '/api/Mailer/nowhere',
    '/%ff',
    '/v1/%zz',
    '/api?%',
    '//',
    '/.env',
  ]) {
    const response = await fetch(service.url + path, { headers: { accept: 'application/json' } });
    await response.arrayBuffer();
    assertHeaders(response, path);
    assert.equal(response.headers.get('x-carillon-version'), null, path);
  }
  for (const bytes of [
    'GET / HTTP/1.1\r\nbroken\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ]) {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.once('close', () => resolve(text)).once('error', reject);
    });
    assert.match(answer, /^HTTP\/1\.1 4\d\d /);
    assert.match(answer, /\r\nx-content-type-options: nosniff\r\n/i);
    assert.match(answer, /\r\ncache-control: no-store\r\n/i);
  }
});

test('signed-in callers get the version, at every API', async () => {
  const authorization = `Bearer ${DEMO_TOKEN}`;
  const paths = [
    ...new Set(
      ours
        .filter(({ method, url }) => method === 'GET' && url.startsWith('/v1/'))
        .map(({ url }) => pathOf(url)),
    ),
  ];
  assert.ok(paths.length > 50);
  // These go on and on, and of the last two nobody is signed in.
  const others = new Set([
    '/v1/live',
    '/v1/events/stream',
    '/v1/session/providers',
    '/v1/session/forgotten-password',
  ]);
  for (const path of paths.filter((path) => !others.has(path))) {
    const response = await fetch(service.url + path, { headers: { authorization } });
    await response.arrayBuffer();
    assertHeaders(response, path);
    assert.match(response.headers.get('cache-control') ?? '', /^no-store/, path);
    assert.match(
      response.headers.get('x-carillon-version') ?? '',
      /^\d+\.\d+\.\d+/,
      `${path} ${response.status}`,
    );
  }
  const api = await fetch(`${service.url}/api`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ balance: { user: { username: 'demo' } } }),
  });
  assert.match(api.headers.get('x-carillon-version') ?? '', /^\d/);
  const chat = await fetch(`${service.url}/chat-api/send-template-message`, {
    method: 'POST',
    headers: { authorization },
    body: '{}',
  });
  assert.match(chat.headers.get('x-carillon-version') ?? '', /^\d/);
});

test('over https: HSTS on all answers, and a cookie that no other host can set', async () => {
  for (const path of ['/', '/api', '/v1/session', '/healthz', '/docs', '/nowhere']) {
    const response = await fetch(secure.url.replace('https://carillon.example', ''), {}).catch(
      () => undefined,
    );
    assert.equal(response, undefined);
    const local = await fetch(`${localUrl()}${path}`);
    await local.arrayBuffer();
    assertHeaders(local, path, true);
  }
  await addPerson(secure, 'dana', 'operator', null);
  const browser = new Browser(localUrl());
  const answer = await browser.call('POST', '/session', { username: 'dana', password: PASSWORD });
  const cookie = answer.headers.getSetCookie()[0]!;
  assert.match(cookie, /^__Host-carillon_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  const value = /=([\w-]{43});/.exec(cookie)![1]!;
  const asked = async (name: string) =>
    (await fetch(`${localUrl()}/v1/session`, { headers: { cookie: `${name}=${value}` } })).status;
  assert.equal(await asked('__Host-carillon_session'), 200);
  // As a subdomain or plain http could set it.
  assert.equal(await asked('carillon_session'), 401);
  assert.equal(await asked('__host-carillon_session'), 401);
  assert.equal(await asked('x__Host-carillon_session'), 401);
});

/** Where the service that says https really listens. */
function localUrl(): string {
  const listening = routes
    .map(({ app }) => app.server.address())
    .filter((address) => typeof address === 'object' && address !== null);
  const other = listening.find((address) => String(address.port) !== port && routesAt(address.port) > 200)!;
  return `http://127.0.0.1:${other.port}`;
}

function routesAt(wanted: number): number {
  return routes.filter(({ app }) => {
    const address = app.server.address();
    return typeof address === 'object' && address?.port === wanted;
  }).length;
}
