import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Command, CommanderError } from 'commander';
import { ChatNumbers, ChatSetupRefused } from '../../../server/channels/chat/business-numbers.ts';
import { manageCommands } from '../../../server/commands/manage.ts';
import { CommandError } from '../../../server/commands/with-app-context.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { Accounts } from '../../../server/modules/accounts/accounts.ts';
import { createDemoChat } from '../../../server/sandbox/chat-demo.ts';
import { covers } from '../../conformance/covers.ts';
import { createDatabase } from '../../support/database.ts';
import { SECRET_KEY, secrets } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';

const MINUTE = 60_000;

async function startNumbers() {
  const { sql, target } = await createDatabase();
  const clock = new AdjustableClock();
  const ids = createIdSource(63, clock);
  const accounts = new Accounts(sql, ids, clock);
  const { id: accountId } = await accounts.create({ username: 'shop', name: 'Shop' });
  const process = () => new ChatNumbers({ sql, ids, clock, secrets });
  return { sql, target, clock, ids, accounts, accountId, process, numbers: process() };
}

const business = { name: 'Shop', tier: 250, platformId: '1029384756', accessToken: 'first token' };
const own = { phone: '972550000007', name: 'Till', platformId: '660077', messagesPerSecond: 80 };
const refused = (words: RegExp) => (error: unknown) =>
  error instanceof ChatSetupRefused && words.test(error.message);

test('a number is found with what its portfolio gives it', covers('chatPlatform.numbers'), async () => {
  const { numbers, accountId } = await startNumbers();
  const portfolio = await numbers.createPortfolio({ accountId, ...business });
  const number = await numbers.addNumber({ accountId, portfolioId: portfolio.id, ...own });
  assert.deepEqual(number, {
    ...own,
    accountId,
    portfolioId: portfolio.id,
    tier: 250,
    businessAccountId: '1029384756',
    accessToken: 'first token',
  });
  assert.deepEqual(await numbers.find(own.phone), number);
  assert.deepEqual(await numbers.byPlatformId('660077'), number);
  assert.deepEqual(await numbers.portfolioByPlatformId('1029384756'), {
    id: portfolio.id,
    accountId,
    ...business,
    standings: [],
  });
  assert.deepEqual(await numbers.all(), [number]);
  assert.deepEqual(await numbers.list(accountId), [number]);
  assert.deepEqual(await numbers.list(accountId + 1), []);
  assert.equal((await numbers.portfolios(accountId)).length, 1);
  assert.deepEqual(await numbers.portfolios(accountId + 1), []);
  assert.equal(await numbers.find('972550000009'), undefined);
});

test('a known portfolio and an unknown one are refused', covers('windows.tier'), async () => {
  const { numbers, accounts, accountId } = await startNumbers();
  const { id: portfolioId } = await numbers.createPortfolio({ accountId, ...business });
  await numbers.addNumber({ accountId, portfolioId, ...own });
  const { id: other } = await accounts.create({ username: 'other', name: 'Other' });
  for (const [attempt, words] of [
    [() => numbers.createPortfolio({ accountId: other, ...business }), /portfolio with this id/],
    [
      () => numbers.createPortfolio({ accountId, ...business, platformId: '2', tier: 300 }),
      /a tier is one of 250, 2000/,
    ],
    [() => numbers.addNumber({ accountId, portfolioId, ...own, platformId: '2' }), /business number already/],
    [
      () => numbers.addNumber({ accountId, portfolioId, ...own, phone: '972550000008' }),
      /number with this id/,
    ],
    [
      () => numbers.addNumber({ accountId, portfolioId: 1, ...own, phone: '972550000008' }),
      /no such portfolio/,
    ],
    [
      () => numbers.addNumber({ accountId: other, portfolioId, ...own, phone: '972550000008' }),
      /no such portfolio/,
    ],
    [() => numbers.setTier(portfolioId, 251), /a tier is one of/],
    [() => numbers.setTier(1, 250), /no such portfolio/],
    [() => numbers.setAccessToken(1, 'token'), /no such portfolio/],
  ] as const) {
    await assert.rejects(attempt(), refused(words));
  }
});

test('another process sees what has changed', async () => {
  const { numbers, process, accountId } = await startNumbers();
  const other = process();
  assert.deepEqual(await other.all(), []);
  const { id: portfolioId } = await numbers.createPortfolio({ accountId, ...business });
  await numbers.addNumber({ accountId, portfolioId, ...own });
  await waitFor('the number', () => other.find(own.phone));
  await numbers.setTier(portfolioId, 2_000);
  await numbers.setAccessToken(portfolioId, 'second token');
  assert.deepEqual(
    [(await numbers.find(own.phone))!.tier, (await numbers.find(own.phone))!.accessToken],
    [2_000, 'second token'],
  );
  await waitFor('the tier', async () => {
    const { tier, accessToken } = (await other.find(own.phone))!;
    return tier === 2_000 && accessToken === 'second token';
  });
});

test('who was reached is counted over a moving 24 hours', async () => {
  const { sql, numbers, clock, accountId } = await startNumbers();
  const { id } = await numbers.createPortfolio({ accountId, ...business });
  const minute = Math.floor(clock.now() / MINUTE);
  for (const [before, clients] of [
    [0, 3],
    [1_439, 20],
    [1_440, 100],
  ]) {
    await sql`
      INSERT INTO chat_reach (account_id, portfolio_id, minute, clients)
      VALUES (${accountId}, ${id}, ${minute - before!}, ${clients!})`;
  }
  const reached = (await numbers.reached(accountId)).get(id);
  // A minute may have passed since.
  assert.ok(reached === 23 || reached === 3, String(reached));
  clock.advance(MINUTE);
  assert.equal((await numbers.reached(accountId)).get(id), 3);
  assert.deepEqual(await numbers.reached(accountId + 1), new Map());
});

test(
  'the first start creates the chat of the demo account, and later starts find it',
  covers('sandbox.demo.chat'),
  async () => {
    const { sql, ids, clock, numbers, process, accountId } = await startNumbers();
    const platform = {
      platformId: '100000000000001',
      numberPlatformId: '200000000000001',
      accessToken: 'one',
    };
    const { portfolio, number } = await createDemoChat({ sql, ids, clock, numbers }, accountId, platform);
    assert.deepEqual([portfolio.tier, number.phone, number.accountId], [250, '972550000001', accountId]);
    const templates = () => sql<
      { template_id: string; status: number; language: string; platform_id: string }[]
    >`
    SELECT template_id, status, language, platform_id FROM chat_templates WHERE account_id = ${accountId} ORDER BY id`;
    const first = await templates();
    assert.deepEqual(
      first.map(({ template_id, status }) => [template_id, status]),
      [
        ['plain', 1],
        ['two', 1],
        ['image', 1],
        ['website', 1],
        ['coupon', 1],
        ['otp', 1],
        ['replies', 1],
        ['pending', 0],
        ['rejected', 2],
        ['banned', 7],
      ].map(([suffix, status]) => [`1_972550000001_${suffix}`, status]),
    );
    await sql`UPDATE chat_templates SET status = 6 WHERE template_id = '1_972550000001_two'`;
    const again = process();
    const second = await createDemoChat({ sql, ids, clock, numbers: again }, accountId, {
      ...platform,
      accessToken: 'two',
    });
    assert.deepEqual(
      [second.portfolio.id, second.portfolio.accessToken, (await again.find('972550000001'))!.accessToken],
      [portfolio.id, 'two', 'two'],
    );
    const later = await templates();
    assert.equal(later.length, 10);
    assert.equal(later.find(({ template_id }) => template_id === '1_972550000001_two')!.status, 6);
    const [history] = await sql<
      { count: number }[]
    >`SELECT count(*)::int AS count FROM chat_template_statuses`;
    assert.equal(history!.count, 10);
  },
);

/** Runs a command in this process; returns what it prints. */
async function run(t: TestContext, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  const log = t.mock.method(console, 'log', (line: string) => lines.push(line));
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  manageCommands(program);
  for (const command of program.commands) {
    for (const sub of command.commands) sub.exitOverride().configureOutput({ writeErr: () => {} });
  }
  try {
    await program.parseAsync(['node', 'carillon', ...args]);
  } finally {
    log.mock.restore();
  }
  return lines.join('\n');
}

test('portfolios and numbers by the command line', covers('chatPlatform.numbers'), async (t) => {
  const { target, accounts } = await startNumbers();
  const { host, port, password, database } = target;
  process.env.DATABASE_URL = `postgres://carillon:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  process.env.SECRET_KEY = SECRET_KEY;
  t.after(() => {
    delete process.env.DATABASE_URL;
    delete process.env.SECRET_KEY;
  });
  await accounts.create({ username: 'other', name: 'Other' });
  const json = async <T>(...args: string[]) => JSON.parse(await run(t, ...args, '--json')) as T;

  const made = await json<{ id: number }>(
    'chat-portfolio',
    'add',
    'shop',
    'Shop',
    '--platform-id',
    '1029384756',
    '--token',
    'secret',
  );
  assert.deepEqual(made, { id: made.id, username: 'shop', name: 'Shop', tier: 250 });
  const id = String(made.id);
  const add = ['chat-number', 'add', 'shop', '055-000-0007', '--portfolio', id, '--platform-id', '660077'];
  assert.deepEqual(await json(...add), {
    phone: '972550000007',
    username: 'shop',
    portfolio: made.id,
    name: '972550000007',
    rate: 80,
  });
  assert.equal(await run(t, 'chat-portfolio', 'tier', id, '2000'), `portfolio ${id} has tier 2000`);
  assert.equal(await run(t, 'chat-portfolio', 'token', id, 'newer'), `portfolio ${id} has another token`);
  assert.deepEqual(await json('chat-portfolio', 'list'), [
    { id: made.id, username: 'shop', name: 'Shop', tier: 2_000, reached: 0, platform_id: '1029384756' },
  ]);
  assert.equal(
    await run(t, 'chat-portfolio', 'list', 'shop'),
    `${id}  shop  Shop  0 of 2000 clients reached`,
  );
  assert.equal(await run(t, 'chat-portfolio', 'list', 'other'), 'no portfolios');
  assert.equal(await run(t, 'chat-number', 'list'), `972550000007  shop  972550000007  portfolio ${id}`);
  assert.equal(await run(t, 'chat-number', 'list', 'other'), 'no business numbers');

  await assert.rejects(run(t, ...add), (error: unknown) => {
    assert.ok(error instanceof CommandError);
    assert.match(error.message, /business number already/);
    return true;
  });
  await assert.rejects(run(t, 'chat-number', 'list', 'nobody'), CommandError);
  await assert.rejects(run(t, ...add.with(3, '12')), CommandError);
  await assert.rejects(run(t, 'chat-portfolio', 'tier', '17', '2000'), CommandError);
  for (const wrong of [
    ['chat-portfolio', 'tier', id, '300'],
    ['chat-portfolio', 'tier', 'shop', '250'],
    ['chat-portfolio', 'add', 'shop', 'Shop', '--platform-id', 'abc', '--token', 'secret'],
    ['chat-portfolio', 'add', 'shop', 'Shop', '--platform-id', '1', '--token', 'two words'],
    ['chat-portfolio', 'add', 'shop', 'Shop', '--platform-id', '1', '--token', 'secret', '--tier', '1'],
    [...add, '--rate', '-1'],
    [...add, '--rate', '1001'],
  ]) {
    await assert.rejects(run(t, ...wrong), CommanderError, wrong.join(' '));
  }
});
