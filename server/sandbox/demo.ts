import { randomBytes } from 'node:crypto';
import type { Account, Accounts } from '../accounts/accounts.ts';
import { CREDIT } from '../accounts/money.ts';
import { hashPassword } from '../accounts/passwords.ts';
import type { Tokens } from '../accounts/tokens.ts';
import type { Wallets } from '../accounts/wallets.ts';
import type { People } from '../people/people.ts';
import type { Person } from '../people/person.ts';

export const DEMO_USERNAME = 'demo';
export const OPERATOR_USERNAME = 'operator';
const DEMO_CREDITS = 100_000;

/** What is printed at the first start, and known nowhere afterwards unless it was preset. */
export interface DemoSecrets {
  readonly token: string;
  /** Of the mailing-list API. */
  readonly mailToken: string;
  readonly password: string;
}

export interface DemoParts {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly mailTokens: Tokens;
  readonly wallets: Wallets;
  readonly preset: {
    readonly token: string | undefined;
    readonly mailToken: string | undefined;
    readonly password: string | undefined;
  };
}

/**
 * Makes the demo account of a fresh sandbox (decisions, section 5). `secrets` is undefined when it was there already;
 * preset tokens are given to it then too, so that scripts can drive a sandbox whose first start they did not see.
 */
export async function ensureDemoAccount(
  parts: DemoParts,
): Promise<{ account: Account; secrets: DemoSecrets | undefined }> {
  const { accounts, tokens, mailTokens, wallets, preset } = parts;
  const known = await accounts.byUsername(DEMO_USERNAME);
  if (known) {
    await ensureToken(tokens, known, preset.token);
    await ensureToken(mailTokens, known, preset.mailToken);
    return { account: known, secrets: undefined };
  }
  const password = preset.password ?? randomBytes(9).toString('base64url');
  const account = await accounts.create({
    username: DEMO_USERNAME,
    name: 'Demo',
    passwordHash: await hashPassword(password),
    passwordSignIn: true,
  });
  await wallets.topUp(account.id, DEMO_CREDITS * CREDIT, 'demo credits');
  const token = await firstToken(tokens, account, preset.token);
  const mailToken = await firstToken(mailTokens, account, preset.mailToken);
  return { account, secrets: { token, mailToken, password } };
}

async function firstToken(tokens: Tokens, account: Account, preset: string | undefined): Promise<string> {
  return (await tokens.mint(account.id, { label: 'demo', ...(preset !== undefined && { preset }) })).token;
}

async function ensureToken(tokens: Tokens, account: Account, preset: string | undefined): Promise<void> {
  if (preset === undefined || (await tokens.find(preset))) return;
  await tokens.mint(account.id, { label: 'preset', preset });
}

/**
 * Makes the people of a sandbox: `demo`, who owns the demo account, and `operator`. Both have the account's password
 * when they are made. Returns the first.
 */
export async function ensureDemoPeople(people: People, account: Account): Promise<Person> {
  const { passwordHash } = account;
  const ensure = async (person: Pick<Person, 'accountId' | 'username' | 'name' | 'role'>) =>
    (await people.byUsername(person.username)) ?? (await people.add({ ...person, passwordHash })).person;
  await ensure({ accountId: null, username: OPERATOR_USERNAME, name: 'Operator', role: 'operator' });
  return ensure({ accountId: account.id, username: DEMO_USERNAME, name: 'Demo', role: 'owner' });
}
