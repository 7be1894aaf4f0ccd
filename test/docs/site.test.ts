import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fastify } from 'fastify';
import { guidePages } from '../../server/api/docs/guide.ts';
import { buildSite } from '../../site/build.ts';
import { groups, outside, pathOf } from '../../site/navigation.ts';
import { startTestService } from '../support/service.ts';

/* The documentation at /docs/guide: every file of docs/ is a page, and every link leads somewhere. */

// Fails for a link to a page or a section that is not there.
await buildSite();
const service = await startTestService();
const asPage = { accept: 'text/html,application/xhtml+xml' };
const get = (path: string, headers: Record<string, string> = asPage) =>
  fetch(service.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });

const files = groups().flatMap((group) => group.files);

test('every file of docs/ is a page, under one heading of the navigation', () => {
  const present = ['docs', 'docs/guide', 'docs/decisions'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  assert.deepEqual([...files].sort(), [...present, ...outside()].sort());
  assert.equal(new Set(files.map(pathOf)).size, files.length);
});

test('the navigation shows all decisions on their pages, and elsewhere only the page that lists them', async () => {
  const decisions = files.filter((file) => /^docs\/decisions\/\d{4}-/.test(file));
  const shownOn = async (path: string) => {
    const [navigation] = (await (await get(path)).text()).split('</nav>');
    return decisions.filter((file) => navigation!.includes(`href="/docs/guide${pathOf(file)}"`));
  };
  assert.deepEqual(await shownOn('/docs/guide/reference/decisions'), decisions);
  assert.deepEqual(await shownOn(`/docs/guide${pathOf(decisions[0]!)}`), decisions);
  assert.deepEqual(await shownOn('/docs/guide/reference/architecture'), []);
});

test('all that pages load and link to is served, and nothing comes from elsewhere', async () => {
  const pages = new Map<string, string>();
  const open = files.map((file) => `/docs/guide${pathOf(file)}`);
  const targets = new Map<string, Set<string>>();
  for (const path of open) {
    const response = await get(path);
    assert.equal(response.status, 200, path);
    const html = await response.text();
    pages.set(path, html);
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/, path);
    const links = [...html.matchAll(/<(\w+)[^>]*?\s(?:href|src|data-index|data-engine)="([^"]+)"/g)];
    for (const [, tag, address] of links) {
      if (/^https?:/.test(address!)) {
        assert.equal(tag, 'a', `${path} loads ${address}`);
        continue;
      }
      const { pathname, hash } = new URL(address!, service.url + path);
      if (!targets.has(pathname)) targets.set(pathname, new Set());
      if (hash !== '') targets.get(pathname)!.add(hash.slice(1));
    }
  }
  for (const [path, ids] of targets) {
    const html = pages.get(path);
    if (html === undefined) assert.equal((await get(path)).status, 200, path);
    else for (const id of ids) assert.ok(html.includes(` id="${decodeURIComponent(id)}"`), `${path}#${id}`);
  }
  assert.ok(open.length > 40 && targets.size > open.length, `${targets.size}`);
});

test('pages are revalidated each time, files with a hash in their name are cached permanently', async () => {
  const page = await get('/docs/guide');
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  const etag = page.headers.get('etag')!;
  const again = await get('/docs/guide', { ...asPage, 'if-none-match': etag });
  assert.deepEqual([again.status, await again.text()], [304, '']);
  assert.equal((await get('/docs/guide/')).headers.get('etag'), etag);
  const html = await page.text();
  for (const [path, type] of html.matchAll(/\/docs\/guide\/assets\/[\w-]+\.(\w+)/g)) {
    const file = await get(path);
    assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable', path);
    assert.match(file.headers.get('content-type')!, type === 'js' ? /javascript/ : new RegExp(type!), path);
    const packed = await get(path, { 'accept-encoding': 'br' });
    assert.equal(packed.headers.get('content-encoding'), 'br', path);
    assert.equal(await packed.text(), await file.text(), path);
  }
});

test('a policy that allows the files of the pages, and nothing inline', async () => {
  const policy = (await get('/docs/guide/first-message-php')).headers.get('content-security-policy')!;
  assert.match(
    policy,
    /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';/,
  );
  assert.doesNotMatch(policy, /unsafe|https?:|data:|nonce/);
});

test('a missing path returns 404: a page for people, JSON for programs', async () => {
  for (const path of ['/docs/guide/nothing', '/docs/guide/reference/nothing', '/docs/guide/index.html']) {
    const page = await get(path);
    assert.equal(page.status, 404, path);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.match(await page.text(), /<h1[^>]*>Page not found/);
    assert.match((await get(path, { accept: 'application/json' })).headers.get('content-type')!, /json/);
  }
  for (const path of ['/docs/guide/assets/gone-12345678.js', '/docs/guide/%2e%2e/package.json']) {
    assert.equal((await get(path, { accept: '*/*' })).status, 404, path);
  }
});

test('without a build it says what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-site-'));
  after(() => rmSync(folder, { recursive: true }));
  const app = fastify();
  await app.register(guidePages, {
    folder,
    log: { warn: (text: string) => assert.match(text, /npm run build/) },
  });
  const answer = await app.inject('/docs/guide');
  assert.equal(answer.statusCode, 503);
  assert.match(answer.body, /npm run build/);
  await app.close();
});
