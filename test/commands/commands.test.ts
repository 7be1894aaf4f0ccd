import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../conformance/covers.ts';
import { carillon, carillonProcess, dataFolder, startService } from './support.ts';

/* The command line beside a running service, on its embedded database. */

const settings = { DATA_DIR: dataFolder() };
const TOKEN = 'the-token-of-the-demo-account';
const service = await startService({ ...settings, CARILLON_DEMO_TOKEN: TOKEN });

const run = (...args: string[]) => carillon(settings, ...args);
/** In a process of its own, as at the user's: what every command has in common. A busy machine's start says that it waits. */
const asProcess = (...args: string[]) => carillonProcess({ ...settings, LOG_LEVEL: 'error' }, ...args);

/** What a command prints with --json. */
async function json<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await run(...args, '--json');
  assert.equal(code, 0, err);
  assert.equal(err, '');
  return JSON.parse(out) as T;
}

async function call(root: string, content: object, token: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}/api`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ [root]: content }),
  });
  return (await response.json()) as Record<string, unknown>;
}

test('from an account to a message by the command line', async () => {
  const account = await json<{ id: number; username: string }>(
    'account',
    'create',
    'acme',
    '--name',
    'Acme Ltd',
    '--time-zone',
    'Europe/London',
  );
  assert.equal(account.username, 'acme');
  await json('account', 'create', 'branch', '--parent', 'acme', '--address', '127.0.0.1', '::1');
  const [made, wallet, price, source] = await Promise.all([
    json<{ id: number; token: string; expires: string }>(
      'token',
      'create',
      'acme',
      '--days',
      '30',
      '--label',
      'shop',
    ),
    json<{ balance: string }>('wallet', 'add', 'acme', '12.5', '--note', 'invoice 7'),
    json('price', 'set', '97252', '0.25', '--account', 'acme'),
    json('source', 'approve', 'acme', '0501234567', '--incoming'),
  ]);
  assert.ok(Math.abs(Date.parse(made.expires) - Date.now() - 30 * 86_400_000) < 60_000);
  assert.equal(wallet.balance, '12.5');
  const key = { account: 'acme', channel: 'sms', prefix: '97252' };
  assert.deepEqual(price, { ...key, price: '0.25', refund_unanswered: false });
  assert.deepEqual(source, { username: 'acme', source: '972501234567' });

  const user = { username: 'acme' };
  const sms = {
    user,
    source: 'Acme',
    destinations: { phone: ['0521234567', '0501234567'] },
    message: 'Hello',
  };
  // What another process changes is known within two seconds; a user name that was just asked for in vain is not kept.
  assert.equal((await call('sms', sms, made.token)).status, 0);
  assert.equal((await call('balance', { user }, made.token)).balance, 11.25);

  type Row = { username: string; parent: string | null; balance: string; suspended: boolean; name: string };
  const rows = await json<Row[]>('account', 'list');
  const { id: _id, ...acme } = rows.find((row) => row.username === 'acme') as Row & { id: number };
  assert.deepEqual(acme, {
    username: 'acme',
    name: 'Acme Ltd',
    parent: null,
    suspended: false,
    balance: '11.25',
  });
  assert.equal(rows.find((row) => row.username === 'branch')!.parent, 'acme');
  assert.equal(rows.find((row) => row.username === 'demo')!.balance, '100000');

  const taken = await run('wallet', 'add', 'acme', '--json', '--', '-1.25');
  assert.deepEqual(JSON.parse(taken.out), { username: 'acme', balance: '10' });

  assert.deepEqual(await json('account', 'suspend', 'acme'), { username: 'acme', suspended: true });
  assert.deepEqual(await json('account', 'suspend', 'acme', '--lift'), {
    username: 'acme',
    suspended: false,
  });
  assert.deepEqual(await json('token', 'revoke', String(made.id)), { id: made.id, revoked: true });
  const again = await run('token', 'revoke', String(made.id));
  assert.deepEqual(
    [again.code, again.err],
    [1, `carillon: there is no valid token with the id ${made.id}\n`],
  );
});

test('in words', async () => {
  const created = await run('account', 'create', 'wordy');
  assert.match(created.out, /^account wordy is made \(id \d+\)\n$/);
  assert.match((await asProcess('account', 'list')).out, /^wordy {2}0 credits$/m);
  assert.match(
    (await run('token', 'create', 'wordy')).out,
    /^token \d+, shown this once:\ncarillon_[\w-]{43}\n$/,
  );
  assert.match((await run('wallet', 'add', 'wordy', '3')).out, /^wordy has 3 credits\n$/);
  assert.match(
    (await run('price', 'set', '', '2', '--account', 'wordy')).out,
    /^a part to anywhere costs wordy 2\n$/,
  );
});

test('webhooks', covers('events.registered'), async () => {
  type Endpoint = { id: number; kind: string; url: string; secret: string | null; state: string };
  const url = 'http://127.0.0.1:9/events';
  const hook = await json<Endpoint>(
    'webhook',
    'add',
    'demo',
    url,
    '--events',
    'message.status, sms.incoming',
  );
  assert.deepEqual([hook.kind, hook.url], ['webhook', url]);
  assert.ok(hook.secret!.startsWith('whsec_'));
  const push = await json<Endpoint>('webhook', 'add', 'demo', url, '--kind', 'dlr');
  assert.equal(push.secret, null);
  const twice = await run('webhook', 'add', 'demo', url, '--kind', 'dlr');
  assert.equal(twice.code, 1);
  assert.match(twice.err, /^carillon: .+\n$/);
  const all = await json<Endpoint[]>('webhook', 'list', 'demo');
  assert.deepEqual(all.map((one) => one.id).sort(), [hook.id, push.id].sort());
  assert.equal((await json<Endpoint>('webhook', 'enable', 'demo', String(hook.id))).state, 'active');
  assert.deepEqual(await json('webhook', 'failed', 'demo'), []);
  assert.deepEqual(await json('webhook', 'replay', 'demo'), { count: 0 });
  for (const { id } of all) {
    assert.deepEqual(await json('webhook', 'remove', 'demo', String(id)), { id, removed: true });
  }
  assert.deepEqual(await json('webhook', 'list', 'demo'), []);
});

test('tokens have the scopes of their creation, and are listed with them', async () => {
  await json('account', 'create', 'scoped');
  interface Made {
    id: number;
    token: string;
    scopes: string[];
  }
  const all = ['send', 'read', 'contacts', 'codes', 'webhooks', 'billing'];
  const whole = await json<Made>('token', 'create', 'scoped', '--label', 'all of it');
  assert.deepEqual(whole.scopes, all);
  const reading = await json<Made>('token', 'create', 'scoped', '--scopes', 'billing, read', '--days', '7');
  assert.deepEqual(reading.scopes, ['read', 'billing'], 'in the order of the scopes');
  const statusOf = async (path: string) => {
    const headers = { authorization: `Bearer ${reading.token}` };
    return (await fetch(`${service.url}/v1${path}`, { headers })).status;
  };
  assert.deepEqual([await statusOf('/messages'), await statusOf('/wallet')], [200, 200]);
  assert.equal(await statusOf('/webhooks'), 403);

  type Row = { id: number; label: string; scopes: string[]; expires: string | null; lastUsed: string | null };
  const rows = await json<Row[]>('token', 'list', 'scoped');
  assert.deepEqual(
    rows.map(({ id, label, scopes, expires }) => [id, label, scopes, expires === null]),
    [
      [whole.id, 'all of it', all, true],
      [reading.id, '', ['read', 'billing'], false],
    ],
  );
  const lines = (await run('token', 'list', 'scoped')).out.trimEnd().split('\n');
  assert.equal(lines[0], `${whole.id}  all of it  ${all.join(',')}`);
  assert.match(lines[1]!, new RegExp(`^${reading.id}  -  read,billing  until \\d{4}-.*Z$`));
  assert.ok(!lines.join().includes(whole.token), 'a token is shown once');
  await json('token', 'revoke', String(whole.id));
  await json('token', 'revoke', String(reading.id));
  assert.equal((await run('token', 'list', 'scoped')).out, 'scoped has no tokens\n');

  const none = await run('token', 'create', 'scoped', '--scopes', 'send,people');
  assert.equal(none.code, 1);
  assert.match(none.err, /some of send, read, contacts, codes, webhooks, billing/);
  assert.equal((await run('token', 'create', 'scoped', '--scopes', '')).code, 1);
});

test('what cannot be done ends with 1 and says why in one line', async () => {
  await run('account', 'create', 'taken');
  const cases: [args: string[], words: RegExp, start?: typeof run][] = [
    [['account', 'create', 'TAKEN'], /^carillon: the user name "TAKEN" is taken/],
    [['account', 'create', 'a b'], /^carillon: a user name has/],
    [['account', 'create', 'child', '--parent', 'nobody'], /^carillon: there is no account "nobody"/],
    [['account', 'create', 'child', '--time-zone', 'Nowhere'], /^error: .*--time-zone.*like Asia\/Jerusalem/],
    [['account', 'create', 'child', '--address', '300.1.1.1'], /^error: .*--address.*like 192/],
    [['account', 'create'], /^error: missing required argument 'username'/],
    [['token', 'create', 'taken', '--days', '0'], /^error: .*--days.*whole number of days/],
    [['token', 'revoke', '5'], /^carillon: there is no valid token with the id 5/],
    [['wallet', 'add', 'taken', '1.23456'], /^carillon: credits are an amount like/],
    [['wallet', 'add', 'taken', '99999999999'], /^carillon: at most 1000000000 credits/],
    [['wallet', 'add', 'taken', '--', '-1'], /^carillon: the wallet does not have that much/],
    [['price', 'set', '972', '1', '--channel', 'fax'], /sms, chat, mail/],
    [['price', 'set', '972', '-1'], /^(error|carillon): /],
    [['price', 'set', '972', '1000000'], /^carillon: a price is/],
    [['price', 'set', '+972', '1'], /^carillon: a prefix is up to 15 digits/],
    [['price', 'set', '972', '1', '--account', ''], /^carillon: there is no account ""/],
    [['source', 'approve', 'taken', 'a/b'], /^carillon: a source has/],
    [['webhook', 'add', 'taken', 'notaurl'], /^carillon: not a full address/],
    [['webhook', 'add', 'taken', 'http://127.0.0.1/x', '--kind', 'what'], /^carillon: a kind is one of/],
    [
      ['webhook', 'add', 'taken', 'http://127.0.0.1/x', '--events', 'what'],
      /^carillon: there is no event type what/,
    ],
    [['webhook', 'remove', 'taken', '5'], /^carillon: the account has no endpoint 5/, asProcess],
    [['webhook', 'replay', 'taken', '--from', 'then'], /^carillon: "then" is no time/],
    [['account', 'nothing'], /^error: unknown command/, asProcess],
    [['start'], /^carillon: the data folder .* is in use by another Carillon process/, asProcess],
  ];
  for (const [args, words, start = run] of cases) {
    const { code, out, err } = await start(...args);
    assert.equal(code, 1, `${args.join(' ')}: ${err}`);
    assert.match(err, words, args.join(' '));
    assert.equal(out, '', args.join(' '));
    // After a mistake in the arguments the usage follows the line.
    if (err.startsWith('carillon:')) assert.equal(err.trimEnd().split('\n').length, 1, err);
    assert.doesNotMatch(err, /\n\s+at /);
  }
  const rows = await json<{ username: string; balance: string }[]>('account', 'list');
  assert.ok(!rows.some((row) => row.username === 'child'));
  assert.equal(rows.find((row) => row.username === 'taken')!.balance, '0');
});

test('a sixth token is refused', async () => {
  const ask = { user: { username: 'demo' }, username: 'demo', action: 'new' };
  for (let i = 0; i < 4; i++) assert.equal((await call('getApiToken', ask, TOKEN)).status, 0);
  const sixth = await run('token', 'create', 'demo');
  assert.deepEqual([sixth.code, sixth.err], [1, 'carillon: 5 tokens are valid already\n']);
});

test(
  'the greeting of the first start has a line that sends, and nothing secret is repeated at the next',
  covers('sandbox.secrets'),
  async () => {
    const line = service
      .out()
      .split('\n')
      .find((one) => one.includes('curl') && one.includes('/api'))!;
    const [, url] = /curl -s (\S+)/.exec(line)!;
    const [, authorization] = /-H 'Authorization: ([^']+)'/.exec(line)!;
    const [, body] = /-d '(.+)'$/.exec(line)!;
    const response = await fetch(url!, {
      method: 'POST',
      headers: { authorization: authorization! },
      body: body!,
    });
    assert.equal(((await response.json()) as { status: number }).status, 0);
    assert.equal(await service.stop(), 0);
    const second = await startService(settings);
    assert.doesNotMatch(second.out(), /Bearer|password {3}/);
    assert.equal(await second.stop(), 0);
  },
);
