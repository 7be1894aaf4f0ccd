import type { Principal } from '../../server/api/access/decide.ts';
import { accountRoles, type PersonRole, roles } from '../../server/api/access/roles.ts';
import type { SignedRule } from '../../server/api/access/rules.ts';
import { type TokenScope, tokenScopes } from '../../server/api/access/scopes.ts';
import { MailTokens } from '../../server/channels/mail/tokens.ts';
import { Tokens } from '../../server/modules/accounts/tokens.ts';
import { PROOF_MS } from '../../server/modules/people/sessions.ts';
import { lastingProof } from '../api/v1/calls.ts';
import type { TestService } from '../support/service.ts';

/* Everybody who calls every row of the access table, and how each API says no. */

/** The APIs, by what they have in common: how one signs in. */
export type Api = 'v1' | 'sandbox' | 'sms' | 'chat' | 'mail' | 'mcp';

export interface WalkingCaller {
  readonly name: string;
  /** What the access table knows them as. */
  readonly principal: Principal;
  /** Whom `?username=` (or `user.username`) names, where an account calls for its subscribers. */
  readonly names?: string;
  /** Their account has no right to whom they name: `wrong-account`, and nothing of the sandbox's demo account. */
  readonly isForeign: boolean;
  /** What they sign in with; `isEnding`: with a session of its own, which the request may end or change. */
  readonly headers: (isEnding: boolean) => Promise<Record<string, string>>;
}

/** The label of the tokens of the walk. */
export const WALKER = 'walker';

/** The kinds of principal that an API can sign in; others are strangers to it. */
export const signsIn: Readonly<Record<Api, readonly Principal['kind'][]>> = {
  v1: ['token', 'person'],
  sandbox: ['token', 'person'],
  sms: ['token'],
  chat: ['token'],
  mail: ['mail-token'],
  mcp: ['token'],
};

/** The API that a row belongs to. */
export function apiOf(path: string, rule: SignedRule): Api {
  if (rule.sandbox) return 'sandbox';
  if (path.startsWith('/v1/')) return 'v1';
  if (path.startsWith('/chat-api/')) return 'chat';
  if (path === '/mcp') return 'mcp';
  return path.startsWith('/api/Mailer/') ? 'mail' : 'sms';
}

/**
 * Everybody: nobody, an expired token, a token of the mailing-list API, another tenant's token and person, a subscriber
 * who names the parent, the parent who names the subscriber, each role, people who lack the second factor that their account
 * requires, people whose last proof of identity is too old, and each token scope alone.
 */
export async function everybody(service: TestService): Promise<WalkingCaller[]> {
  const { appContext, sql, demo } = service;
  // More than an account may have.
  const tokens = new Tokens(appContext, { most: 100 });
  const { people, sessions } = appContext.people;
  const stranger = await service.addAccount({ username: 'stranger' });
  const subscriber = await service.addAccount({ username: 'subscriber', parentId: demo.id });
  const strict = await service.addAccount({ username: 'strict' });
  await appContext.people.rules.change(strict.id, { secondFactorRequired: true }, async () => {});
  let made = 0;

  const bearer = (token: string) => async () => ({ authorization: `Bearer ${token}` });
  const newSession = async (role: PersonRole, accountId: number | null, proofAgeMs: number | null) => {
    const username = `walker-${++made}`;
    const { person } = await people.add({ accountId, username, name: username, role });
    const origin = { address: '127.0.0.1', agent: 'test' };
    const token = await sessions.start(sql, person.id, origin, { proofAgeMs });
    return { cookie: `carillon_session=${token}`, 'x-carillon-csrf': '1' };
  };
  const sessionOf = (
    role: PersonRole,
    accountId: number | null,
    proofAgeMs: number | null = lastingProof.proofAgeMs,
  ) => {
    let lasting: Promise<Record<string, string>> | undefined;
    return (isEnding: boolean) => {
      if (isEnding) return newSession(role, accountId, proofAgeMs);
      lasting ??= newSession(role, accountId, proofAgeMs);
      return lasting;
    };
  };
  const withScopes = async (accountId: number, scopes: readonly TokenScope[]) =>
    bearer((await tokens.mint(accountId, { label: WALKER, scopes })).token);
  const expired = await tokens.mint(demo.id, { label: WALKER, expiresAt: appContext.clock.now() - 1_000 });
  const mail = await new MailTokens(appContext).lasting.mint(demo.id, { label: 'walk' });

  const nobody: Principal = { kind: 'nobody' };
  const all: Principal = { kind: 'token', scopes: tokenScopes };
  const owner: Principal = { kind: 'person', role: 'owner', lacksSecondFactor: false, proven: true };
  const own = { isForeign: false };
  const foreign = { isForeign: true, names: 'demo' };
  return [
    { name: 'nobody', principal: nobody, ...own, headers: async () => ({}) },
    { name: 'an expired token', principal: nobody, ...own, headers: bearer(expired.token) },
    { name: 'an unknown token', principal: nobody, ...own, headers: bearer('x'.repeat(40)) },
    { name: 'a mail token', principal: { kind: 'mail-token' }, ...own, headers: bearer(mail.token) },
    { name: "another tenant's token", principal: all, ...foreign, headers: bearer(stranger.token) },
    {
      name: "another tenant's owner",
      principal: owner,
      ...foreign,
      headers: sessionOf('owner', stranger.id),
    },
    { name: "a subscriber's token", principal: all, ...foreign, headers: bearer(subscriber.token) },
    {
      name: "a subscriber's owner",
      principal: owner,
      ...foreign,
      headers: sessionOf('owner', subscriber.id),
    },
    {
      name: 'the parent for a subscriber',
      principal: all,
      ...own,
      names: 'subscriber',
      headers: await withScopes(demo.id, tokenScopes),
    },
    ...roles.map((role) => ({
      name: `the role ${role}`,
      principal: { kind: 'person', role, lacksSecondFactor: false, proven: true } as const,
      ...own,
      ...(role === 'operator' && { names: 'demo' }),
      headers: sessionOf(role, role === 'operator' ? null : demo.id),
    })),
    ...(['sender', 'owner', 'operator'] as const).map((role) => ({
      name: `the role ${role} in a borrowed session`,
      principal: { kind: 'person', role, lacksSecondFactor: false, proven: false } as const,
      ...own,
      ...(role === 'operator' && { names: 'demo' }),
      headers: sessionOf(role, role === 'operator' ? null : demo.id, PROOF_MS + 1),
    })),
    ...accountRoles.map((role) => ({
      name: `the role ${role} without the second factor that is required`,
      principal: { kind: 'person', role, lacksSecondFactor: true, proven: true } as const,
      isForeign: true,
      headers: sessionOf(role, strict.id),
    })),
    ...(await Promise.all(
      tokenScopes.map(async (scope) => ({
        name: `a token with ${scope} alone`,
        principal: { kind: 'token', scopes: [scope] } as const,
        ...own,
        headers: await withScopes(demo.id, [scope]),
      })),
    )),
  ];
}
