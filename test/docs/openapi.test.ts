import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import type { DocumentOperation } from '../../server/api/openapi/document.ts';
import { covers } from '../conformance/covers.ts';
import { startTestService } from '../support/service.ts';
import { type AnyBody, openDescription } from './openapi-support.ts';

const service = await startTestService();
const { response, document, operations, resolve, readerOf } = await openDescription(service.url);

/** Every object in a part of the document, with where it is. */
function* objectsIn(value: unknown, at = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Record<string, unknown>];
  for (const [name, inner] of Object.entries(value)) {
    // Examples are not part of the language.
    if (name !== 'example' && name !== 'examples') yield* objectsIn(inner, `${at}/${name}`);
  }
}

const keysOf = {
  root: ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components'],
  operation: [
    'tags',
    'operationId',
    'summary',
    'description',
    'security',
    'parameters',
    'requestBody',
    'responses',
    'x-outcomes',
  ],
  parameter: ['name', 'in', 'description', 'required', 'schema'],
  body: ['description', 'required', 'content'],
  content: ['schema', 'example'],
};

function hasOnly(part: object, keys: readonly string[], where: string): void {
  const others = Object.keys(part).filter((key) => !keys.includes(key));
  assert.deepEqual(others, [], where);
}

function checkBody(body: AnyBody, where: string): void {
  hasOnly(body, keysOf.body, where);
  assert.ok(Object.keys(body.content ?? {}).length > 0, `${where} has no content`);
  for (const [type, content] of Object.entries(body.content!)) {
    assert.match(type, /^\w+\/[\w-]+$/);
    hasOnly(content, keysOf.content, where);
    if (type === 'application/json') readerOf(content.schema).parse(content.example);
    else assert.equal(typeof content.example, 'string');
  }
}

/** The size of a file as it is sent to a client that takes this encoding. */
async function compressedBytes(path: string, encoding: string): Promise<number> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(service.url + path, { headers: { 'accept-encoding': encoding } }, resolve).once('error', reject);
  });
  assert.equal(answer.headers['content-encoding'], encoding, path);
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  return bytes;
}

describe('the document is one of OpenAPI 3.1', covers('docs.openapi'), () => {
  test('it is served as JSON, to tools on other sites too', () => {
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
  });

  test('it is sent compressed, and to who has it not again', async () => {
    assert.ok((await compressedBytes('/docs/openapi.json', 'br')) < 200_000);
    assert.ok((await compressedBytes('/docs/openapi.json', 'gzip')) < 300_000);
    const tags = new Set<string>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const ask = (headers: Record<string, string> = {}) =>
        fetch(`${service.url}/docs/openapi.json`, { headers: { 'accept-encoding': encoding, ...headers } });
      const whole = await ask();
      assert.deepEqual(await whole.json(), document);
      const etag = whole.headers.get('etag')!;
      assert.match(etag, /^"/);
      tags.add(etag);
      const again = await ask({ 'if-none-match': etag });
      assert.deepEqual([again.status, await again.text()], [304, '']);
    }
    assert.equal(tags.size, 3);
  });

  test('its head', () => {
    hasOnly(document, keysOf.root, '#');
    assert.match(document.openapi, /^3\.1\.\d+$/);
    assert.ok(document.info.title && document.info.version && document.info.description);
    assert.equal(new Set(document.tags.map(({ name }) => name)).size, document.tags.length);
    for (const requirement of [document, ...operations.map(({ operation }) => operation)].flatMap(
      ({ security = [] }) => security,
    )) {
      for (const name of Object.keys(requirement)) assert.ok(document.components.securitySchemes[name], name);
    }
    for (const names of Object.values(document.components)) {
      for (const name of Object.keys(names)) assert.match(name, /^[\w.-]+$/);
    }
  });

  test('its references lead somewhere, and its types are those of JSON Schema', () => {
    const types = new Set(['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']);
    for (const [where, object] of objectsIn(document)) {
      if (typeof object.$ref === 'string') resolve(object);
      if (!where.includes('/schema') || where.endsWith('/properties')) continue;
      for (const type of [object.type ?? []].flat()) assert.ok(types.has(type as string), where);
    }
  });

  test('each operation has a unique name and all required parts', covers('C.OpenAPI'), () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { path, method, operation } of operations) {
      const where = `${method} ${path}`;
      assert.match(path, /^\/[\w/{}.-]*(#\w+)?$/);
      assert.match(operation.operationId, /^[A-Za-z]\w*$/);
      assert.match(method, /^(get|post|put|patch|delete)$/);
      hasOnly(operation, keysOf.operation, where);
      assert.ok(operation.summary && operation.description, where);
      assert.ok(
        document.tags.some(({ name }) => name === operation.tags[0]),
        where,
      );
      const outcomes = operation['x-outcomes'];
      assert.ok(
        outcomes.every(({ code, meaning }) => code && meaning),
        where,
      );
      assert.equal(new Set(outcomes.map(({ code }) => code)).size, outcomes.length, where);
      checkParameters(operation, path, where);
      if (operation.requestBody) checkBody(operation.requestBody, where);
      assert.ok(
        Object.keys(operation.responses).some((status) => status.startsWith('2')),
        where,
      );
      for (const [status, answer] of Object.entries(operation.responses)) {
        assert.match(status, /^[2-5]\d\d$/);
        const body = resolve<AnyBody>(answer);
        assert.ok(body.description, where);
        checkBody(body, `${where} ${status}`);
      }
    }
  });
});

function checkParameters({ parameters = [] }: DocumentOperation, path: string, where: string): void {
  assert.equal(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size, parameters.length, where);
  for (const parameter of parameters) {
    hasOnly(parameter, keysOf.parameter, where);
    assert.ok(parameter.description, `${where} ${parameter.name}`);
  }
  const inPath = parameters.filter((one) => one.in === 'path');
  assert.ok(
    inPath.every(({ required }) => required),
    where,
  );
  assert.deepEqual(
    inPath.map(({ name }) => name),
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
  );
}

{
  const answer = await fetch(`${service.url}/docs`);
  const index = await answer.text();
  const addresses = [
    ...new Set([...index.matchAll(/href="(\/docs\/api\/[^"#]+)"/g)].map(([, path]) => path!)),
  ];
  const chapters = await Promise.all(addresses.map(async (path) => (await fetch(service.url + path)).text()));
  const html = chapters.join('\n');

  describe('the pages', covers('docs.page'), () => {
    test('the index leads to every operation, and each has its place on the page of its chapter', () => {
      assert.equal(addresses.length, document.tags.length);
      for (const { operation } of operations) {
        const id = operation.operationId;
        const [, path] = new RegExp(`<li id="${id}"><a href="([^"]+)#${id}">`).exec(index) ?? [];
        assert.ok(path, id);
        const page = chapters[addresses.indexOf(path)]!;
        assert.ok(page.includes(`<section class="operation" id="${id}"`), id);
        assert.ok(page.includes(`<li><a href="${path}#${id}">`), id);
      }
    });

    test('every chapter of the time when all had one page has its entry in the index', () => {
      for (const { name } of document.tags) {
        assert.ok(index.includes(`id="chapter-${name.toLowerCase().replaceAll(/\W+/g, '-')}"`), name);
      }
    });

    test('a chapter that there is not is not found', async () => {
      assert.equal((await fetch(`${service.url}/docs/api/nothing`)).status, 404);
    });

    test('have examples that work where they are read', () => {
      const lines = [...html.matchAll(/<code>(curl [^<]*)<\/code>/g)].map(([, text]) =>
        readCurl(unescapeHtml(text!)),
      );
      for (const { method, path, operation } of operations.filter((one) => one.path.startsWith('/v1/'))) {
        const where = path.replace(/\{\w+\}/g, '1774337460000002');
        const line = lines.find((one) => one.method === method && one.url.pathname === where);
        assert.ok(line, `${method} ${path}`);
        assert.ok(line.url.href.startsWith(`${service.url}/`));
        const needed = (operation.parameters ?? []).filter((one) => one.in === 'query' && one.required);
        for (const { name } of needed) assert.ok(line.url.searchParams.get(name), `${path} ${name}`);
        const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
        if (type === 'application/json') {
          assert.equal(line.headers.get('content-type'), type, path);
          assert.deepEqual(JSON.parse(line.body!), content!.example);
        } else assert.equal(line.body, content?.example);
        const schemes = (operation.security ?? document.security).flatMap((scheme) => Object.keys(scheme));
        assert.equal(line.headers.has('authorization'), schemes.includes('token'), path);
        assert.equal(line.headers.has('cookie'), schemes.length === 1 && schemes[0] === 'session', path);
        if (!schemes.includes('token') && method !== 'get')
          assert.equal(line.headers.get('x-carillon-csrf'), '1');
      }
      const [, ofSms] = lines.find(({ url }) => url.pathname === '/api')!.body!.match(/^\s*\{\s*"(\w+)"/)!;
      assert.ok(operations.some(({ path }) => path === `/api#${ofSms}`));
    });

    test('they load styles and scripts of the service, and have nothing inline', () => {
      const policy = answer.headers.get('content-security-policy')!;
      assert.match(policy, /^default-src 'none';/);
      assert.doesNotMatch(policy, /unsafe|https?:|data:|nonce|sha/);
      for (const page of [index, ...chapters]) {
        for (const tag of page.match(/<[a-z][^>]*>/g)!) {
          assert.doesNotMatch(tag, /\s(style|srcset|on\w+)=|<(style|img|iframe|base|form)\b/);
          if (/^<(script|link)\b/.test(tag)) assert.match(tag, /\s(?:src|href)="\/docs\/page\.(js|css)"/);
        }
        assert.equal(page.match(/<script[^>]*><\/script>/g)?.length, 1);
      }
    });

    test('each is compressed, and small', async () => {
      for (const path of ['/docs', ...addresses, '/docs/page.css', '/docs/page.js', '/docs/try.js']) {
        const bytes = await compressedBytes(path, 'br');
        assert.ok(bytes < 100_000, `${path} ${bytes}`);
      }
    });

    test('are well-formed: what is opened is closed, and no id is there twice', () => {
      const without = new Set(['meta', 'link', 'input', 'wbr']);
      for (const page of [index, ...chapters]) {
        const open: string[] = [];
        for (const [, close, name] of page.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
          if (without.has(name!)) continue;
          if (close) assert.equal(open.pop(), name);
          else open.push(name!);
        }
        assert.deepEqual(open, []);
        const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
        assert.equal(new Set(ids).size, ids.length);
      }
    });
  });
}

const unescapeHtml = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** What a line of curl sends, as far as the page uses it. */
function readCurl(line: string) {
  const words = [...line.matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|([^\s'"]+)/g)]
    .map(([, single, double, bare]) => single?.replaceAll("'\\''", "'") ?? double ?? bare!)
    .filter((word) => word !== '\\');
  const headers = new Headers();
  let [method, url, body]: (string | undefined)[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (word === '-s') continue;
    if (!word.startsWith('-')) {
      url = word;
      continue;
    }
    const value = words[++at]!;
    if (word === '-X') method = value.toLowerCase();
    else if (word === '-b') headers.set('cookie', value);
    else if (word === '-H') headers.set(...(value.split(': ') as [string, string]));
    else if (word === '-d' || word === '--data-binary') body = value;
    else assert.fail(`curl ${word}`);
  }
  return { method: method ?? (body === undefined ? 'get' : 'post'), url: new URL(url!), headers, body };
}
