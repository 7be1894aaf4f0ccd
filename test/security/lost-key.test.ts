import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { Secret, TOTP } from 'otpauth';
import { channels } from '../../server/channels/index.ts';
import { allDiscardings } from '../../server/commands/lost-secrets.ts';
import { manageCommands } from '../../server/commands/manage.ts';
import { readConfig } from '../../server/kit/config.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { roles } from '../../server/kit/process-roles.ts';
import type { AppContext } from '../../server/run/app-context.ts';
import { openAppContext } from '../../server/run/open-app-context.ts';
import { startService } from '../../server/run/service.ts';
import { loadClock } from '../../server/sandbox/clock-store.ts';
import { startSandbox } from '../../server/sandbox/sandbox.ts';
import { withToken } from '../api/v1/calls.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { atEnd, createDatabase } from '../support/database.ts';
import { newPhone } from '../support/phones.ts';
import { databaseUrl } from '../support/process.ts';
import { tables } from '../support/tables.ts';
import { waitFor } from '../support/wait-for.ts';

/* The key is gone and has no copy: the service comes back without what was sealed with it, and nothing else is lost. */

interface Lost {
  lost: { column: string; count: number; consequence: string }[];
}
const columnsOf = ({ lost }: Lost) => lost.map(({ column, count }) => `${column} ${count}`);

const { sql, target } = await createDatabase();
const folder = mkdtempSync(join(tmpdir(), 'carillon-lost-key-'));
atEnd(async () => rmSync(folder, { recursive: true }));
const keyFile = join(folder, 'secret.key');
const settings = {
  DATABASE_URL: databaseUrl(target),
  DATA_DIR: folder,
  PORT: '0',
  LOG_LEVEL: 'silent',
  DEFAULT_PART_PRICE: '1',
  VERIFY_SOURCES: 'off',
  WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
};
/** No carrier is reached: what is sent waits. */
const unreachable = { SMPP_URL: 'smpp://a:b@127.0.0.1:9' };
Object.assign(process.env, settings);

/** Runs a command of the command line in this process; what it printed as JSON. */
async function run<T>(...args: string[]): Promise<T> {
  const program = new Command('carillon').exitOverride();
  manageCommands(program);
  const lines: string[] = [];
  const log = console.log;
  console.log = (line: string) => lines.push(line);
  try {
    await program.parseAsync([...args, '--json'], { from: 'user' });
  } finally {
    console.log = log;
  }
  return JSON.parse(lines.at(-1)!) as T;
}

interface Running {
  readonly url: string;
  readonly appContext: AppContext;
  stop(): Promise<void>;
}

/** The service, until it is stopped: with the sandbox, or with these settings of a carrier. */
async function start(carrier?: Record<string, string>): Promise<Running> {
  const clock = await loadClock(sql);
  const appContext = await openAppContext(
    readConfig({ ...settings, ...carrier }, channels),
    channels,
    createLogger('silent'),
    async () => clock,
  );
  const sandbox = carrier ? undefined : await startSandbox({ ...appContext, clock, sql });
  const service = await startService(appContext, roles, sandbox, (error) => {
    throw error;
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop(5_000);
    return stopped;
  };
  atEnd(stop);
  return { url: service.url!, appContext, stop };
}

test('every column of secrets states the consequence for its rows', async () => {
  assert.deepEqual(
    Object.keys(await allDiscardings()).toSorted(),
    tables.sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted(),
  );
});

test('what was sealed is listed, discarded after a confirmation, and each loss is handled', async () => {
  const first = await start(unreachable);
  const account = await run<{ id: number }>('account', 'create', 'shop');
  const { token } = await run<{ token: string }>('token', 'create', 'shop');
  await run('wallet', 'add', 'shop', '100');
  await run('source', 'approve', 'shop', 'Shop');
  const { id: hook } = await run<{ id: number }>('webhook', 'add', 'shop', 'http://127.0.0.1:9/');
  const chat = ['--platform-id', '1', '--token', 'EAAG'];
  const { id: portfolio } = await run<{ id: number }>('chat-portfolio', 'add', 'shop', 'Shop', ...chat);
  await first.appContext.sql`
    INSERT INTO connectors (name, protocol, settings, password, is_enabled, changed_at)
    VALUES ('alpha', 'smpp', ${JSON.stringify({ host: '127.0.0.1', port: 9, systemId: 'me' })}::jsonb,
      ${first.appContext.secrets.seal('secret12', 'connectors.password', 'alpha')}, true, 0)`;
  await addPerson(first, 'dana', 'owner', account.id);
  await addSecondFactor(first.url);
  const [signedIn] = await sql<{ id: number }[]>`SELECT id FROM sessions ORDER BY id LIMIT 1`;
  const idToken = first.appContext.secrets.seal('an ID token', 'sessions.provider_id_token', signedIn!.id);
  await sql`UPDATE sessions SET provider_id_token = ${idToken} WHERE id = ${signedIn!.id}`;
  const code = { user: { username: 'shop' }, phone: newPhone(), source: 'Shop', send_key: 'code-1' };
  const sendCode = async (url: string) => {
    const sent = await fetch(`${url}/api`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ send_otp: code }),
    });
    return (await sent.json()) as { status: number; message: string };
  };
  const answer = await sendCode(first.url);
  assert.equal(answer.status, 0, answer.message);
  const balance = async () => {
    const [row] = await sql<{ balance: string }[]>`
      SELECT balance FROM wallets WHERE account_id = ${account.id}`;
    return Number(row!.balance);
  };
  const whole = await balance();
  await sql`INSERT INTO retention (account_id, text_mode) VALUES (${account.id}, 'sealed')`;
  await first.appContext.textStorage.reload();
  const { sql: own, ids } = first.appContext;
  await own`
    INSERT INTO event_batches (account_id, id, events)
    VALUES (${account.id}, ${ids.next()}, ${own.waitingText(account.id, '[]')})`;
  const sealedEvents = async () =>
    (
      await sql`
        SELECT FROM event_batches WHERE left(events, 1) = chr(1)
        UNION ALL SELECT FROM deliveries WHERE left(event, 1) = chr(1) OR left(last_answer, 1) = chr(1)`
    ).length;
  assert.ok((await sealedEvents()) > 0);

  await assert.rejects(run('secrets', 'discard', '--yes'), /stop every process first/);
  await first.stop();
  const oldKey = readFileSync(keyFile, 'utf8');
  rmSync(keyFile);

  const lost = await run<Lost>('secrets', 'lost');
  assert.equal(existsSync(keyFile), false, 'looking makes no key');
  assert.deepEqual(
    // In the order of the modules.
    columnsOf(lost)
      .filter((line) => !line.startsWith('installation_keys'))
      .sort(),
    [
      'chat_portfolios.access_token 1',
      'connectors.password 1',
      'event_endpoints.secret 1',
      'messages.secret_text 1',
      'people.totp_secret 1',
      'send_keys.sealed_answer 1',
      'sessions.provider_id_token 1',
    ],
  );
  assert.equal(lost.lost[0]!.column, 'installation_keys.sealed');
  await assert.rejects(run('secrets', 'discard'), /add --yes/);
  assert.equal(existsSync(keyFile), false);
  await assert.rejects(start(unreachable), /restore .*secret\.key from its copy/);
  assert.deepEqual(columnsOf(await run<Lost>('secrets', 'discard', '--yes')), columnsOf(lost));
  assert.notEqual(readFileSync(keyFile, 'utf8'), oldKey);
  assert.deepEqual(await run<Lost>('secrets', 'lost'), { lost: [] });
  assert.equal(await sealedEvents(), 0, 'nobody could deliver them, nor the events behind them');

  const second = await start();
  const [kept] = await sql`SELECT provider_id_token FROM sessions WHERE id = ${signedIn!.id}`;
  assert.equal(kept!.provider_id_token, null);
  const [connector] = await second.appContext.sql`SELECT password, is_enabled FROM connectors`;
  assert.deepEqual([connector!.password, connector!.is_enabled], [null, false]);
  const calls = withToken(second.url, token);
  const failed = await waitFor('the message to fail', async () => {
    const { messages } = await calls.get<{
      messages: { state: string; carrier_status: string; failure: { key: string } | null }[];
    }>('/messages');
    return messages.find(({ state }) => state === 'failed');
  });
  assert.deepEqual([failed.carrier_status, failed.failure?.key], ['TEXT_LOST', 'text-lost']);
  await waitFor('the refund', async () => (await balance()) > whole);
  const again = await sendCode(second.url);
  assert.equal(again.status, 2, 'whose answer was lost is not sent again');
  const session = await signIn(second.url);
  assert.equal(session.status, 200, await session.clone().text());
  const cookie = session.headers.getSetCookie()[0]!.split(';')[0]!;
  const ask = async <T>(path: string) =>
    (await (await fetch(`${second.url}/v1${path}`, { headers: { cookie } })).json()) as T;
  const me = await ask<{ second_factor: boolean }>('/session');
  assert.equal(me.second_factor, false);
  const webhook = await ask<{ state: string; off_reason: string }>(`/webhooks/${hook}`);
  assert.deepEqual(
    [webhook.state, webhook.off_reason],
    ['off', 'its signing secret was lost with the key: fetch the new one, then enable it'],
  );
  const { secret } = await ask<{ secret: string }>(`/webhooks/${hook}/secret`);
  assert.match(secret, /^whsec_/);

  const entries = await sql<{ account_id: number; action: string; object_kind: string | null }[]>`
    SELECT account_id, action, object_kind FROM audit_log
    WHERE action IN ('secret lost', 'secrets discard') ORDER BY id`;
  assert.deepEqual(
    entries.map(({ account_id: of, action, object_kind: kind }) => [of === account.id, action, kind]),
    [
      [false, 'secret lost', 'connectors'],
      [true, 'secret lost', 'messages'],
      [true, 'secret lost', 'webhooks'],
      [true, 'secret lost', 'people'],
      [true, 'secret lost', 'chat-portfolios'],
      [false, 'secrets discard', null],
    ],
  );
  await run('chat-portfolio', 'token', String(portfolio), 'EAAG2');
  const { resealed } = await run<{ resealed: number }>('secrets', 'rotate');
  assert.ok(resealed > 0, 'a rotation finds nothing that it cannot open');
});

const signIn = (url: string) =>
  fetch(`${url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-carillon-csrf': '1' },
    body: JSON.stringify({ username: 'dana', password: PASSWORD }),
  });

/** Gives the person a second factor; the password alone makes no session then. */
async function addSecondFactor(url: string): Promise<void> {
  const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0];
  const cookie = cookieOf(await signIn(url))!;
  const post = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${url}/v1/session/${path}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'x-carillon-csrf': '1' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text) as T;
  };
  const { secret } = await post<{ secret: string }>('second-factor', { password: PASSWORD });
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await post('second-factor/confirm', { code: totp.generate() });
  assert.equal(cookieOf(await signIn(url)), undefined);
}
