import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readSender, SENDER_RULE } from '../channels/mail/senders.ts';
import {
  ACCOUNT_USERNAME_RULE,
  isAccountUsername,
  isAddressBlock,
  isPrefix,
  isTimeZone,
  MAX_CREDITS,
  MAX_PRICE,
  readAccountName,
} from '../modules/accounts/account-rules.ts';
import { CREDIT, formatAmount, parseAmount } from '../modules/accounts/money.ts';
import { EVERYONE } from '../modules/accounts/prices.ts';
import { hashPassword } from '../modules/passwords/hashes.ts';
import { checkAccountPassword } from '../modules/passwords/rules.ts';
import { describeChange } from './audited.ts';
import { verificationCommands } from './verifications.ts';
import type { Json } from './with-app-context.ts';
import { accountNamed, CommandError, print, withAppContext } from './with-app-context.ts';

const priced = { sms: 'a part', chat: 'a conversation', mail: 'a mail', voice: 'a call' } as const;
type Priced = keyof typeof priced;

/** `account`, `wallet`, `price` and `source`. */
export function accountCommands(program: Command): void {
  const account = program.command('account').description('accounts');
  account
    .command('create <username>')
    .description('creates an account with an empty wallet')
    .option('--name <name>', 'display name (default: the user name)')
    .option('--parent <username>', 'makes it a subscriber of that account')
    .option('--password <password>', 'its password, for user.password in requests')
    .option('--password-sign-in', 'accepts user.password in requests instead of a token')
    .option('--time-zone <zone>', 'its time zone (default: the setting TIME_ZONE)', readZone)
    .option('--address <cidr...>', 'networks from which requests may come (default: any)', readBlocks)
    .action(createAccount);
  account
    .command('password <username>')
    .description('sets the password of an account for programs; without an option a random one, shown once')
    .option('--password <password>', 'the new password (other users of the machine may see it)')
    .option('--remove', 'removes the password: the account signs in with tokens only')
    .action(setPassword);
  account.command('list').description('lists all accounts with their balances').action(listAccounts);
  account
    .command('suspend <username>')
    .description('stops an account from sending')
    .option('--lift', 'reactivates the account')
    .action(async (username: string, options: Json & { lift?: boolean }) => {
      await withAppContext(async (appContext) => {
        const { id } = await accountNamed(appContext, username);
        const suspended = !options.lift;
        await appContext.accounts.suspend(id, suspended);
        print(options.json, { username, suspended }, `${username} is ${suspended ? 'suspended' : 'active'}`);
      });
    });

  program
    .command('wallet')
    .description('manages wallets of accounts')
    .command('add <username> <credits>')
    .description('adds credits; a negative amount subtracts them (write it after --)')
    .option('--note <text>', 'note for the ledger', 'operator')
    .action(addCredits);

  program
    .command('price')
    .description('manages the price list')
    .command('set <prefix> <credits>')
    .description(
      'sets the price of a prefix of international digits ("" is every destination, and the only prefix for email)',
    )
    .addOption(
      new Option('--channel <name>', 'channel of the price: a part, a conversation, an email, a call')
        .choices(Object.keys(priced))
        .default('sms'),
    )
    .option('--account <username>', 'for one account (default: for all accounts)')
    .option(
      '--refund-unanswered',
      'refunds messages that end with status 105 because the carrier never answered',
    )
    .option('--no-refund-unanswered', 'does not refund them (default of a new price)')
    .action(setPrice);

  const source = program.command('source').description('manages senders that accounts may use');
  verificationCommands(source);
  source
    .command('approve <username> <source>')
    .description('approves a number, a name, an email address or @ and its domain as a sender of an account')
    .option('--incoming', 'also delivers incoming messages to the number to this account')
    .action(approveSource);
}

async function createAccount(
  username: string,
  options: Json & {
    name?: string;
    parent?: string;
    password?: string;
    passwordSignIn?: boolean;
    timeZone?: string;
    address?: string[];
  },
): Promise<void> {
  if (!isAccountUsername(username)) throw new CommandError(ACCOUNT_USERNAME_RULE);
  await withAppContext(async (appContext) => {
    const parent = options.parent === undefined ? undefined : await accountNamed(appContext, options.parent);
    if (options.password !== undefined) checkAccountPassword(options.password, username);
    if (parent?.parentId) throw new CommandError(`${parent.username} is a subscriber itself`);
    const created = await appContext.accounts.create({
      username,
      name: options.name === undefined ? username : readAccountName('--name', options.name),
      ...(parent && { parentId: parent.id }),
      ...(options.password !== undefined && { passwordHash: await hashPassword(options.password) }),
      ...(options.passwordSignIn && { passwordSignIn: true }),
      ...(options.timeZone && { timeZone: options.timeZone }),
      ...(options.address && { addresses: options.address }),
    });
    print(options.json, { id: created.id, username }, `account ${username} is made (id ${created.id})`);
  });
}

async function setPassword(
  username: string,
  options: Json & { password?: string; remove?: boolean },
): Promise<void> {
  if (options.password !== undefined && options.remove) {
    throw new CommandError('either --password or --remove');
  }
  await withAppContext(async (appContext) => {
    const account = await accountNamed(appContext, username);
    const isRandom = options.password === undefined && !options.remove;
    const password = options.remove ? null : (options.password ?? randomBytes(18).toString('base64url'));
    await appContext.passwords.change(account, { password }, async (_tx, details) =>
      describeChange(appContext, details),
    );
    const words =
      password === null ? `${username} no longer has a password` : `${username} has a new password`;
    print(
      options.json,
      { username, ...(isRandom && { password }) },
      isRandom ? `${words}, shown this once:\n${password}` : words,
    );
  });
}

async function listAccounts(options: Json): Promise<void> {
  await withAppContext(async ({ accounts, wallets }) => {
    const all = await accounts.list();
    const rows = await Promise.all(
      all.map(async (account) => ({
        id: account.id,
        username: account.username,
        name: account.name,
        parent: all.find((other) => other.id === account.parentId)?.username ?? null,
        suspended: account.suspended,
        balance: formatAmount(await wallets.balance(account.id)),
      })),
    );
    const lines = rows.map(
      (row) =>
        `${row.username}  ${row.balance} credits${row.parent ? `  under ${row.parent}` : ''}${row.suspended ? '  suspended' : ''}`,
    );
    print(options.json, rows, lines.join('\n') || 'no accounts');
  });
}

async function addCredits(
  username: string,
  credits: string,
  options: Json & { note: string },
): Promise<void> {
  const amount = readAmount(credits);
  await withAppContext(async (appContext) => {
    const { id } = await accountNamed(appContext, username);
    await appContext.wallets.topUp(id, amount, options.note);
    const balance = formatAmount(await appContext.wallets.balance(id));
    print(options.json, { username, balance }, `${username} has ${balance} credits`);
  });
}

async function setPrice(
  prefix: string,
  credits: string,
  options: Json & { account?: string; channel: Priced; refundUnanswered?: boolean },
): Promise<void> {
  if (!isPrefix(prefix)) throw new CommandError('a prefix is up to 15 digits, without +');
  const price = readAmount(credits);
  if (price < 0 || price > MAX_PRICE * CREDIT) {
    throw new CommandError(`a price is 0 to ${MAX_PRICE} credits`);
  }
  await withAppContext(async (appContext) => {
    const accountId =
      options.account !== undefined ? (await accountNamed(appContext, options.account)).id : EVERYONE;
    const { channel } = options;
    const refunds = await appContext.prices.set(
      accountId,
      channel,
      prefix,
      credits,
      options.refundUnanswered,
    );
    const key = { account: options.account ?? null, channel, prefix };
    const cost = `${priced[channel]} to ${prefix || 'anywhere'} costs ${options.account ?? 'everyone'} ${credits}`;
    print(
      options.json,
      { ...key, price: credits, refund_unanswered: refunds },
      refunds ? `${cost}, refunded if the carrier never answers` : cost,
    );
  });
}

async function approveSource(
  username: string,
  source: string,
  options: Json & { incoming?: boolean },
): Promise<void> {
  const sender = readSender(source);
  if (sender === undefined) throw new CommandError(`a source ${SENDER_RULE}`);
  await withAppContext(async (appContext) => {
    const { id } = await accountNamed(appContext, username);
    await appContext.sources.approve(id, sender, { incoming: options.incoming === true });
    print(
      options.json,
      { username, source: appContext.sources.keyOf(sender) },
      `${username} may send from ${source}`,
    );
  });
}

function readAmount(credits: string): number {
  let amount: number;
  try {
    amount = parseAmount(credits);
  } catch {
    throw new CommandError('credits are an amount like 100 or 0.25, four places at most');
  }
  if (Math.abs(amount) > MAX_CREDITS * CREDIT) {
    throw new CommandError(`at most ${MAX_CREDITS} credits at a time`);
  }
  return amount;
}

function readZone(value: string): string {
  if (!isTimeZone(value)) throw new InvalidArgumentError('a time zone like Asia/Jerusalem');
  return value;
}

function readBlocks(value: string, known: string[] = []): string[] {
  if (!isAddressBlock(value)) {
    throw new InvalidArgumentError('an address or a block like 192.0.2.0/24');
  }
  return [...known, value];
}
