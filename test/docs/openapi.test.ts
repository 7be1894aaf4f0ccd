import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { fastify } from 'fastify';
import { z } from 'zod';
import { PasswordChecks } from '../../server/accounts/passwords.ts';
import type { Document, DocumentOperation } from '../../server/interfaces/openapi/document.ts';
import type { JsonSchema } from '../../server/interfaces/openapi/shown.ts';
import { v1Door } from '../../server/interfaces/v1/door.ts';
import { SOURCE, templateId } from '../chat-api/support.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { contactListsOf, ended, type Job, json } from '../v1/support.ts';

const service = await startTestService();
const response = await fetch(`${service.url}/docs/openapi.json`);
const document = (await response.json()) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Every object in a part of the document, with where it is. */
function* objectsIn(value: unknown, at = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Record<string, unknown>];
  for (const [name, inner] of Object.entries(value)) {
    // Examples are not part of the language.
    if (name !== 'example' && name !== 'examples') yield* objectsIn(inner, `${at}/${name}`);
  }
}

function resolve<T>(part: T | { $ref: string }): T {
  const ref = (part as { $ref?: string }).$ref;
  if (ref === undefined) return part as T;
  const found = ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((inside, name) => (inside as Record<string, unknown>)?.[name], document);
  assert.ok(found, `${ref} leads nowhere`);
  return found as T;
}

const keysOf = {
  root: ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components'],
  operation: [
    'tags',
    'operationId',
    'summary',
    'description',
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

type AnyBody = { description?: string; content?: Record<string, { schema: JsonSchema; example: unknown }> };

function checkBody(body: AnyBody, where: string): void {
  hasOnly(body, keysOf.body, where);
  assert.ok(Object.keys(body.content ?? {}).length > 0, `${where} has no content`);
  for (const [type, content] of Object.entries(body.content!)) {
    assert.match(type, /^\w+\/\w+$/);
    hasOnly(content, keysOf.content, where);
    if (type === 'application/json') readerOf(content.schema).parse(content.example);
    else assert.equal(typeof content.example, 'string');
  }
}

/** What reads values of a schema of the document. */
function readerOf(schema: JsonSchema): z.ZodType {
  const whole = JSON.stringify(schema, (_key, value) =>
    typeof value?.$ref === 'string' ? resolve<JsonSchema>(value) : value,
  );
  return z.fromJSONSchema(JSON.parse(whole));
}

describe('the document is one of OpenAPI 3.1', () => {
  test('it is served as JSON, to tools on other sites too', () => {
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
  });

  test('its head', () => {
    hasOnly(document, keysOf.root, '#');
    assert.match(document.openapi, /^3\.1\.\d+$/);
    assert.ok(document.info.title && document.info.version && document.info.description);
    assert.equal(new Set(document.tags.map(({ name }) => name)).size, document.tags.length);
    for (const requirement of document.security) {
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

  test('each operation has a name of its own, and what an operation must have', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { path, method, operation } of operations) {
      const where = `${method} ${path}`;
      assert.match(path, /^\/[\w/{}-]*(#\w+)?$/);
      assert.match(operation.operationId, /^[A-Za-z]\w*$/);
      assert.match(method, /^(get|post|put|patch|delete)$/);
      hasOnly(operation, keysOf.operation, where);
      assert.ok(operation.summary && operation.description, where);
      assert.ok(
        document.tags.some(({ name }) => name === operation.tags[0]),
        where,
      );
      assert.ok(
        operation['x-outcomes'].every(({ code, meaning }) => code && meaning),
        where,
      );
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

describe('what is said of /v1 is what it does', async () => {
  const { door, newList, importFile } = contactListsOf(service);
  const list = await newList({ phone: '0501234567', df1: 'Dana' });
  const imported = await importFile(list, 'phone\r\n0521234567\r\n12\r\n');
  const exported = await json<Job>(door.post(`/contact-lists/${list}/export`), 202);
  await ended(door, `/exports/${exported.id}`);
  const sent = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: '0501234567' },
    message: 'Look: [link-1]',
    links: { link: { $: { id: '1' }, _: 'https://example.com' } },
  });
  const ids: Record<string, string> = {
    'contact-lists': list,
    imports: imported.id,
    exports: exported.id,
    shipments: sent.fields.shipment_id as string,
    templates: templateId('replies'),
    numbers: SOURCE,
    campaigns: await laterCampaign(),
  };
  const own = operations.filter(({ path }) => path.startsWith('/v1/'));
  const ask = (path: string, method: string, body?: Body, token = DEMO_TOKEN) =>
    fetch(`${service.url}${path}`, {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': body.type }) },
      body: body?.text ?? null,
    });

  for (const { path, method, operation } of own) {
    const there = path.replace(/(\w[\w-]*)\/\{id\}/, (_, of: string) => `${of}/${ids[of]}`);
    const file = bodyOf(operation);
    const documented = async (answer: Response) => {
      const body = resolve<AnyBody>(operation.responses[String(answer.status)]!);
      assert.ok(body, `${answer.status} is not documented`);
      const [type, content] = Object.entries(body.content!)[0]!;
      assert.ok(answer.headers.get('content-type')!.startsWith(type));
      if (type !== 'application/json') return;
      const fields = await answer.json();
      assert.deepEqual(onlyDescribed(fields, resolve(content.schema)), fields);
      readerOf(content.schema).parse(fields);
    };

    test(`${method} ${path}`, async () => {
      const answer = await ask(there, method, file);
      assert.ok(answer.ok, `${answer.status}`);
      await documented(answer);

      const signedOut = await ask(there, method, file, 'no token of anybody');
      assert.equal(signedOut.status, 401);
      await documented(signedOut);

      if (path.includes('{id}')) {
        const unknown = await ask(path.replace('{id}', '1'), method, file);
        assert.equal(unknown.status, 404);
        await documented(unknown);
      }
      for (const { name, in: where, schema } of operation.parameters ?? []) {
        if (where !== 'query' || name === 'username') continue;
        assert.equal((await ask(`${there}?${name}=-`, method, file)).status, 400, name);
        if (schema.maximum === undefined) continue;
        assert.equal((await ask(`${there}?${name}=${schema.maximum}`, method, file)).ok, true);
        assert.equal((await ask(`${there}?${name}=${Number(schema.maximum) + 1}`, method, file)).status, 400);
      }
    });
  }

  test('a route that is not described does not come to be', async () => {
    const app = fastify();
    const { foundation } = service;
    const start = app.register(v1Door, {
      parts: [(part) => part.get('/secret', async () => 'nobody knows')],
      signIn: { ...foundation, passwords: new PasswordChecks() },
      log: foundation.log,
      accountLimit: 0,
      addressLimit: 0,
    });
    await assert.rejects(async () => await start.ready(), /GET \/v1\/secret is not described/);
    await app.close();
  });
});

interface Body {
  readonly type: string;
  readonly text: string;
}

/** The example of an operation's body, as it is sent. */
function bodyOf({ requestBody }: DocumentOperation): Body | undefined {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return undefined;
  const [type, { example }] = content;
  return { type, text: typeof example === 'string' ? example : JSON.stringify(example) };
}

/** A campaign that waits for its time; its id. */
async function laterCampaign(): Promise<string> {
  const headers = { authorization: `Bearer ${DEMO_TOKEN}` };
  const answer = await fetch(`${service.url}/chat-api/create-campaign-wa`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      source: SOURCE,
      destinations: { phones: ['0501234567'] },
      campaign_message: templateId('plain'),
      future_campaign: 'future',
      from_date: '31/12/2036 23:59',
    }),
  });
  assert.deepEqual(await answer.json(), { data: { success: true, sum: 1 } });
  const listed = fetch(`${service.url}/v1/chat/campaigns`, { headers });
  const { campaigns } = await json<{ campaigns: { id: string }[] }>(listed);
  return campaigns[0]!.id;
}

/** The fields of an answer that its schema has. */
function onlyDescribed(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value))
    return value.map((entry) => onlyDescribed(entry, (schema.items ?? {}) as JsonSchema));
  if (!schema.properties) return value;
  return Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([name]) => Object.hasOwn(value as object, name))
      .map(([name, field]) => [
        name,
        onlyDescribed((value as Record<string, unknown>)[name], field as JsonSchema),
      ]),
  );
}

describe('the page', async () => {
  const answer = await fetch(`${service.url}/docs`);
  const html = await answer.text();

  test('has every operation, in the text and in the navigation', () => {
    for (const { operation } of operations) {
      assert.ok(html.includes(`id="${operation.operationId}"`), operation.operationId);
      assert.ok(html.includes(`<li><a href="#${operation.operationId}">`), operation.operationId);
    }
  });

  test('has examples that work where it is read', () => {
    assert.ok(html.includes(`curl -s ${service.url}/api \\\n`));
    assert.ok(html.includes(`curl -s ${service.url}/v1/contact-lists \\\n`));
  });

  test('loads nothing, and runs what is in it and nothing else', () => {
    const policy = answer.headers.get('content-security-policy')!;
    assert.match(policy, /^default-src 'none';/);
    assert.doesNotMatch(policy, /unsafe|https?:/);
    const inside = [...html.matchAll(/<(style|script)[^>]*>([\s\S]*?)<\/\1>/g)];
    assert.equal(inside.length, 2);
    for (const [, , text] of inside) {
      assert.ok(policy.includes(createHash('sha256').update(text!).digest('base64')));
    }
    const tags = html.match(/<[a-z][^>]*>/g)!;
    for (const tag of tags)
      assert.doesNotMatch(tag, /\s(src|style|srcset|on\w+)=|<(link|img|iframe|base|form)\b/);
  });

  test('is well-formed: what is opened is closed, and no id is there twice', () => {
    const open: string[] = [];
    const without = new Set(['meta', 'input', 'wbr']);
    const markup = html.replace(/<(style|script)[^>]*>[\s\S]*?<\/\1>/g, '');
    for (const [, close, name] of markup.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
      if (without.has(name!)) continue;
      if (close) assert.equal(open.pop(), name);
      else open.push(name!);
    }
    assert.deepEqual(open, []);
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
  });
});
