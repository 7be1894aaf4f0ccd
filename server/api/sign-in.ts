import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Context } from '../kit/context.ts';
import { badField, Refusal } from '../kit/errors.ts';
import type { AccountPasswords } from '../modules/accounts/account-passwords.ts';
import type { Account, Accounts } from '../modules/accounts/accounts.ts';
import type { TokenGrant, Tokens } from '../modules/accounts/tokens.ts';
import { type TokenScope, tokenScopes } from './access/scopes.ts';
import { bearerToken } from './bearer.ts';
import type { Call } from './sms/operation.ts';
import { optionalText } from './sms/wire/fields.ts';
import { only } from './sms/wire/only.ts';

export interface SignInDeps extends Pick<Context, 'clock'> {
  readonly accounts: Accounts;
  readonly tokens: Pick<Tokens, 'find'>;
  readonly passwords: Pick<AccountPasswords, 'signIn'>;
}

/** The caller, and the account that the call acts for. */
interface SignedIn extends Pick<Call, 'account' | 'caller' | 'token'> {
  /** Scopes of the token; all scopes for a password. */
  readonly scopes: readonly TokenScope[];
}

/**
 * Signs in a request (decisions, "Sign-in"): by the bearer token of the header or, if the account permits it, by the
 * password in the body. `address` is the client's. Throws Refusal `signed-out`, `token-expired`, `wrong-account`,
 * `bad-field` without user.username, `try-again` and LoginThrottled (modules/accounts/account-passwords.ts).
 */
export async function signIn(
  deps: SignInDeps,
  authorization: string | undefined,
  content: Record<string, unknown>,
  address: string,
  known?: KnownOwner,
): Promise<SignedIn> {
  const user = (only(content.user) ?? {}) as Record<string, unknown>;
  const username = read(user.username);
  const isRecent = known !== undefined && performance.now() - known.at < OWNER_MS;
  const value = isRecent ? known.value : bearerToken(authorization);
  const signedIn =
    value === undefined
      ? await byPassword(deps, username, read(user.password), address)
      : await byToken(deps, isRecent ? known : await ownerOf(deps, value), username);
  if (!allows(signedIn.caller, address)) throw wrong();
  return signedIn;
}

/**
 * Signs in a request that names no account, as the account that owns the bearer token. Throws Refusal `signed-out` or
 * `token-expired`.
 */
export async function signInOwner(
  deps: SignInDeps,
  authorization: string | undefined,
  address: string,
): Promise<KnownOwner> {
  const value = bearerToken(authorization);
  if (value === undefined) throw wrong();
  const owner = await ownerOf(deps, value);
  if (!allows(owner.caller, address)) throw wrong();
  return owner;
}

/** The owner of a token, and when it was looked up. */
export interface KnownOwner {
  readonly caller: Account;
  readonly grant: TokenGrant;
  /** The token. */
  readonly value: string;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/**
 * Milliseconds in which `signIn` uses the owner that `signInOwner` found for the same request. After a longer upload it looks
 * again, since the token may have ended.
 */
const OWNER_MS = 1_000;

async function ownerOf(deps: SignInDeps, value: string): Promise<KnownOwner> {
  const grant = await deps.tokens.find(value);
  const caller = grant && (await deps.accounts.byId(grant.accountId));
  if (!caller) throw wrong();
  if (grant.expiresAt !== null && grant.expiresAt <= deps.clock.now()) {
    throw new Refusal('token-expired', 'the token has expired');
  }
  return { caller, grant, value, at: performance.now() };
}

async function byToken(
  deps: SignInDeps,
  { caller, grant, value }: KnownOwner,
  username: string | undefined,
): Promise<SignedIn> {
  if (username === undefined) throw badField('user.username', 'missing', 'missing');
  const account = caller.username === username ? caller : await deps.accounts.byUsername(username);
  if (!account || (account.id !== caller.id && account.parentId !== caller.id)) {
    throw new Refusal('wrong-account', 'the token is not for this user name');
  }
  const { id, scopes, expiresAt } = grant;
  return { account, caller, token: { id, value, expiresAt, scopes }, scopes };
}

async function byPassword(
  deps: SignInDeps,
  username: string | undefined,
  password: string | undefined,
  address: string,
): Promise<SignedIn> {
  if (password === undefined) throw wrong();
  if (username === undefined) throw badField('user.username', 'missing', 'missing');
  const given = { username, password, address, endpoint: 'POST /api' };
  const account = await deps.passwords.signIn(given, (found) => allows(found, address));
  return { account, caller: account, token: undefined, scopes: tokenScopes };
}

/** One response for every mistake, so that nobody learns which user names exist. */
function wrong(): Refusal {
  return new Refusal('signed-out', 'user name, password or token is wrong');
}

function read(value: unknown): string | undefined {
  const result = optionalText.safeParse(value);
  return result.success ? result.data : undefined;
}

const lists = new WeakMap<Account, BlockList>();

/** Whether an account may be used from an address. */
export function allows(account: Account, address: string): boolean {
  if (account.addresses.length === 0) return true;
  let list = lists.get(account);
  if (!list) {
    list = new BlockList();
    for (const block of account.addresses) {
      const [network = '', bits] = block.split('/');
      const family = isIPv6(network) ? 'ipv6' : 'ipv4';
      list.addSubnet(network, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
    }
    lists.set(account, list);
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}
