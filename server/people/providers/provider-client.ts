import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import type { Context } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import { createGuardedAgent, type GuardedAgent, guardedRequest } from '../../http/ssrf-guard.ts';
import { PROOF_MS } from '../sessions.ts';
import type { FlowSecrets } from './flows.ts';
import { CLIENT_SECRET, type SignInProvider } from './provider.ts';
import type { Claims } from './role-rules.ts';

/** What a provider says of itself is asked for again after so long. */
const KNOWN_MS = 10 * 60_000;
/** For a request to a provider, which somebody waits for. */
const TIMEOUT_MS = 10_000;
/** Of an answer, in bytes. Keys of large providers have 20 KiB. */
const MAX_ANSWER = 262_144;
/** Of a logout token: what is older than this was kept by somebody (OpenID Connect Back-Channel Logout 1.0, 2.6). */
const LOGOUT_SECONDS = 120;
/** Seconds by which the clock of a provider may differ from ours. */
const CLOCK_TOLERANCE_S = 30;
/** Of an ID token that becomes a part of an address, in characters: servers take addresses of 8 KiB. */
const MAX_HINT = 4_096;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

interface ProviderClientDeps extends Pick<Context, 'log' | 'secrets'> {
  /** Whether providers of accounts may be at private addresses, and speak http. */
  readonly allowPrivate: boolean;
  /** Time of this machine: providers do not know the clock of the sandbox. */
  readonly now: () => number;
}

/** What a logout token is about. */
export interface Logout {
  readonly issuer: string;
  /** undefined: whoever has the session. */
  readonly subject: string | undefined;
  /** undefined: all sessions of the subject. */
  readonly session: string | undefined;
}

/** What a provider says of whoever came back. */
export interface Claimed {
  readonly claims: Claims & { readonly iss: string; readonly sub: string };
  /** The ID token, for the end of the session; undefined when the provider takes none, or it is too long for an address. */
  readonly idToken: string | undefined;
  /** Milliseconds since the person proved at the provider who they are; null: the provider does not say. */
  readonly proofAgeMs: number | null;
}

interface Known {
  readonly until: number;
  readonly configuration: Promise<Configuration>;
}

/** What a provider is asked by (OpenID Connect Core 1.0, Discovery 1.0, RP-Initiated and Back-Channel Logout 1.0). */
export class ProviderClient {
  readonly #deps: ProviderClientDeps;
  /** By everything that it was made with. */
  readonly #known = new Map<string, Known>();
  /** Addresses that accounts give us are behind the SSRF guard; those of the operator are where the operator says. */
  readonly #guarded: GuardedAgent;
  readonly #open = createGuardedAgent({ allowPrivate: true });

  constructor(deps: ProviderClientDeps) {
    this.#deps = deps;
    this.#guarded = createGuardedAgent({ allowPrivate: deps.allowPrivate });
  }

  /**
   * Where a browser is sent to sign in. Throws Refusal `try-again` when the provider does not answer.
   *
   * @param reauthenticates whether the provider has to ask for credentials, even in a session there (OpenID Connect Core
   * 1.0, 3.1.2.1)
   */
  async authorizationUrl(
    provider: SignInProvider,
    { state, nonce, verifier }: FlowSecrets,
    redirectUri: string,
    reauthenticates: boolean,
  ): Promise<string> {
    const configuration = await this.#configurationOf(provider);
    return buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: provider.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(reauthenticates && { prompt: 'login', max_age: '0' }),
    }).href;
  }

  /**
   * Returns the claims of the ID token, completed with claims of UserInfo that it lacks. Throws
   * Refusal `try-again` when the provider does not answer, and what openid-client throws when something is wrong.
   *
   * @param answered the redirect URI with the parameters that the browser came back with
   * @param reauthenticates whether the ID token has to say by `auth_time` that the person signed in just now
   */
  async claims(
    provider: SignInProvider,
    { state, nonce, verifier }: FlowSecrets,
    answered: URL,
    reauthenticates: boolean,
  ): Promise<Claimed> {
    const configuration = await this.#configurationOf(provider);
    const tokens = await authorizationCodeGrant(configuration, answered, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(reauthenticates && { maxAge: PROOF_MS / 1_000 }),
    });
    const token = tokens.claims()!;
    checkClaims(token);
    const { userinfo_endpoint, end_session_endpoint } = configuration.serverMetadata();
    const isHint = end_session_endpoint !== undefined && tokens.id_token!.length <= MAX_HINT;
    const idToken = isHint ? tokens.id_token : undefined;
    const proofAgeMs = this.#proofAgeOf(token.auth_time);
    if (userinfo_endpoint === undefined) return { claims: token, idToken, proofAgeMs };
    const more = await fetchUserInfo(configuration, tokens.access_token, token.sub);
    checkText(more);
    return { claims: { ...more, ...token }, idToken, proofAgeMs };
  }

  /** Milliseconds since the person signed in at the provider; null where it does not say, or names a time in the future. */
  #proofAgeOf(authTime: unknown): number | null {
    if (typeof authTime !== 'number') return null;
    const age = this.#deps.now() - authTime * 1_000;
    return age < -CLOCK_TOLERANCE_S * 1_000 ? null : Math.round(Math.max(0, age));
  }

  /**
   * Where a browser is sent to sign out at the provider too; null when the provider offers none, or does not answer. It says
   * `client_id`, and with an ID token `id_token_hint` too (OpenID Connect RP-Initiated Logout 1.0, 2): some providers refuse
   * to go without, others ask the person then.
   */
  async logoutUrl(
    provider: SignInProvider,
    returnTo: string,
    idToken: string | undefined,
  ): Promise<string | null> {
    try {
      const configuration = await this.#configurationOf(provider);
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      return buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: returnTo,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      }).href;
    } catch {
      return null;
    }
  }

  /** What a logout token says. Throws what is wrong with it. */
  async readLogoutToken(provider: SignInProvider, token: string): Promise<Logout> {
    const metadata = (await this.#configurationOf(provider)).serverMetadata();
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri!), {
      timeoutDuration: TIMEOUT_MS,
      [joseFetch]: (url, init) => this.#fetch(provider, url, init),
    });
    const { payload } = await jwtVerify(token, keys, {
      issuer: metadata.issuer,
      audience: provider.clientId,
      maxTokenAge: LOGOUT_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(this.#deps.now()),
      requiredClaims: ['jti', 'events'],
    });
    const { events, nonce, sub, sid } = payload;
    const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
    // An ID token has a nonce, and is no logout token.
    if (!isLogout || nonce !== undefined) throw new Error('it is no logout token');
    checkText(payload);
    const session = typeof sid === 'string' ? sid : undefined;
    if (sub === undefined && session === undefined)
      throw new Error('it names neither a subject nor a session');
    return { issuer: metadata.issuer, subject: sub, session };
  }

  /** Asks a provider what it says of itself. Throws Refusal `bad-field` of `issuer`. */
  async check(provider: SignInProvider): Promise<void> {
    try {
      await this.#discover(provider);
    } catch {
      // One text for every cause: the difference would tell an account which hosts and ports answer.
      const problem = `gave no description of itself at ${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration, or may not be called`;
      throw new Refusal('bad-field', problem, 'issuer', { reason: 'no-provider' });
    }
  }

  /** Closes connections. */
  async close(): Promise<void> {
    await this.#guarded.close();
    await this.#open.close();
  }

  async #configurationOf(provider: SignInProvider): Promise<Configuration> {
    const { id, issuer, clientId, clientSecret } = provider;
    const name = [id, issuer, clientId, clientSecret?.toString('base64') ?? ''].join(' ');
    const now = this.#deps.now();
    let known = this.#known.get(name);
    if (!known || known.until <= now) {
      for (const [old, { until }] of this.#known) if (until <= now) this.#known.delete(old);
      known = { until: now + KNOWN_MS, configuration: this.#discover(provider) };
      this.#known.set(name, known);
    }
    try {
      return await known.configuration;
    } catch (error) {
      this.#known.delete(name);
      const { message } = error as Error;
      this.#deps.log.warn(
        { providerId: id, problem: message },
        'a sign-in provider does not describe itself',
      );
      throw new Refusal('try-again', 'the sign-in provider does not answer');
    }
  }

  #discover(provider: SignInProvider): Promise<Configuration> {
    const { id, issuer, clientId, clientSecret } = provider;
    const secret =
      clientSecret === null ? undefined : this.#deps.secrets.open(clientSecret, CLIENT_SECRET, id);
    const mayBePlain = provider.accountId === null || this.#deps.allowPrivate;
    return discovery(new URL(issuer), clientId, secret?.toString(), undefined, {
      timeout: TIMEOUT_MS / 1_000,
      [customFetch]: (url, init) => this.#fetch(provider, url, init),
      // Signatures of ID tokens are checked although they come from the provider itself.
      execute: [enableNonRepudiationChecks, ...(mayBePlain ? [allowInsecureRequests] : [])],
    });
  }

  /**
   * `fetch` for the libraries: through the SSRF guard, with a deadline and a limit of what is read. Throws the same error for
   * every failure of the network at a provider of an account: the cause would tell the account which ports are open.
   */
  async #fetch(
    { id, accountId }: SignInProvider,
    url: string,
    init: { method?: string; headers?: Record<string, string> | Headers; body?: unknown },
  ): Promise<Response> {
    const answer = await guardedRequest(accountId === null ? this.#open : this.#guarded, url, {
      method: init.method as 'GET' | 'POST',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body != null && { body: String(init.body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER,
    }).catch((error: Error) => {
      if (accountId === null) throw error;
      this.#deps.log.warn({ providerId: id, problem: error.message }, 'a sign-in provider does not answer');
      throw new Error('the provider does not answer');
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const one of [value ?? []].flat()) headers.append(name, one);
    }
    const hasBody = ![204, 205, 304].includes(answer.status);
    return new Response(hasBody ? new Uint8Array(answer.body) : null, { status: answer.status, headers });
  }
}

/** Characters of a subject, at most (OpenID Connect Core 1.0, 2). */
const MAX_SUBJECT = 255;

/** Throws for the claims of an ID token that cannot identify a person. */
function checkClaims(claims: { readonly sub: string }): void {
  checkText(claims);
  if (claims.sub === '' || claims.sub.length > MAX_SUBJECT) {
    throw new Error(`the claim sub is empty, or longer than ${MAX_SUBJECT} characters`);
  }
}

/** Throws for a NUL anywhere in claims: the database takes none in a text. */
function checkText(value: unknown): void {
  if (typeof value === 'string' && value.includes('\0')) throw new Error('a claim contains a NUL character');
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    checkText(name);
    checkText(inner);
  }
}
