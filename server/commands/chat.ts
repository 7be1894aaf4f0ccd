import { type Command, InvalidArgumentError } from 'commander';
import {
  ACCESS_TOKEN,
  ChatNumbers,
  ChatSetupRefused,
  MAX_RATE,
  MESSAGES_PER_SECOND,
  PLATFORM_ID,
  type Portfolio,
  tiers,
} from '../channels/chat/business-numbers.ts';
import type { AppContext } from '../run/app-context.ts';
import type { Json } from './with-app-context.ts';
import { accountNamed, CommandError, print, withAppContext } from './with-app-context.ts';

/** `chat-portfolio` and `chat-number`: who sends by chat, and as whom on the platform. */
export function chatCommands(program: Command): void {
  const portfolio = program
    .command('chat-portfolio')
    .description('manages business accounts on the chat platform, whose numbers share a tier');
  portfolio
    .command('add <username> <name>')
    .description('creates a portfolio for an account')
    .requiredOption('--platform-id <id>', 'id of the business account on the platform', readPlatformId)
    .requiredOption('--token <token>', 'access token of the business account', readToken)
    .option('--tier <clients>', `one of ${tiers.join(', ')}`, readTier, tiers[0])
    .action(addPortfolio);
  portfolio
    .command('list [username]')
    .description('lists portfolios with their tier, and the clients reached in the last 24 hours')
    .action(listPortfolios);
  portfolio
    .command('tier')
    .description('sets the number of clients to whom it may write first within 24 hours')
    .argument('<portfolio>', 'id of the portfolio', readId)
    .argument('<clients>', `one of ${tiers.join(', ')}`, readTier)
    .action(async (id: number, tier: number, options: Json) => {
      await onNumbers(async (numbers) => {
        await numbers.setTier(id, tier);
        print(options.json, { id, tier }, `portfolio ${id} has tier ${tier}`);
      });
    });
  portfolio
    .command('token')
    .description('replaces the access token')
    .argument('<portfolio>', 'id of the portfolio', readId)
    .argument('<token>', 'the access token', readToken)
    .action(async (id: number, token: string, options: Json) => {
      await onNumbers(async (numbers) => {
        await numbers.setAccessToken(id, token);
        print(options.json, { id }, `portfolio ${id} has another token`);
      });
    });

  const number = program
    .command('chat-number')
    .description('manages business numbers from which accounts send by chat');
  number
    .command('add <username> <phone>')
    .description('adds a business number to a portfolio of an account')
    .requiredOption('--portfolio <id>', 'id of the portfolio', readId)
    .requiredOption('--platform-id <id>', 'id of the number on the platform', readPlatformId)
    .option('--name <name>', 'display name (default: the number)')
    .option('--rate <messages>', 'maximum messages per second; 0 is no limit', readRate, MESSAGES_PER_SECOND)
    .action(addNumber);
  number.command('list [username]').description('business numbers').action(listNumbers);
}

async function addPortfolio(
  username: string,
  name: string,
  options: Json & { platformId: string; token: string; tier: number },
): Promise<void> {
  await onNumbers(async (numbers, appContext) => {
    const { id: accountId } = await accountNamed(appContext, username);
    const { platformId, token: accessToken, tier } = options;
    const { id } = await numbers.createPortfolio({ accountId, name, tier, platformId, accessToken });
    print(options.json, { id, username, name, tier }, `portfolio ${id} is made`);
  });
}

async function listPortfolios(username: string | undefined, options: Json): Promise<void> {
  await onNumbers(async (numbers, appContext) => {
    const rows = await Promise.all(
      (await ofAccount(appContext, username, await numbers.allPortfolios())).map(
        async ({ username: owner, item }) => ({
          id: item.id,
          username: owner,
          name: item.name,
          tier: item.tier,
          reached: (await numbers.reached(item.accountId)).get(item.id) ?? 0,
          platform_id: item.platformId,
        }),
      ),
    );
    const lines = rows.map(
      (row) => `${row.id}  ${row.username}  ${row.name}  ${row.reached} of ${row.tier} clients reached`,
    );
    print(options.json, rows, lines.join('\n') || 'no portfolios');
  });
}

async function addNumber(
  username: string,
  given: string,
  options: Json & { portfolio: number; platformId: string; name?: string; rate: number },
): Promise<void> {
  await onNumbers(async (numbers, appContext) => {
    const { id: accountId } = await accountNamed(appContext, username);
    const phone = appContext.numbers.parse(given)?.digits;
    if (phone === undefined) throw new CommandError(`"${given}" is no phone number`);
    const { portfolio: portfolioId, platformId, name = phone, rate: messagesPerSecond } = options;
    await numbers.addNumber({ phone, accountId, portfolioId, name, platformId, messagesPerSecond });
    print(
      options.json,
      { phone, username, portfolio: portfolioId, name, rate: messagesPerSecond },
      `${username} may send from ${phone} by chat`,
    );
  });
}

async function listNumbers(username: string | undefined, options: Json): Promise<void> {
  await onNumbers(async (numbers, appContext) => {
    const rows = (await ofAccount(appContext, username, await numbers.all())).map(
      ({ username: owner, item }) => ({
        phone: item.phone,
        username: owner,
        name: item.name,
        portfolio: item.portfolioId,
        rate: item.messagesPerSecond,
        platform_id: item.platformId,
      }),
    );
    const lines = rows.map((row) => `${row.phone}  ${row.username}  ${row.name}  portfolio ${row.portfolio}`);
    print(options.json, rows, lines.join('\n') || 'no business numbers');
  });
}

/** Those of one account, or of all, with the user names of their accounts. */
async function ofAccount<T extends Pick<Portfolio, 'accountId'>>(
  appContext: AppContext,
  username: string | undefined,
  items: readonly T[],
): Promise<{ username: string; item: T }[]> {
  const only = username === undefined ? undefined : (await accountNamed(appContext, username)).id;
  const names = new Map((await appContext.accounts.list()).map((account) => [account.id, account.username]));
  return items
    .filter(({ accountId }) => only === undefined || accountId === only)
    .map((item) => ({ username: names.get(item.accountId)!, item }));
}

/** Runs a command on the business numbers; what they refuse is said without a stack. */
async function onNumbers(
  work: (numbers: ChatNumbers, appContext: AppContext) => Promise<void>,
): Promise<void> {
  await withAppContext(async (appContext) => {
    const { ids, clock, secrets, database } = appContext;
    try {
      await work(new ChatNumbers({ sql: database.sql, ids, clock, secrets }), appContext);
    } catch (error) {
      throw error instanceof ChatSetupRefused ? new CommandError(error.message) : error;
    }
  });
}

function readTier(value: string): number {
  const tier = Number(value);
  if (!tiers.includes(tier)) throw new InvalidArgumentError(`a tier is one of ${tiers.join(', ')}`);
  return tier;
}

function readId(value: string): number {
  if (!/^\d{1,16}$/.test(value)) throw new InvalidArgumentError(`"${value}" is no id`);
  return Number(value);
}

function readPlatformId(value: string): string {
  if (!PLATFORM_ID.test(value)) throw new InvalidArgumentError('the platform has ids of digits');
  return value;
}

function readToken(value: string): string {
  if (!ACCESS_TOKEN.test(value)) throw new InvalidArgumentError('a token has letters, digits and signs');
  return value;
}

function readRate(value: string): number {
  const rate = Number(value);
  if (!/^\d{1,4}$/.test(value) || rate > MAX_RATE) {
    throw new InvalidArgumentError(`a whole number up to ${MAX_RATE}, or 0 for no limit`);
  }
  return rate;
}
