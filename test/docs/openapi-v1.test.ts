import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fastify } from 'fastify';
import { z } from 'zod';
import { open } from '../../server/api/access/rules.ts';
import type { JsonSchema } from '../../server/api/openapi/shown.ts';
import { SendKeys } from '../../server/api/send-keys/send-keys.ts';
import { bind, resource } from '../../server/api/v1/kit/route.ts';
import { v1Api } from '../../server/api/v1/plugin.ts';
import { covers } from '../conformance/covers.ts';
import { freePort } from '../support/free-port.ts';
import { type PlainAnswer, sendRequest } from '../support/send-request.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { describedFields, hasAround, withField } from './described-fields.ts';
import { type AnyBody, onlyDescribed, openDescription } from './openapi-support.ts';
import { type Call, type Fields, type Headers, openCases } from './v1-cases.ts';

// Where codes of phones are shown it stands still: a step does not end between a code and its use.
const phoneTime = Date.now();
const smppPort = await freePort();
const service = await startTestService({
  phoneClock: { now: () => phoneTime },
  settings: { SMPP_SERVER_PORT: String(smppPort) },
});
const description = await openDescription(service.url);
const { resolve, readerOf, document } = description;
const cases = await openCases(service, phoneTime, smppPort);
const stranger = await service.addAccount({ username: 'stranger' });
await cases.furnish();

const own = description.operations.filter(({ path }) => path.startsWith('/v1/'));
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const nobodies: Readonly<Record<string, Headers>> = {
  token: bearer('no token of anybody'),
  session: { cookie: `carillon_session=${'x'.repeat(43)}`, 'x-carillon-csrf': '1' },
};

/** Those that answer the same to everybody, an operator who names no account among them. */
const sameForAll = ['listLanguages'];
/** Of an installation without a sandbox: test/api/v1/operator.test.ts. */
const shownElsewhere = new Set(['showSandbox 404 not-found', 'changeSandbox 404 not-found']);

describe('what is said of /v1 is what it does', covers('docs.v1'), () => {
  for (const { path, method, operation } of own) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    const outcomes = new Set(operation['x-outcomes'].map(({ code }) => code));
    const schemes = (operation.security ?? document.security).flatMap((scheme) => Object.keys(scheme));
    const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const example = type === 'application/json' ? (content!.example as Fields) : undefined;
    const needed = parameters
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name, schema }): [string, string] => [name, String(schema.examples?.[0] ?? schema.enum?.[0])]);

    /** Calls the operation, with what has to be in the query unless it is given; the answer has to be as described. */
    async function ask(
      { id, headers, body }: Call,
      query: Fields = {},
    ): Promise<{ status: number; text: string }> {
      const url = new URL(path.replace('{id}', id ?? '1'), service.url);
      const given = Object.entries({
        ...Object.fromEntries(needed),
        ...cases.beside[operationId]?.(query),
        ...query,
      });
      for (const [name, value] of given) if (value !== undefined) url.searchParams.set(name, String(value));
      const text = example
        ? JSON.stringify(body ?? example)
        : (cases.files[operationId]?.(query) ?? content?.example);
      const answer = await sendRequest(url, {
        method: method.toUpperCase(),
        headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
        body: text as string | Uint8Array | undefined,
      });
      check(answer, `${method} ${url.pathname} ${answer.status}`);
      return answer;
    }

    /** An answer has to be one that is described. */
    function check({ status, headers, text }: PlainAnswer, where: string): void {
      const described = responses[String(status)];
      if (!described) assert.fail(`${where} is not described: ${text}`);
      const [[type, content]] = Object.entries(resolve<AnyBody>(described).content!) as [
        [string, { schema: JsonSchema; example: unknown }],
      ];
      assert.ok(String(headers['content-type']).startsWith(type), where);
      if (type === 'text/csv') {
        const columns = (file: string) => file.replace('\ufeff', '').split('\r\n')[0];
        assert.equal(columns(text), columns(String(content.example)), where);
      }
      if (type !== 'application/json') return;
      const fields = JSON.parse(text) as Fields;
      assert.deepEqual(onlyDescribed(fields, resolve(content.schema)), fields, where);
      readerOf(content.schema).parse(fields);
      if (status >= 300) {
        const { code } = fields.error as { code: string };
        assert.ok(outcomes.has(`${status} ${code}`), `${where}: ${code} is not described`);
      }
    }

    /** A call that works, with all that it needs. */
    async function fresh(): Promise<Call> {
      const call = await cases.callOf(path, operationId, example);
      return { headers: await caller(), ...call };
    }

    async function caller(): Promise<Headers> {
      if (schemes.includes('token')) return bearer(DEMO_TOKEN);
      if (path.startsWith('/v1/operator/')) return cases.operator.headers;
      return schemes.length > 0 ? (await cases.newPerson('owner')).headers : { 'x-carillon-csrf': '1' };
    }

    async function isRefused(status: number, call: Call, query: Fields = {}, what = ''): Promise<void> {
      const answer = await ask(call, query);
      assert.equal(
        answer.status,
        status,
        `${method} ${path} ${JSON.stringify(query)} ${what}: ${answer.text}`,
      );
    }

    async function works(call: Call, query: Fields = {}): Promise<Fields | undefined> {
      const answer = await ask(call, query);
      await cases.undo[operationId]?.();
      assert.ok(
        answer.status < 300,
        `${method} ${path} ${JSON.stringify(query)}: ${answer.text}\nWhere the example names what has to be there, say in cases of test/docs/v1-cases.ts, under ${operationId}, what is to be made and sent.`,
      );
      const success = Object.keys(resolve<AnyBody>(responses[String(answer.status)]!).content!)[0];
      return success === 'application/json' ? JSON.parse(answer.text) : undefined;
    }

    test(`${method} ${path}`, async () => {
      const call = await fresh();
      for (const scheme of schemes) await isRefused(401, { ...call, headers: nobodies[scheme]! });
      if (!schemes.includes('token') && schemes.length > 0) {
        await isRefused(403, { ...call, headers: bearer(DEMO_TOKEN) }, {}, 'with a token');
      }
      if (parameters.some(({ name }) => name === 'username')) {
        await isRefused(403, call, { username: stranger.username });
        await isRefused(404, { ...call, headers: cases.operator.headers }, { username: 'nobody' });
        if (!sameForAll.includes(operationId)) {
          await isRefused(400, { ...call, headers: cases.operator.headers }, {}, 'an operator, for nobody');
        }
      }
      if (path.includes('{id}')) {
        // Numbers of mailing lists begin at 1.
        await isRefused(404, { ...call, id: '2000000000' });
        await isRefused(404, { ...call, id: 'x' });
      }
      for (const { name } of parameters.filter((one) => one.in === 'query' && one.required)) {
        await isRefused(400, call, { [name]: undefined });
      }
      if (example) {
        for (const { path: field, required } of describedFields(content!.schema)) {
          if (!required || !hasAround(example, field)) continue;
          const body = withField(call.body ?? example, field, undefined) as Fields;
          await isRefused(400, { ...call, body }, {}, `without ${field.join('.')}`);
        }
      }
      await refusedBody(call);

      // What changes something has all that it needs made anew each time.
      const again = () => (method === 'get' ? call : fresh());
      const answer = await works(await again());
      for (const [name, value] of Object.entries(answer ?? {})) {
        if (method !== 'get' || !Array.isArray(value)) continue;
        assert.ok(
          value.length > 0,
          `${name} is empty, so that nothing is shown of its rows: make one in furnish of test/docs/v1-cases.ts`,
        );
      }
      for (const { name, schema, in: where } of parameters) {
        if (where !== 'query' || name === 'username') continue;
        for (const bad of badValues(schema)) await isRefused(400, call, { [name]: bad });
        for (const good of goodValues(schema)) await works(await again(), { [name]: good });
      }
    });

    /** What the description says is refused though the path has no id, or nobody is signed in. */
    async function refusedBody(call: Call): Promise<void> {
      const body = cases.refused[operationId]?.(example!);
      if (body) return isRefused(body.status, { ...call, body: body.body });
      const known = new Set(['404 unknown-user', ...(path.includes('{id}') ? outcomes : [])]);
      const open = [...outcomes].filter(
        (code) => code.startsWith('404') && !known.has(code) && !shownElsewhere.has(`${operationId} ${code}`),
      );
      if (schemes.length === 0) open.push(...[...outcomes].filter((code) => /^(401|410)/.test(code)));
      assert.deepEqual(
        open,
        [],
        `say in refused of test/docs/v1-cases.ts, under ${operationId}, what body is refused so`,
      );
    }
  }

  test('the cases are of operations that there are', () => {
    const ids = new Set(own.map(({ operation }) => operation.operationId));
    assert.deepEqual(
      [...cases.named].filter((id) => !ids.has(id)),
      [],
    );
  });

  test('a route that is not described does not come to be', async () => {
    const app = fastify();
    const { appContext } = service;
    const secret = resource('account')('GET /v1/secret', {
      access: open('nothing'),
      operationId: undefined as never,
      title: '',
      description: '',
      answer: z.object({}),
      handler: () => ({}),
    });
    const start = app.register(v1Api, {
      routes: bind([secret], {}),
      signIn: appContext,
      sendKeys: new SendKeys({ ...appContext, sql: service.sql }),
      log: appContext.log,
      accountLimit: 0,
      addressLimit: 0,
    });
    await assert.rejects(async () => await start.ready(), /GET \/v1\/secret is not described/);
    await app.close();
  });
});

/** Values that a parameter of the query does not take, by its schema. */
function badValues({
  type,
  enum: values,
  pattern,
  format,
  minimum,
  maximum,
  maxLength,
}: JsonSchema): unknown[] {
  const free = type === 'string' && !values && !pattern && !format;
  return [
    // A text that is said to be any is still one that means something, unless it has a limit.
    ...(free && maxLength !== undefined ? [] : ['-']),
    ...(minimum === undefined ? [] : [Number(minimum) - 1]),
    ...(maximum === undefined ? [] : [Number(maximum) + 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ];
}

/** Values that a parameter of the query takes, by its schema. */
function goodValues({ enum: values, format, minimum, maximum, default: usual }: JsonSchema): unknown[] {
  return [
    ...(values ?? []),
    // Of today: some spans have a limit.
    ...(format === 'date-time' ? [new Date(service.appContext.clock.now()).toISOString()] : []),
    ...[minimum, maximum, usual].filter((value) => value !== undefined),
  ];
}
