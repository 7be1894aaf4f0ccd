import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ADDRESS } from '../../server/api/docs/place.ts';
import { typescript } from '../../server/api/docs/typescript.ts';
import { childEnvironment } from '../../server/kit/child-processes.ts';
import { openDescription } from '../docs/openapi-support.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';

/*
 * The package as its users get it: packed, installed into an empty project without a registry, compiled there, and run
 * against a service. The programs of /docs are compiled and run there, too.
 */

const root = join(import.meta.dirname, '../..');
const service = await startTestService();
const { operations } = await openDescription(service.url);
const project = mkdtempSync(join(tmpdir(), 'carillon-client-'));
after(() => rmSync(project, { recursive: true, force: true }));

/** Runs a program in the project, or elsewhere. Throws with what it printed when it fails; returns what it printed. */
async function run(program: string, args: readonly string[], cwd = project): Promise<string> {
  const env = childEnvironment({
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: project,
    npm_config_cache: join(project, '.npm'),
    CARILLON_URL: service.url,
    TOKEN: DEMO_TOKEN,
    MAIL_TOKEN: 'a mail token',
  });
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(code, 0, `${program} ${args.join(' ')}: ${out}${err}`);
  return out;
}

const compile = (...args: string[]) =>
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args]);

const json = (value: unknown) => JSON.stringify(value, null, 2);

writeFileSync(join(project, 'package.json'), json({ name: 'shop', private: true, type: 'module' }));
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  // The types of the package, too.
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  outDir: 'built',
};
writeFileSync(
  join(project, 'tsconfig.json'),
  json({
    compilerOptions: { ...compilerOptions, module: 'nodenext' },
    include: ['*.ts', 'snippets'],
  }),
);
writeFileSync(
  join(project, 'node.d.ts'),
  'declare const process: { readonly env: Readonly<Record<string, string | undefined>> };\n',
);

const [packed] = JSON.parse(
  await run('npm', ['pack', '--json', '--pack-destination', project], join(root, 'client')),
) as [{ filename: string; files: { path: string }[] }];
await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(project, packed.filename)]);

test('the package has its modules, types, license and README, and needs no other', () => {
  const paths = packed.files.map(({ path }) => path);
  for (const path of ['README.md', 'package.json', 'dist/LICENSE', 'dist/index.js', 'dist/index.d.ts']) {
    assert.ok(paths.includes(path), path);
  }
  assert.ok(
    paths.every((path) => /^(?:README\.md|package\.json|dist\/(?:LICENSE|[\w-]+\.(?:js|d\.ts)))$/.test(path)),
  );
  const installed = JSON.parse(
    readFileSync(join(project, 'node_modules/@carillon/client/package.json'), 'utf8'),
  ) as Record<string, unknown>;
  assert.equal(installed.dependencies, undefined);
  assert.equal(installed.version, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  for (const path of paths.filter((one) => one.endsWith('.js'))) {
    const text = readFileSync(join(project, 'node_modules/@carillon/client', path), 'utf8');
    for (const [, from] of text.matchAll(/from '([^']+)'/g)) assert.match(from!, /^\.\/[\w-]+\.js$/, path);
  }
});

test('a program is compiled with it, and sends', async () => {
  writeFileSync(
    join(project, 'program.ts'),
    `import { Carillon, CarillonError } from '@carillon/client';
const client = new Carillon({ url: process.env.CARILLON_URL!, token: process.env.TOKEN! });
const { shipment_id } = await client.sms.send({ source: 'Shop', phones: ['0501234567'], message: 'Packed' });
const ids: string[] = [];
for await (const message of client.messages.list({ shipment_id })) ids.push(message.id);
try {
  await client.sms.send({ source: 'Shop', phones: ['12'], message: 'Packed' });
} catch (error) {
  if (error instanceof CarillonError) console.log(JSON.stringify({ ids, code: error.code }));
}
`,
  );
  writeFileSync(
    join(project, 'wrong.ts'),
    `import { Carillon, verifyWebhook } from '@carillon/client';
declare const client: Carillon;
// @ts-expect-error The sender is missing.
client.sms.send({ phones: ['0501234567'], message: 'Hello' });
// @ts-expect-error There is no such field.
client.sms.send({ source: 'Shop', message: 'Hello', phone: '0501234567' });
// @ts-expect-error There is no such operation.
client.request('GET /v1/nothing');
// @ts-expect-error The id is missing.
client.request('GET /v1/messages/{id}');
// @ts-expect-error One of these words.
client.messages.list({ state: 'gone' });
// @ts-expect-error It answers no pages.
client.list('GET /v1/account');
// @ts-expect-error Tokens are made by people.
client.request('POST /v1/tokens', { body: {} });
const event = await verifyWebhook('whsec_', {}, '');
// @ts-expect-error Not every event has it.
event.data.status;
if (event.type === 'chat.status') event.data.status satisfies 'sent' | 'delivered' | 'read' | 'failed';
`,
  );
  await compile();
  const said = JSON.parse(await run(process.execPath, ['built/program.js'])) as {
    ids: string[];
    code: string;
  };
  assert.equal(said.ids.length, 1);
  assert.equal(said.code, 'bad-destination');
  await compile('--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler');
});

interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly authorization: string;
  readonly type: string | null;
  readonly body: string | null;
}

test('the programs of /docs compile, and send the requests of their examples', async () => {
  mkdirSync(join(project, 'snippets'));
  const programs = operations.flatMap(({ method, path, operation }) => {
    const text = typescript({ method, path, operation });
    return text === undefined
      ? []
      : [{ method, path, operation, text: text.replace(ADDRESS, 'http://carillon') }];
  });
  assert.ok(programs.length > 150, String(programs.length));
  for (const { operation, text } of programs) {
    writeFileSync(join(project, 'snippets', `${operation.operationId}.ts`), text);
  }
  await compile();
  const answers = programs.map(({ operation }) => {
    const success = Object.values(operation.responses)[0] as { content: object };
    const [type, { example }] = Object.entries(success.content)[0] as [string, { example: unknown }];
    return {
      id: operation.operationId,
      type,
      text: typeof example === 'string' ? example : JSON.stringify(example),
    };
  });
  writeFileSync(join(project, 'answers.json'), JSON.stringify(answers));
  // Each is answered with the example of its answer. A stream goes on: it is left when it has been opened.
  writeFileSync(
    join(project, 'play.js'),
    `import { readFileSync } from 'node:fs';
const recorded = {};
const log = console.log;
console.log = () => {};
for (const { id, type, text } of JSON.parse(readFileSync('answers.json', 'utf8'))) {
  const opened = new Promise((resolve) => {
    globalThis.fetch = async (url, { method = 'GET', headers, body = null }) => {
      recorded[id] ??= { method, url, authorization: headers.get('authorization'), type: headers.get('content-type'), body };
      if (type === 'text/event-stream') {
        resolve();
        return new Promise(() => {});
      }
      return new Response(text, { headers: { 'content-type': type } });
    };
  });
  await Promise.race([import(\`./built/snippets/\${id}.js\`), opened]);
}
log(JSON.stringify(recorded));
process.exit(0);
`,
  );
  const recorded = JSON.parse(await run(process.execPath, ['play.js'])) as Record<string, Recorded>;
  for (const { method, path, operation } of programs) {
    const { operationId, parameters = [], requestBody } = operation;
    const sent = recorded[operationId]!;
    assert.ok(sent, operationId);
    const url = new URL(sent.url);
    const pattern = path.split('#')[0]!.replace(/\{\w+\}/g, '[^/{}]+');
    assert.match(url.pathname, new RegExp(`^${pattern}$`), operationId);
    assert.equal(sent.method.toLowerCase(), method, operationId);
    for (const { name, in: where, required } of parameters) {
      if (where === 'query' && required) assert.ok(url.searchParams.get(name), `${operationId} ${name}`);
    }
    const token = path.startsWith('/api/Mailer/') ? 'a mail token' : DEMO_TOKEN;
    assert.equal(sent.authorization, `Bearer ${token}`, operationId);
    const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [null, undefined];
    assert.equal(sent.type, type, operationId);
    if (type === 'application/json') assert.deepEqual(JSON.parse(sent.body!), content!.example, operationId);
    else assert.equal(sent.body, content?.example ?? null, operationId);
  }
});
