import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../support/console.ts';
import { waitFor } from '../support/wait-for.ts';
import { carillon, dataFolder, startService } from './support.ts';

/** `carillon person` beside a running service, and the link that its start prints. */
const settings = { DATA_DIR: dataFolder(), CARILLON_DEMO_PASSWORD: 'the password of demo' };
const service = await startService(settings);
const run = (...args: string[]) => carillon(settings, ...args);

async function json<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await run(...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out) as T;
}

const startToken = (out: string) => /\/start#([\w-]{43})\n/.exec(out)?.[1];

test('the start prints a link that signs in as demo, once', async () => {
  const token = await waitFor('the link', () => startToken(service.out()));
  assert.ok(service.out().includes(`${service.url}/start#${token}\n`));
  const browser = new Browser(service.url);
  const who = await browser.ask<{ person: { username: string }; role: string }>('POST', '/session/link', {
    token,
  });
  assert.deepEqual([who.person.username, who.role], ['demo', 'owner']);
  assert.equal(await browser.refused('POST', '/session/link', { token }), '410 link-over');
});

test('people are added, get passwords and are suspended by the command line', async () => {
  const added = await json<{ role: string; account: string; link: string }>(
    'person',
    'add',
    'dana',
    '--account',
    'demo',
    '--role',
    'sender',
  );
  assert.deepEqual([added.role, added.account], ['sender', 'demo']);
  const browser = new Browser(service.url);
  const password = 'chosen by the link';
  const [, token] = added.link.split('/password#');
  await browser.ask('POST', '/session/password-link', { token, password });
  assert.equal(await browser.signIn('dana', password), '200');

  await json('person', 'password', 'dana', '--password', 'set by the operator');
  assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
  assert.equal(await browser.signIn('dana', 'set by the operator'), '200');
  const { link } = await json<{ link: string }>('person', 'password', 'dana');
  assert.match(link, /\/password#[\w-]{43}$/);

  await json('person', 'add', 'olga', '--password', 'a password of olga', '--name', 'Olga');
  const operator = new Browser(service.url);
  assert.equal(await operator.signIn('olga', 'a password of olga'), '200');

  await json('person', 'suspend', 'dana');
  assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
  type Row = { username: string; role: string; account: string | null; suspended: boolean };
  const rows = await json<Row[]>('person', 'list');
  assert.deepEqual(
    rows.map(({ username, role, account, suspended }) => [username, role, account, suspended]),
    [
      ['dana', 'sender', 'demo', true],
      ['demo', 'owner', 'demo', false],
      ['olga', 'operator', null, false],
      ['operator', 'operator', null, false],
    ],
  );
  const words = await run('person', 'list', '--account', 'demo');
  assert.equal(words.out, 'demo  owner of demo\ndana  sender of demo  suspended\n');
  await json('person', 'suspend', 'dana', '--lift');
  assert.equal(await browser.signIn('dana', 'set by the operator'), '200');

  const { entries } = await operator.ask<{
    entries: { action: string; person: null; address: null }[];
  }>('GET', '/audit?username=demo&kind=people');
  const commands = entries.filter(({ action }) => action.startsWith('person'));
  assert.deepEqual(
    commands.map(({ action, person, address }) => [action, person, address]).toReversed(),
    ['add', 'password', 'password', 'suspend', 'suspend'].map((name) => [`person ${name}`, null, null]),
  );
});

test('a second factor is required and lifted by the command line, for an account and for operators', async () => {
  const browser = new Browser(service.url);
  const lone = ['--role', 'viewer', '--password', 'the password of lone'];
  await json('person', 'add', 'lone', '--account', 'demo', ...lone);
  assert.equal(await browser.signIn('lone', 'the password of lone'), '200');
  const required = await json<Record<string, unknown>>(
    'person',
    'require-second-factor',
    '--account',
    'demo',
  );
  assert.equal(required.account, 'demo');
  assert.equal(required.second_factor_required, true);
  assert.equal(await browser.refused('GET', '/messages'), '403 second-factor-required');
  const operators = await run('person', 'require-second-factor');
  assert.match(operators.out, /^a second factor is required of operators: \d+ have no second factor/);
  assert.match(
    (await run('person', 'require-second-factor', '--lift')).out,
    /no longer required of operators/,
  );
  await json('person', 'require-second-factor', '--account', 'demo', '--lift');
  assert.equal(await browser.refused('GET', '/messages'), '200 undefined');
  assert.equal(await browser.signIn('demo', 'the password of demo'), '200');
  const { entries } = await browser.ask<{ entries: { action: string; after: object; before: object }[] }>(
    'GET',
    '/audit?kind=people-rules',
  );
  assert.deepEqual(
    entries.map(({ action, before, after }) => [action, before, after]),
    [false, true].map((required) => [
      'person require-second-factor',
      { second_factor_required: !required },
      { second_factor_required: required },
    ]),
  );
});

test('the password of an account is changed by the command line, and what the old one opened ends', async () => {
  const sign = async (password: string) => {
    const answer = await fetch(`${service.url}/api/Mailer/token`, {
      method: 'POST',
      body: JSON.stringify({ siteID: 'demo', password }),
    });
    return ((await answer.json()) as { Token: string }).Token;
  };
  const lists = async (authorization: string) => {
    const answer = await fetch(`${service.url}/api/Mailer/GetMailingListNames`, {
      method: 'POST',
      headers: { authorization },
    });
    return ((await answer.json()) as { success: boolean }).success;
  };
  const old = await sign('the password of demo');
  const { password } = await json<{ password: string }>('account', 'password', 'demo');
  assert.match(password, /^[\w-]{24}$/);
  assert.equal(await lists(old), false);
  // The service takes the old password for two seconds at most.
  const token = await waitFor('the new password', () => sign(password));
  assert.equal(await lists(token), true);
  assert.equal(await sign('the password of demo'), '');
  assert.deepEqual(await json('account', 'password', 'demo', '--remove'), { username: 'demo' });
  const refused = await run('account', 'password', 'demo', '--password', 'Password123');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /one of the commonest/);
});

test('what cannot be is said in a line', async () => {
  for (const [args, words] of [
    [['add', 'x'], /a user name has 2 to 50/],
    [['add', 'DEMO'], /"DEMO" is taken/],
    [['add', 'somebody', '--account', 'nobody'], /there is no account "nobody"/],
    [['add', 'somebody', '--password', 'short'], /10 to 200 characters/],
    [['add', 'somebody', '--role', 'king'], /Allowed choices are agent, viewer, sender, owner/],
    [['password', 'nobody'], /no person has the user name "nobody"/],
    [['password', 'demo', '--password', 'a new password', '--remove-second-factor'], /by the link/],
    [['suspend', 'demo'], /at least one person must have the role owner/],
  ] as const) {
    const { code, out, err } = await run('person', ...args);
    assert.equal(code, 1, args.join(' '));
    assert.equal(out, '');
    assert.match(err, words);
  }
});

test('the next start prints another link; the one before has ended', async () => {
  const first = startToken(service.out())!;
  await service.stop();
  const second = await startService(settings);
  // It is printed behind the line that the start waits for.
  const between = await waitFor('the second link', () => startToken(second.out()));
  await second.stop();
  const third = await startService(settings);
  const token = await waitFor('the third link', () => startToken(third.out()));
  const browser = new Browser(third.url);
  for (const old of [first, between]) {
    assert.equal(await browser.refused('POST', '/session/link', { token: old }), '410 link-over');
  }
  await browser.ask('POST', '/session/link', { token });
});
