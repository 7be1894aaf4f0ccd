import { randomBytes } from 'node:crypto';
import { tokenScopes } from '../api/access/scopes.ts';
import type { Sql } from '../database/connection.ts';
import type { Account, Accounts } from '../modules/accounts/accounts.ts';
import { CREDIT } from '../modules/accounts/money.ts';
import type { Tokens } from '../modules/accounts/tokens.ts';
import type { Wallets } from '../modules/accounts/wallets.ts';
import { hashPassword } from '../modules/passwords/hashes.ts';
import type { OneTimeLink } from '../modules/people/one-time-links.ts';
import type { People } from '../modules/people/people.ts';
import type { Person } from '../modules/people/person.ts';

export const DEMO_USERNAME = 'demo';
export const OPERATOR_USERNAME = 'operator';
/** Label of the token that the first start prints. */
const DEMO_LABEL = 'demo';
const DEMO_CREDITS = 100_000;
/** Ledger note of the demo credits. */
export const DEMO_CREDITS_NOTE = 'demo credits';

/** Secrets printed at the first start. They are not stored in clear text, unless preset. */
export interface DemoSecrets {
  readonly token: string;
  /** Token of the mailing-list API. */
  readonly mailToken: string;
  readonly password: string;
}

interface DemoDeps {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly mailTokens: Tokens;
  readonly wallets: Wallets;
  /** Whether the account was retired: it gets new secrets and credits, and is reactivated. */
  readonly retired: boolean;
  readonly sql: Sql;
  readonly preset: {
    readonly token: string | undefined;
    readonly mailToken: string | undefined;
    readonly password: string | undefined;
  };
}

/**
 * Creates the demo account of a new sandbox (decisions, section 5). `secrets` is undefined when the account already
 * existed. An existing account gets preset tokens too, so that scripts can use a sandbox whose first start they did not
 * see.
 */
export async function ensureDemoAccount(
  deps: DemoDeps,
): Promise<{ account: Account; secrets: DemoSecrets | undefined }> {
  const { accounts, tokens, mailTokens, preset } = deps;
  const known = await accounts.byUsername(DEMO_USERNAME);
  if (known && !deps.retired) {
    await ensureToken(tokens, known, preset.token);
    await ensureToken(mailTokens, known, preset.mailToken);
    await widenDemoTokens(tokens, known, preset.token);
    return { account: known, secrets: undefined };
  }
  const password = preset.password ?? randomBytes(9).toString('base64url');
  const passwordHash = await hashPassword(password);
  const account = known
    ? await revive(deps, known, passwordHash)
    : await accounts.create({ username: DEMO_USERNAME, name: 'Demo', passwordHash, passwordSignIn: true });
  await deps.wallets.topUp(account.id, DEMO_CREDITS * CREDIT, DEMO_CREDITS_NOTE);
  const token = await firstToken(tokens, account, preset.token);
  const mailToken = await firstToken(mailTokens, account, preset.mailToken);
  return { account, secrets: { token, mailToken, password } };
}

async function revive({ sql, accounts }: DemoDeps, { id }: Account, passwordHash: string): Promise<Account> {
  await sql`
    UPDATE accounts SET password_hash = ${passwordHash}, password_sign_in = true, suspended = false WHERE id = ${id}`;
  await sql`
    UPDATE people SET password_hash = ${passwordHash}, suspended = false
    WHERE account_id = ${id} AND lower(username) = ${DEMO_USERNAME}`;
  await accounts.reload();
  return (await accounts.byId(id))!;
}

async function firstToken(tokens: Tokens, account: Account, preset: string | undefined): Promise<string> {
  return (await tokens.mint(account.id, { label: DEMO_LABEL, ...(preset !== undefined && { preset }) }))
    .token;
}

async function ensureToken(tokens: Tokens, account: Account, preset: string | undefined): Promise<void> {
  if (preset === undefined || (await tokens.find(preset))) return;
  await tokens.mint(account.id, { label: 'preset', preset });
}

/** Scopes that migration 0021 gave to API tokens from before scopes existed. */
const OLD_SCOPES = tokenScopes.filter((scope) => scope !== 'webhooks');

/**
 * Gives the demo account's token of an earlier version the scopes of a new one, so that the examples of the console and
 * the docs work with it: the preset token, and the one that the first start printed. Tokens that people created stay
 * unchanged.
 */
async function widenDemoTokens(tokens: Tokens, { id }: Account, preset: string | undefined): Promise<void> {
  const presetId = preset === undefined ? undefined : (await tokens.find(preset))?.id;
  const all = await tokens.list(id);
  const printed = all.find(({ label, madeBy }) => label === DEMO_LABEL && madeBy === null);
  for (const token of all) {
    const isOurs = token.id === presetId || token.id === printed?.id;
    const isOld =
      token.scopes.length === OLD_SCOPES.length && OLD_SCOPES.every((scope) => token.scopes.includes(scope));
    if (isOurs && isOld) await tokens.allowAll(token.id);
  }
}

/**
 * Creates the people of a sandbox: `demo`, who owns the demo account and has its password, and `operator`, who chooses
 * a password by the returned link. Returns undefined when the operator has already chosen one. An operator of an
 * earlier version, who still has the demo account's password, loses it.
 */
export async function ensureDemoPeople(
  people: People,
  account: Account,
): Promise<{ demo: Person; operatorLink: OneTimeLink | undefined }> {
  const { passwordHash } = account;
  const demo =
    (await people.byUsername(DEMO_USERNAME)) ??
    (
      await people.add({
        accountId: account.id,
        username: DEMO_USERNAME,
        name: 'Demo',
        role: 'owner',
        passwordHash,
      })
    ).person;
  const known = await people.byUsername(OPERATOR_USERNAME);
  if (!known) {
    const { link } = await people.add({
      accountId: null,
      username: OPERATOR_USERNAME,
      name: 'Operator',
      role: 'operator',
    });
    return { demo, operatorLink: link ?? undefined };
  }
  if (known.accountId !== null || known.suspended) return { demo, operatorLink: undefined };
  const shared = passwordHash !== null && (await people.dropPassword(known.id, passwordHash));
  const wanted = shared || !known.hasPassword;
  const operatorLink = wanted ? await people.reset(null, known.id, { secondFactor: false }) : undefined;
  return { demo, operatorLink };
}
