import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hashPassword } from '../../server/modules/passwords/hashes.ts';
import { Browser } from '../support/console.ts';
import { createDatabase } from '../support/database.ts';
import type { Environment } from '../support/environment.ts';
import { databaseUrl, Installation } from '../support/process.ts';

/*
 * Somebody who saw the first start of a sandbox (a log, a screenshot, a script with the preset token) comes back when the
 * same data folder serves real customers; somebody on the network finds a sandbox that was meant for one machine.
 */

const TOKEN = 'the-token-that-was-printed';
const MAIL_TOKEN = 'the-mail-token-that-was-printed';
const PASSWORD = 'the password that was printed';
const preset = {
  CARILLON_DEMO_TOKEN: TOKEN,
  CARILLON_DEMO_MAIL_TOKEN: MAIL_TOKEN,
  CARILLON_DEMO_PASSWORD: PASSWORD,
};
const sandbox = { SANDBOX: 'auto', ...preset };
// Nobody listens there: the service starts all the same, and tries again.
const carrier = { SANDBOX: 'auto', SMPP_URL: 'smpp://a:b@127.0.0.1:1' };

const balance = async (url: string, token: string): Promise<number> => {
  const answer = await fetch(`${url}/api`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ balance: { user: { username: 'demo' } } }),
  });
  return ((await answer.json()) as { status: number }).status;
};

const withPassword = async (url: string): Promise<number> => {
  const answer = await fetch(`${url}/api`, {
    method: 'POST',
    body: JSON.stringify({ balance: { user: { username: 'demo', password: PASSWORD } } }),
  });
  return ((await answer.json()) as { status: number }).status;
};

const mailLists = async (url: string, token: string): Promise<number> => {
  const answer = await fetch(`${url}/api/Mailer/GetMailingListNames`, {
    method: 'POST',
    body: '{}',
    headers: { authorization: token },
  });
  return ((await answer.json()) as { result: { ResultID: number } }).result.ResultID;
};

interface Retired {
  readonly state: string;
  readonly tokens: number;
  readonly passwords: number;
  readonly people: number;
  readonly sessions: number;
  readonly credits: number;
  readonly operator: boolean;
}

describe('a sandbox that becomes a real service', () => {
  const installation = new Installation();

  test('what a sandbox prints works nowhere but in a sandbox, and one command ends it', async () => {
    let program = await installation.start({ environment: sandbox });
    const session = new Browser(program.url);
    assert.equal(await session.signIn('demo', PASSWORD), '200');
    assert.deepEqual([await balance(program.url, TOKEN), await withPassword(program.url)], [0, 0]);
    assert.equal(await mailLists(program.url, MAIL_TOKEN), 200);
    const sql = await installation.sql();

    // As an earlier version left it: the operator with the password of demo, and no word about it in the database.
    await sql`
      UPDATE people SET password_hash = (SELECT password_hash FROM accounts WHERE username = 'demo')
      WHERE username = 'operator'`;
    await sql`DELETE FROM state WHERE key = 'sandbox.demo'`;
    await program.stop();

    const services: Environment[] = [
      carrier,
      { SANDBOX: 'auto', CHAT_APP_SECRET: 'secret', CHAT_VERIFY_TOKEN: 'word' },
      { SANDBOX: 'auto', MAIL_RELAY_URL: 'smtp://127.0.0.1:1' },
      { SANDBOX: 'off' },
    ];
    for (const real of services) {
      const { code, output } = await installation.startInVain(real);
      assert.equal(code, 1, JSON.stringify(real));
      assert.match(output, /^carillon: .*demo credentials still work.*carillon -- sandbox retire/m, output);
    }

    const retired = await installation.command<Retired>('sandbox', 'retire');
    assert.deepEqual(
      { ...retired, links: 0 },
      {
        state: 'retired',
        tokens: 2,
        passwords: 1,
        people: 1,
        sessions: 1,
        links: 0,
        credits: 100_000,
        operator: true,
      },
    );
    const again = await installation.command<Retired>('sandbox', 'retire');
    assert.deepEqual(
      [
        again.state,
        again.tokens,
        again.passwords,
        again.people,
        again.sessions,
        again.credits,
        again.operator,
      ],
      ['retired', 0, 0, 0, 0, 0, false],
    );

    program = await installation.start({ environment: carrier, ready: false });
    assert.deepEqual([await balance(program.url, TOKEN), await withPassword(program.url)], [3, 3]);
    assert.equal(await mailLists(program.url, MAIL_TOKEN), 401);
    for (const username of ['demo', 'operator']) {
      assert.equal(await new Browser(program.url).signIn(username, PASSWORD), '401 signed-out', username);
    }
    const late = new Browser(program.url);
    late.cookie = session.cookie;
    assert.equal((await late.call('GET', '/session')).status, 401);
    const fresh = await installation.sql();
    const entries = await fresh<{ account_id: number; after: { credits: number } }[]>`
      SELECT account_id, after FROM audit_log WHERE action = 'sandbox retire' ORDER BY id`;
    assert.equal(entries.length, 4, 'each time, for the account and for the operators');
    assert.equal(entries[0]!.after.credits, 100_000);
    await program.stop();

    // A real service that lost its carrier does not become a sandbox; told to, it makes new secrets.
    const { code, output } = await installation.startInVain({ SANDBOX: 'auto' });
    assert.equal(code, 1);
    assert.match(output, /^carillon: no carrier is set, and this database is not one of a sandbox/m);
    program = await installation.start({ environment: { SANDBOX: 'on' } });
    const token = /token {6}(carillon_\S{43})/.exec(program.output())?.[1];
    assert.ok(token, program.output());
    assert.deepEqual([await balance(program.url, token), await balance(program.url, TOKEN)], [0, 3]);
    await program.stop();
    assert.match((await installation.startInVain(carrier)).output, /demo credentials still work/);
  });
});

test('no role starts on a database whose demo credentials work, and a file of carriers makes no difference', async () => {
  const { target } = await createDatabase();
  const installation = new Installation({ ...sandbox, DATABASE_URL: databaseUrl(target) });
  const carriersFile = join(installation.folder, 'carriers.json');
  const links = [{ name: 'alpha', host: '127.0.0.1', port: 1, systemId: 'a', password: 'b' }];
  writeFileSync(carriersFile, JSON.stringify({ links }));
  const program = await installation.start();
  assert.equal(await balance(program.url, TOKEN), 0);
  await program.stop();

  const file = { SANDBOX: 'auto', CARRIERS_FILE: carriersFile };
  for (const [environment, args] of [
    [file, ['start']],
    [file, ['serve']],
    [carrier, ['serve', '--role', 'dispatch']],
    [{ SANDBOX: 'auto' }, ['serve', '--role', 'api']],
    [{ SANDBOX: 'off' }, ['serve', '--role', 'jobs']],
  ] as const) {
    const { code, output } = await installation.startInVain(environment, args);
    assert.equal(code, 1, args.join(' '));
    assert.match(output, /^carillon: .*demo credentials still work.*carillon -- sandbox retire/m, output);
  }
  await installation.command('sandbox', 'retire');
  const real = await installation.start({ args: ['serve'], environment: file, ready: false });
  assert.equal(await balance(real.url, TOKEN), 3);
});

test('a sandbox beyond loopback needs an explicit setting, and has its limits; the operator chooses a password of their own', async () => {
  const installation = new Installation(sandbox);
  for (const [reach, named] of [
    [{ HOST: '0.0.0.0' }, 'HOST is 0.0.0.0'],
    [{ HOST: '::' }, 'HOST is ::'],
    [{ HOST: '::ffff:127.0.0.1' }, 'HOST is ::ffff:127.0.0.1'],
    [{ PUBLIC_URL: 'https://carillon.example' }, 'PUBLIC_URL is https://carillon.example'],
  ] as const) {
    const { code, output } = await installation.startInVain(reach);
    assert.equal(code, 1);
    assert.ok(output.includes(`the sandbox is on, and ${named}`), output);
    assert.match(output, /set SANDBOX_PUBLIC=on/);
  }
  const program = await installation.start({
    environment: { HOST: '0.0.0.0', SANDBOX_PUBLIC: 'on', RATE_LIMIT_ADDRESS: '5' },
  });
  const url = program.url.replace('0.0.0.0', '127.0.0.1');
  const crowd = await Promise.all(
    Array.from({ length: 30 }, () =>
      fetch(`${url}/api`, { method: 'POST', body: 'x' }).then((r) => r.status),
    ),
  );
  assert.ok(crowd.includes(429), 'no limit');

  const link = /"operator".*\/password#([\w-]{43})$/m.exec(program.output())?.[1];
  assert.ok(link, program.output());
  assert.notEqual(await new Browser(url).signIn('operator', PASSWORD), '200');
  const own = 'a password of the operator alone';
  const browser = new Browser(url);
  await browser.ask('POST', '/session/password-link', { token: link, password: own });
  await program.stop();
  const later = await installation.start();
  assert.doesNotMatch(later.output(), /\/password#/);
  assert.equal(await new Browser(later.url).signIn('operator', own), '200');
  assert.equal(await new Browser(later.url).signIn('demo', PASSWORD), '200');
});

test('an operator of an earlier version loses the password of demo at the next start of the sandbox', async () => {
  const installation = new Installation(sandbox);
  let program = await installation.start();
  const sql = await installation.sql();
  await sql`UPDATE people SET password_hash = ${await hashPassword(PASSWORD)} WHERE username = 'operator'`;
  await sql`
    UPDATE people SET password_hash = (SELECT password_hash FROM accounts WHERE username = 'demo')
    WHERE username = 'operator'`;
  assert.equal(await new Browser(program.url).signIn('operator', PASSWORD), '200');
  await program.stop();
  program = await installation.start();
  assert.equal(await new Browser(program.url).signIn('operator', PASSWORD), '401 signed-out');
  assert.match(program.output(), /"operator".*\/password#[\w-]{43}$/m);
});
