import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../kit/errors.ts';
import type { Account } from '../../modules/accounts/accounts.ts';
import type { PeopleModule } from '../../modules/people/open.ts';
import { isProven } from '../../modules/people/proofs.ts';
import type { Session } from '../../modules/people/sessions.ts';
import type { Principal } from '../access/decide.ts';
import type { TokenScope } from '../access/scopes.ts';
import { bearerToken } from '../bearer.ts';
import { allows, type SignInDeps, signIn } from '../sign-in.ts';

/*
 * The caller of /v1: a bearer token, or a person of the console with a session in a cookie. Browsers send cookies on
 * their own, so a change by a session also needs a header that no other site can make them send. Tokens do not need it.
 */

/** The name of the session's cookie over plain http. */
export const SESSION_COOKIE = 'carillon_session';
/** Over https: browsers accept it only from this host, and not from a page of plain http (RFC 6265bis, 4.1.3.2). */
const SECURE_COOKIE = `__Host-${SESSION_COOKIE}`;
const cookieName = (https: boolean): string => (https ? SECURE_COOKIE : SESSION_COOKIE);
const CSRF_HEADER = 'x-carillon-csrf';

export interface CallerDeps extends SignInDeps {
  readonly people: Pick<PeopleModule, 'sessions' | 'audit'>;
}

/** The caller, and the account that the call acts for. */
export interface Caller {
  /** The account that the call acts for; undefined for an operator who names none. */
  readonly account: Account | undefined;
  /** The account of the token or person. */
  readonly own: Account | undefined;
  /** undefined: the request has a token. */
  readonly session: Session | undefined;
  readonly tokenId: number | undefined;
  /** Scopes of the token; empty for a person. */
  readonly scopes: readonly TokenScope[];
}

const readingMethods = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a request only reads, by its method. */
const onlyReads = (request: FastifyRequest) => readingMethods.includes(request.method);

/** Returns the token in the session's cookie; undefined without one. */
export function sessionToken(request: FastifyRequest): string | undefined {
  const name = cookieName(request.server.https);
  return new RegExp(`(?:^|;)\\s*${name}=([\\w-]{43})\\s*(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
}

/** Sets the session's cookie in the browser; '' deletes it. */
export function setSessionCookie(reply: FastifyReply, token: string): void {
  const { https } = reply.server;
  const end = token === '' ? '; Max-Age=0' : '';
  reply.header(
    'set-cookie',
    `${cookieName(https)}=${token}; Path=/; HttpOnly; SameSite=Strict${https ? '; Secure' : ''}${end}`,
  );
}

/** Whether the request only reads, or cannot have been caused by another site. */
function isOwnSite(request: FastifyRequest): boolean {
  return onlyReads(request) || request.headers[CSRF_HEADER] === '1';
}

/** Throws Refusal `not-allowed` for a change that another site may have caused. */
export function checkCsrf(request: FastifyRequest): void {
  if (isOwnSite(request)) return;
  throw new Refusal('not-allowed', 'the header X-Carillon-CSRF: 1 is missing');
}

/**
 * Signs in a request, by its bearer token or else by its session. Throws Refusal `signed-out`, `token-expired`,
 * `wrong-account`, `unknown-user`, and `not-allowed` for a session's change without the header.
 */
export async function signInCaller(deps: CallerDeps, request: FastifyRequest): Promise<Caller> {
  const token = request.headers.authorization === undefined ? sessionToken(request) : undefined;
  if (token === undefined) return byToken(deps, request);
  const session = await deps.people.sessions.find(token);
  if (!session) throw new Refusal('signed-out', 'the session has ended');
  checkCsrf(request);
  const { accountId } = session.person;
  const own = accountId === null ? undefined : await deps.accounts.byId(accountId);
  if (own && !allows(own, request.ip)) throw new Refusal('signed-out', 'not from this address');
  const username = namedUser(request);
  const account = username === undefined ? own : await deps.accounts.byUsername(username);
  if (username !== undefined && accountId === null && !account) {
    throw new Refusal('unknown-user', 'there is no such user name');
  }
  if (accountId !== null && (!account || (account.id !== accountId && account.parentId !== accountId))) {
    throw new Refusal('wrong-account', 'this is not your account, and not one of its subscribers');
  }
  return { account, own, session, tokenId: undefined, scopes: [] };
}

/** The name of the calling person; null for a token. */
export const personOf = ({ session }: Caller): string | null => session?.person.name ?? null;

/** Returns a caller as the access table needs it. */
export function principalOf({ session, scopes }: Caller): Principal {
  if (!session) return { kind: 'token', scopes };
  const { person, secondFactorRequired, secondFactorPending, provider } = session;
  return {
    kind: 'person',
    role: person.role,
    lacksSecondFactor: secondFactorRequired && !person.secondFactor && !provider?.secondFactor,
    secondFactorPending,
    proven: isProven(session),
  };
}

async function byToken(deps: SignInDeps, request: FastifyRequest): Promise<Caller> {
  const { authorization } = request.headers;
  const token = bearerToken(authorization);
  const grant = token === undefined ? null : await deps.tokens.find(token);
  const own = async () => (grant ? (await deps.accounts.byId(grant.accountId))?.username : undefined);
  const user = { username: namedUser(request) ?? (await own()) };
  const { account, caller, scopes } = await signIn(deps, authorization, { user }, request.ip);
  return { account, own: caller, session: undefined, tokenId: grant?.id, scopes };
}

/** Returns the user name in `?username=`; an invalid value becomes a name that nobody has. */
function namedUser(request: FastifyRequest): string | undefined {
  const { username } = request.query as { username?: unknown };
  return username === undefined || username === '' ? undefined : String(username);
}
