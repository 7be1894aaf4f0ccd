import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fastify } from 'fastify';
import { consolePages } from '../../server/api/console/plugin.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const asPage = { headers: { accept: 'text/html,application/xhtml+xml' } };
const get = (path: string, init: RequestInit = asPage) => fetch(`${service.url}${path}`, init);

test('the first page has a new nonce for each response, and a policy without inline scripts', async () => {
  const nonces = new Set<string>();
  for (const path of ['/', '/', '/messages/17?state=failed']) {
    const response = await get(path);
    assert.equal(response.status, 200);
    const page = await response.text();
    const policy = response.headers.get('content-security-policy')!;
    const nonce = /'nonce-([\w+/=]+)'/.exec(policy)![1]!;
    nonces.add(nonce);
    assert.ok(page.includes(`nonce="${nonce}"`) && !page.includes('__CSP_NONCE__'));
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /media-src 'self' https: blob:;/, 'what phones of the sandbox heard is played');
    // Mails live by attributes of style; nothing else is taken as it stands in a text.
    assert.match(policy, /; style-src-attr 'unsafe-inline';/);
    assert.doesNotMatch(policy.replace("style-src-attr 'unsafe-inline'", ''), /unsafe/);
    // Frames are our own documents: mails, in a sandbox.
    assert.match(policy, /frame-src 'self';/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    // Every script is a file.
    assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)/);
    assert.doesNotMatch(page, /\sstyle=|\son\w+=/);
  }
  assert.equal(nonces.size, 3);
});

test('files with a hash in their name are kept for good, and sent compressed as the browser likes', async () => {
  const page = await (await get('/')).text();
  const [path] = /\/assets\/[\w.-]+\.js/.exec(page)!;
  const plain = await get(path!, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(plain.headers.get('content-type'), 'text/javascript; charset=utf-8');
  const content = await plain.text();
  for (const encoding of ['br', 'gzip']) {
    const packed = await get(path!, { headers: { 'accept-encoding': encoding } });
    assert.equal(packed.headers.get('content-encoding'), encoding);
    assert.match(packed.headers.get('vary')!, /accept-encoding/);
    assert.equal(await packed.text(), content);
  }
  assert.equal((await get('/icon.svg')).headers.get('cache-control'), 'no-cache');
});

test('paths of other APIs stay theirs, and what nobody has is not found', async () => {
  for (const path of [
    '/api/nothing',
    '/v1/nothing',
    '/docs/nothing',
    '/chat-api/nothing',
    '/healthz/nothing',
  ]) {
    const response = await get(path);
    assert.ok([401, 404].includes(response.status), `${path} answered ${response.status}`);
    assert.doesNotMatch(await response.text(), /id="root"/, path);
  }
  for (const path of ['/assets/gone-12345678.js', '/before.js.map', '/favicon.ico']) {
    assert.equal((await get(path)).status, 404, path);
  }
  // Only who can show a page gets one.
  assert.equal((await get('/messages', { headers: { accept: 'application/json' } })).status, 404);
  assert.equal((await get('/messages', { method: 'POST', ...asPage })).status, 404);
});

test('without a build the page and the log say what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-console-'));
  after(() => rmSync(folder, { recursive: true }));
  const app = fastify();
  const warnings: string[] = [];
  const log = { warn: (text: string) => warnings.push(text) };
  await app.register(consolePages, { reserved: new Set(['v1']), folder, log });
  assert.deepEqual(warnings, [
    'the console is not built: run `npm run build`, then start this process again',
  ]);
  const answer = await app.inject({ url: '/', ...asPage });
  assert.equal(answer.statusCode, 503);
  assert.match(answer.body, /npm run build/);
  await app.close();
});
