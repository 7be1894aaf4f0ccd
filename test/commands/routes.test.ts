import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asPerson } from '../api/v1/calls.ts';
import { startDispatching } from '../engine/dispatch/support.ts';
import { mustSend, phone, phones, startNetwork } from '../faults/support.ts';
import { createDatabase } from '../support/database.ts';
import { environmentOfRun } from '../support/environment.ts';
import { databaseUrl } from '../support/process.ts';
import { programFile } from '../support/program.ts';
import { SECRET_KEY } from '../support/secrets.ts';
import { waitFor } from '../support/wait-for.ts';
import { carillon } from './support.ts';

/* `carillon routes` beside a running service. */

const first = await startNetwork();
const second = await startNetwork();
const database = await createDatabase();
const service = await startDispatching(first, {}, database);
const { sql, url } = service;
const operator = await asPerson(service, 'operator');
const sender = await service.account('sender', 1_000);
await operator.post('/operator/connectors', {
  name: 'alpha',
  smpp: { host: '127.0.0.1', port: second.port, system_id: 'carillon', password: 'carillon' },
});
await waitFor('alpha is up', () => second.smsc.boundSessions > 0);

const folder = mkdtempSync(join(tmpdir(), 'carillon-routes-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const settings = { DATABASE_URL: databaseUrl(database.target), SECRET_KEY, SMPP_URL: first.url() };
const run = (...args: string[]) => carillon(settings, 'routes', ...args);
async function ok(...args: string[]): Promise<string> {
  const { code, out, err } = await run(...args);
  assert.equal(code, 0, err);
  return out;
}
async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse(await ok(...args, '--json')) as T;
}
const file = (name: string, content: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const over = (connector: string, more: object = {}) => ({ connector, ...more });
const titles = async () => {
  const { routes } = await operator.get<{ routes: { id: string | null; title: string }[] }>(
    '/operator/routes',
  );
  return routes.flatMap(({ id, title }) => (id === null ? [] : [title]));
};
const audited = () => sql<{ action: string; after: Record<string, unknown> }[]>`
  SELECT action, after FROM audit_log WHERE action LIKE 'routes %'`;

const routes = [
  { title: 'Codes', prefixes: ['972'], kinds: ['code'], connectors: [over('alpha', { price: 0.02 })] },
  {
    title: 'Bakery',
    prefixes: ['972'],
    senders: ['Bakery'],
    connectors: [over('alpha'), over('smpp', { priority: 1 })],
  },
  { title: 'World', prefixes: [''], connectors: [over('smpp')], min_used_percent: 60 },
];
const wanted = file('routes.json', { routes });

test('a file is applied after it was shown and confirmed, and exported as it was', async () => {
  const unsure = await run('apply', wanted);
  assert.equal(unsure.code, 1);
  assert.match(unsure.out, /^\+ Codes {2}prefixes: 972; .*connectors: alpha \(price 0\.02\)/m);
  assert.equal(unsure.err, 'carillon: nothing was changed: add --yes to replace the routes\n');
  assert.deepEqual(await titles(), []);
  assert.equal((await audited()).length, 0);

  assert.match(await ok('apply', wanted, '--yes'), /^\+ World.*\n3 routes apply within a second$/m);
  await waitFor('the service has the routes', async () => (await titles()).length === 3);
  assert.deepEqual(await titles(), ['Codes', 'Bakery', 'World']);
  const [entry] = await audited();
  assert.deepEqual(
    [entry!.action, Object.keys(entry!.after).sort()],
    ['routes apply', ['added', 'changed', 'order']],
  );
  assert.equal(await ok('apply', wanted), 'no differences\n');
  assert.equal((await audited()).length, 1);

  const exported = join(folder, 'exported.json');
  assert.equal(await ok('export', exported), `3 routes are in ${exported}\n`);
  assert.equal(await ok('apply', exported), 'no differences\n');
  assert.deepEqual(JSON.parse(await ok('export')), JSON.parse(readFileSync(exported, 'utf8')));
});

test('routes are changed, moved, removed and added in one step, and keep their names if their conditions stay', async () => {
  const before = await json<{ title: string; name: string }[]>('list');
  const [codes, bakery] = routes as [object, object];
  const changed = file('changed.json', {
    routes: [
      { ...bakery, leave_codes: ['ESME_RSUBMITFAIL'] },
      { title: 'Britain', prefix: '44', connectors: [over('smpp')] },
      codes,
    ],
  });
  const { out } = await run('apply', changed);
  assert.match(out, /^\+ Britain {2}prefixes: 44/m);
  assert.match(out, /^~ Bakery: leave_codes: nothing -> ESME_RSUBMITFAIL$/m);
  assert.match(out, /^- World/m);
  assert.match(out, /^order: Bakery, Britain, Codes$/m);
  const shown = await json<{ added: object[]; changed: object[]; removed: object[]; reordered: boolean }>(
    'apply',
    changed,
    '--yes',
  );
  assert.deepEqual(
    [shown.added.length, shown.changed.length, shown.removed.length, shown.reordered],
    [1, 1, 1, true],
  );
  await waitFor('the service has the routes', async () => (await titles())[0] === 'Bakery');
  assert.deepEqual(await titles(), ['Bakery', 'Britain', 'Codes']);
  const names = (all: { title: string; name: string }[]) => all.find(({ title }) => title === 'Bakery')!.name;
  assert.equal(names(await json('list')), names(before));
  assert.equal(await ok('apply', changed), 'no differences\n');
});

test('in a terminal, the command asks before it replaces the routes', async () => {
  const { routes: present } = JSON.parse(await ok('export')) as { routes: object[] };
  const path = file('asked.json', { routes: present.toReversed() });
  const answered = (answer: string) => {
    const command = `exec ${process.execPath} ${programFile} routes apply ${path}`;
    const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { ...environmentOfRun, NO_COLOR: '1', ...settings },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    after(() => terminal.kill('SIGKILL'));
    let output = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (!output.includes('[y/N]') && (output + text).includes('[y/N]')) terminal.stdin.write(`${answer}\n`);
      output += text;
    });
    return new Promise<string>((resolve) => terminal.once('close', () => resolve(output)));
  };
  assert.match(await answered('n'), /order: Codes, Britain, Bakery.*nothing was changed/s);
  assert.deepEqual(await titles(), ['Bakery', 'Britain', 'Codes']);
  assert.match(await answered('y'), /3 routes apply within a second/);
  await waitFor('the service has the routes', async () => (await titles())[0] === 'Codes');
  await ok('apply', file('asked.json', { routes: present }), '--yes');
  await waitFor('the service has the routes', async () => (await titles())[0] === 'Bakery');
});

test('a file with a mistake changes nothing, and the error names its field', async () => {
  for (const [content, problem] of [
    ['{', /: no JSON$/m],
    [{}, /routes: /],
    [
      { routes: [{ prefixes: ['x'], connectors: [over('alpha')] }] },
      /routes\[0\]\.prefixes\[0\]: must be digits/,
    ],
    [{ routes: [{ prefix: '1', prefixes: ['1'], connectors: [over('alpha')] }] }, /routes\[0\]\.prefix: /],
    [
      { routes: [{ connectors: [over('alpha')] }, { connectors: [over('smpp')] }] },
      /two routes have the same conditions/,
    ],
    [
      { routes: [...routes, { prefix: '33', connectors: [over('nobody')] }] },
      /no connector of SMS has this name/,
    ],
  ] as const) {
    const { code, err } = await run('apply', file('wrong.json', content), '--yes');
    assert.equal(code, 1);
    assert.match(err, problem);
  }
  assert.equal((await run('apply', join(folder, 'missing.json'))).code, 1);
  assert.deepEqual(await titles(), ['Bakery', 'Britain', 'Codes']);
});

test('the route of a message, the figures and a replay are shown, and nothing is sent', async () => {
  await mustSend(url, sender, phones(0, 5), { source: 'Bakery' });
  await waitFor('the messages are out', () => phones(0, 5).every((to) => second.taken.has(to)));
  await waitFor('they are counted', async () => (await ok('quality')).startsWith('97250  alpha  5 messages'));
  assert.match(await ok('quality', '--prefix', '44'), /^no messages in 60 hours$/m);

  const found = await ok('find', phone(0), '--account', 'sender', '--sender', 'bakery');
  assert.match(found, /^route Bakery {2}prefixes: 972/m);
  assert.match(found, /^over alpha$/m);
  assert.match(found, /^ {2}alpha {2}up {2}share 100 % {2}delivered 100 % \(at least [\d.]+ %\)$/m);
  assert.match(found, /^not .*: kinds$/m);
  const code = await json<{ route: { title: string } }>('find', phone(0), '--kind', 'code');
  assert.equal(code.route.title, 'Codes');

  const replayed = await ok(
    'replay',
    file('other.json', { routes: [{ prefix: '972', connectors: [over('smpp')] }] }),
  );
  assert.match(replayed, /^5 of 5 messages would take other connectors$/m);
  assert.match(replayed, /^smpp {2}0 -> 5$/m);
  assert.match(await ok('list'), /^1 {2}Bakery {2}prefixes: 972.*\n2 {2}Britain/m);
  assert.equal(first.submits.length + second.submits.length, 5);
  for (const args of [
    ['find', 'abc'],
    ['find', phone(0), '--at', 'tomorrow'],
    ['find', phone(0), '--account', 'nobody'],
    ['quality', '--prefix', '+1'],
    ['replay', wanted, '--hours', '73'],
  ])
    assert.equal((await run(...args)).code, 1, args.join(' '));
});
