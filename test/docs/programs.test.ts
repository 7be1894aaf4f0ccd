import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { php, phpLiteral } from '../../server/api/docs/php.ts';
import { ADDRESS } from '../../server/api/docs/place.ts';
import { python, pythonLiteral } from '../../server/api/docs/python.ts';
import { newClient } from '../channels/chat-api/support.ts';
import { MAIL_TOKEN } from '../channels/mail-api/support.ts';
import { newPhone } from '../support/phones.ts';
import { runPhp } from '../support/php.ts';
import { runPython } from '../support/python.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { openApiCases } from './api-cases.ts';
import { type Operation, openDescription } from './openapi-support.ts';
import { type Fields, openCases } from './v1-cases.ts';

/*
 * The PHP and Python programs of /docs, each in its own language: all of them are run against a service. They ask it through
 * a proxy, which compares what they send with the example of the operation, and puts in what the example only names: an id
 * of something that there is.
 */

const service = await startTestService({
  settings: { OTP_PER_PHONE_HOUR: '1000', CARILLON_DEMO_MAIL_TOKEN: MAIL_TOKEN },
});
const { operations } = await openDescription(service.url);
const cases = await openCases(service, Date.now());
const apiCases = await openApiCases(service);

const languages = [
  { name: 'php', program: php, literal: phpLiteral, run: runPhp },
  { name: 'python', program: python, literal: pythonLiteral, run: runPython },
];

/** By the names of language and operation, what was wrong with a request. */
const faults = new Map<string, unknown>();
const byId = new Map(operations.map((one) => [one.operation.operationId, one]));
const proxy = createServer((request, response) => {
  const [, language, operationId, rest] = /^\/(\w+)\/(\w+)(\/.*)$/.exec(request.url!)!;
  forward(byId.get(operationId!)!, rest!, request, response).catch((error: unknown) => {
    faults.set(`${language} ${operationId}`, error);
    response.destroy();
  });
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
after(() => proxy.close());
const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

async function forward(
  { method, path, operation }: Operation,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const sent = await text(request);
  const { pathname, searchParams } = new URL(url, service.url);
  const pattern = path.split('#')[0]!.replace(/\{\w+\}/g, '[^/{}]+');
  assert.match(pathname, new RegExp(`^${pattern}$`));
  assert.equal(request.method!.toLowerCase(), method);
  const needed = (operation.parameters ?? []).filter((one) => one.in === 'query' && one.required);
  assert.deepEqual(
    [...searchParams.keys()],
    needed.map(({ name }) => name),
  );
  const token = path.startsWith('/api/Mailer/') ? MAIL_TOKEN : DEMO_TOKEN;
  assert.equal(request.headers.authorization, `Bearer ${token}`);
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  assert.equal(request.headers['content-type'], type);
  const example = content?.example;
  if (type === 'application/json') assert.deepEqual(JSON.parse(sent), example);
  else assert.equal(sent, example ?? '');

  const { operationId } = operation;
  let [address, body, headers] = [url, sent, {}];
  if (path.startsWith('/v1/')) {
    const call = await cases.callOf(
      path,
      operationId,
      type === 'application/json' ? (example as Fields) : undefined,
    );
    if (call.id !== undefined) address = path.replace('{id}', call.id) + new URL(url, service.url).search;
    if (call.body) body = JSON.stringify(call.body);
    headers = call.headers ?? {};
  } else {
    [address, body] = await apiCases.present(operationId, url, sent);
  }
  // Some operations change what the next ones may send to a phone, or register an address once.
  body = body
    .replaceAll('972501234567', newClient)
    .replaceAll('0501234567', newPhone)
    .replaceAll('/new-hooks', () => `/new-hooks-${newPhone()}`);
  const answer = await fetch(new URL(address, service.url), {
    method: method.toUpperCase(),
    headers: {
      authorization: request.headers.authorization!,
      ...(type && { 'content-type': type }),
      ...headers,
    },
    body: body === '' ? null : body,
  });
  const answerType = answer.headers.get('content-type')!;
  response.writeHead(answer.status, { 'content-type': answerType });
  if (answerType.startsWith('text/event-stream')) {
    // It goes on and on: its beginning is enough.
    for await (const piece of answer.body!) {
      response.end(piece);
      break;
    }
    return;
  }
  response.end(Buffer.from(await answer.arrayBuffer()));
  await cases.undo[operationId]?.();
}

for (const { name, program, run } of languages) {
  test(`the programs in ${name} send the examples, and end well`, async () => {
    const programs = operations.flatMap((one) => {
      const written = program(one);
      const { operationId } = one.operation;
      return written === undefined
        ? []
        : [{ operationId, text: written.replaceAll(ADDRESS, `${proxyUrl}/${name}/${operationId}`) }];
    });
    assert.ok(programs.length > 200, String(programs.length));
    const ran = await run(
      programs.map((one) => one.text),
      { TOKEN: DEMO_TOKEN, MAIL_TOKEN },
    );
    const wrong = programs.flatMap(({ operationId, text: written }, index) => {
      const { error, printed } = ran[index]!;
      const isFile = written.includes('answer.bin');
      const fault =
        faults.get(`${name} ${operationId}`) ?? error ?? (printed === '' && !isFile && 'prints nothing');
      return fault ? [`${operationId}: ${fault}\n${written}`] : [];
    });
    assert.equal(wrong.join('\n\n'), '');
  });
}

/** Texts that a language could take for something else, among texts of any characters. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      ...`'"\\$\{}%?<>#/*&;\n\r\t\0\u202e\u2028 שלום é😀nux{`,
      '<?php',
      '?>',
      '${',
      '\\u',
      'EOT',
    ),
  }),
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    anyText,
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((number) => JSON.parse(JSON.stringify(number)) as number),
    fc.constantFrom(true, false, null),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(anyText, fc.constantFrom('0', '1', '2')), tie('value')),
  ),
})).value;

for (const { name, literal, run, print } of [
  { ...languages[0]!, print: (text: string) => `<?php\necho json_encode(${text}, JSON_THROW_ON_ERROR);` },
  { ...languages[1]!, print: (text: string) => `import json\nprint(json.dumps(${text}))` },
]) {
  test(`any value is written in ${name} so that it is the same value`, async () => {
    const values = fc.sample(anyJson, 500);
    const ran = await run(values.map((value) => print(literal(value))));
    values.forEach((value, index) => {
      const { error, printed } = ran[index]!;
      assert.equal(error, undefined, literal(value));
      assert.deepEqual(
        JSON.parse(printed),
        JSON.parse(JSON.stringify(value)),
        `${literal(value)}\n${printed}`,
      );
    });
  });
}
