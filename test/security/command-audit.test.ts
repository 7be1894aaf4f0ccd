import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Command } from 'commander';
import { nameOf, onlyReads } from '../../server/commands/audited.ts';
import { manageCommands } from '../../server/commands/manage.ts';
import { isDistributed } from '../../server/database/distribution.ts';
import { createDatabase } from '../support/database.ts';
import { databaseUrl } from '../support/process.ts';
import { SECRET_KEY } from '../support/secrets.ts';

/* "I have a shell on the machine": what I change of money, prices, tokens and people leaves a trace. */

const { sql, target } = await createDatabase();
Object.assign(process.env, {
  DATABASE_URL: databaseUrl(target),
  SECRET_KEY,
  WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
  LOG_LEVEL: 'error',
});

const folder = mkdtempSync(join(tmpdir(), 'carillon-audit-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const routesFile = join(folder, 'routes.json');
writeFileSync(
  routesFile,
  JSON.stringify({ routes: [{ prefixes: ['972'], connectors: [{ connector: 'alpha' }] }] }),
);
await sql`
  INSERT INTO connectors (name, protocol, settings, is_enabled, changed_at)
  VALUES ('alpha', 'smpp', ${JSON.stringify({ host: '127.0.0.1', port: 9, systemId: 'me' })}::jsonb, false, 0)`;

function newProgram(): Command {
  const program = new Command('carillon').exitOverride();
  manageCommands(program);
  return program;
}

/** Runs a command in this process; what it printed as JSON. */
async function run(...args: string[]): Promise<Record<string, unknown>> {
  const lines: string[] = [];
  const log = console.log;
  console.log = (line: string) => lines.push(line);
  try {
    await newProgram().parseAsync([...args, '--json'], { from: 'user' });
  } finally {
    console.log = log;
  }
  return JSON.parse(lines.at(-1)!) as Record<string, unknown>;
}

interface Entry {
  readonly account_id: number;
  readonly username: string | null;
  readonly action: string;
  readonly status: number;
  readonly after: Record<string, unknown> | null;
}
const entries = () =>
  sql<Entry[]>`SELECT account_id, username, action, status, after FROM audit_log ORDER BY id`;

/** A call of each command that changes something, in an order in which each can be carried out. */
const CANARY = 'canary-secret-of-the-command-line';
let ids: Record<string, string> = {};
const calls: Record<string, () => string[]> = {
  'account create': () => ['account', 'create', 'acme', '--password', CANARY],
  'account password': () => ['account', 'password', 'acme', '--password', `${CANARY}-1`],
  'account suspend': () => ['account', 'suspend', 'acme', '--lift'],
  'token create': () => ['token', 'create', 'acme', '--label', 'till'],
  'token revoke': () => ['token', 'revoke', ids['token create']!],
  'smpp-client create': () => ['smpp-client', 'create', 'acme', 'orders'],
  'smpp-client password': () => ['smpp-client', 'password', 'acme', 'orders'],
  'smpp-client delete': () => ['smpp-client', 'delete', 'acme', 'orders'],
  'wallet add': () => ['wallet', 'add', 'acme', '12.5'],
  'price set': () => ['price', 'set', '972', '0.5', '--account', 'acme'],
  'source approve': () => ['source', 'approve', 'acme', 'Acme'],
  'source confirm': () => ['source', 'confirm', '0501234567'],
  'person add': () => ['person', 'add', 'dana', '--account', 'acme', '--password', CANARY],
  'person password': () => ['person', 'password', 'dana', '--password', `${CANARY}-2`],
  'person suspend': () => ['person', 'suspend', 'dana', '--lift'],
  'person require-second-factor': () => ['person', 'require-second-factor', '--account', 'acme'],
  'chat-portfolio add': () => [
    'chat-portfolio',
    'add',
    'acme',
    'Shop',
    '--platform-id',
    '1',
    '--token',
    CANARY,
  ],
  'chat-portfolio tier': () => ['chat-portfolio', 'tier', ids['chat-portfolio add']!, '2000'],
  'chat-portfolio token': () => ['chat-portfolio', 'token', ids['chat-portfolio add']!, CANARY],
  'chat-number add': () => [
    ...['chat-number', 'add', 'acme', '972551234567', '--platform-id', '2'],
    ...['--portfolio', ids['chat-portfolio add']!],
  ],
  'webhook add': () => ['webhook', 'add', 'acme', 'http://127.0.0.1:9/a'],
  'webhook enable': () => ['webhook', 'enable', 'acme', ids['webhook add']!],
  'webhook replay': () => ['webhook', 'replay', 'acme'],
  'webhook remove': () => ['webhook', 'remove', 'acme', ids['webhook add']!],
  'routes apply': () => ['routes', 'apply', routesFile, '--yes'],
  'quarantine retry': () => ['quarantine', 'retry'],
  'note-backup': () => ['note-backup', 'backups:/base'],
  'secrets rotate': () => ['secrets', 'rotate'],
  'secrets discard': () => ['secrets', 'discard', '--yes'],
  'sandbox retire': () => ['sandbox', 'retire'],
};

/** Those that a plain PostgreSQL refuses. */
const onCluster = ['database distribute', 'database isolate', 'database rebalance'];

/** Those of the embedded PostgreSQL: test/commands/backup.test.ts has the entry of a backup; a restore has no database yet. */
const onEmbedded = ['backup', 'restore'];

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

test('every command of the command line that changes something leaves one entry, without a secret', async () => {
  const changing = leaves(newProgram())
    .map(nameOf)
    .filter((name) => !onlyReads(name));
  assert.deepEqual(
    changing.filter((name) => !(name in calls) && ![...onCluster, ...onEmbedded].includes(name)),
    [],
    'commands without a call in this test',
  );
  for (const [name, args] of Object.entries(calls)) {
    if (name === 'source confirm') await askForVerification();
    const before = await entries();
    const printed = await run(...args());
    ids = { ...ids, [name]: String(printed.id) };
    const added = (await entries()).slice(before.length);
    assert.equal(added.length, 1, name);
    const { action, username, status, after } = added[0]!;
    assert.deepEqual([action, status], [name, 200]);
    assert.ok(username!.startsWith(`cli:${userInfo().username}`), username!);
    assert.ok(!JSON.stringify(after).includes(CANARY), name);
  }
  const [account] = await sql<{ id: number }[]>`SELECT id FROM accounts WHERE username = 'acme'`;
  const money = (await entries()).find(({ action }) => action === 'wallet add')!;
  assert.equal(money.account_id, account!.id);
  assert.deepEqual(money.after, { username: 'acme', credits: '12.5', note: 'operator' });
});

test('what is refused changes nothing and leaves no entry, and what reads leaves none', async () => {
  const before = await entries();
  const balances = () => sql`SELECT * FROM wallets`;
  const wallets = await balances();
  await assert.rejects(run('wallet', 'add', 'acme', '--', '-1000'));
  await assert.rejects(run('wallet', 'add', 'nobody', '5'));
  if (await isDistributed(sql)) {
    await assert.rejects(run('database', 'distribute', '--shards', '3'), /shards already/);
  } else {
    await assert.rejects(run('database', 'distribute'), /CREATE EXTENSION citus/);
    await assert.rejects(run('database', 'isolate', 'acme'), /not distributed/);
    await assert.rejects(run('database', 'rebalance'), /not distributed/);
  }
  const argumentsOf: Readonly<Record<string, string[]>> = {
    'routes find': ['972501234567'],
    'routes replay': [routesFile],
  };
  for (const name of leaves(newProgram())
    .map(nameOf)
    .filter((one) => onlyReads(one))) {
    const ofAccount = /^(webhook|token|smpp-client)/.test(name) ? ['acme'] : [];
    const reading = run(...name.split(' '), ...(argumentsOf[name] ?? ofAccount));
    // No service runs here.
    if (name === 'doctor') await assert.rejects(reading, /a check has failed/);
    else await reading;
  }
  assert.deepEqual(await entries(), before);
  assert.deepEqual(await balances(), wallets);
});

test('a change whose entry cannot be written is not made, and nothing is printed of it', async () => {
  const balance = async () => (await sql<{ balance: string }[]>`SELECT balance FROM wallets`)[0]!.balance;
  const before = await balance();
  await sql`ALTER TABLE audit_log ADD CONSTRAINT no_more CHECK (action <> 'wallet add') NOT VALID`;
  await assert.rejects(run('wallet', 'add', 'acme', '5'), /no_more/);
  await sql`ALTER TABLE audit_log DROP CONSTRAINT no_more`;
  assert.equal(await balance(), before);
});

async function askForVerification(): Promise<void> {
  const [account] = await sql<{ id: number }[]>`SELECT id FROM accounts WHERE username = 'acme'`;
  await sql`INSERT INTO phone_verifications (id, account_id, phone, expires_at)
    VALUES (1, ${account!.id}, '972501234567', ${Date.now() + 3_600_000})`;
}
