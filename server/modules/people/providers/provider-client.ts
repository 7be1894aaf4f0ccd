import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
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
import type { Context } from '../../../kit/context.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import { createGuardedAgent, type GuardedAgent, guardedRequest } from '../../../kit/http/ssrf-guard.ts';
import { PROOF_MS } from '../sessions.ts';
import type { FlowSecrets } from './flows.ts';
import { CLIENT_SECRET, type SignInProvider } from './provider.ts';
import type { Claims } from './role-rules.ts';

/** Milliseconds for which the metadata of a provider are cached. */
const KNOWN_MS = 10 * 60_000;
const MAX_KNOWN = 1_000;
/** Milliseconds for a request to a provider; a person waits for it. */
const TIMEOUT_MS = 10_000;
/** Maximum size of a response, in bytes. The key sets of large providers have 20 KiB. */
const MAX_ANSWER = 262_144;
/** Maximum age of a logout token in seconds; older ones are replays (OpenID Connect Back-Channel Logout 1.0, 2.6). */
const LOGOUT_SECONDS = 120;
/** Seconds by which the clock of a provider may differ from ours. */
const CLOCK_TOLERANCE_S = 30;
/** Longest ID token that becomes part of a URL, in characters: servers accept URLs of 8 KiB. */
const MAX_HINT = 4_096;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

interface ProviderClientDeps extends Pick<Context, 'log' | 'secrets'> {
  /** Whether providers of accounts may have private addresses and use http. */
  readonly allowPrivate: boolean;
  /** Time of this machine, because providers do not know the clock of the sandbox. */
  readonly now: () => number;
}

/** Content of a logout token. */
export interface Logout {
  readonly issuer: string;
  /** undefined: any person with the session. */
  readonly subject: string | undefined;
  /** undefined: all sessions of the subject. */
  readonly session: string | undefined;
}

/** Result of a sign-in at a provider. */
export interface Claimed {
  readonly claims: Claims & { readonly iss: string; readonly sub: string };
  /** The ID token, for the end of the session; undefined if the provider accepts none, or it is too long for a URL. */
  readonly idToken: string | undefined;
  /** Milliseconds since the person proved their identity at the provider; null if the provider does not say. */
  readonly proofAgeMs: number | null;
}

/** Client of OpenID Connect providers (Core 1.0, Discovery 1.0, RP-Initiated and Back-Channel Logout 1.0). */
export class ProviderClient {
  readonly #deps: ProviderClientDeps;
  /** Configurations by all settings that they depend on. */
  readonly #known: LRUCache<string, Promise<Configuration>>;
  /** Addresses from accounts go through the SSRF guard; addresses from the operator may be private. */
  readonly #guarded: GuardedAgent;
  readonly #open = createGuardedAgent({ allowPrivate: true });

  constructor(deps: ProviderClientDeps) {
    this.#deps = deps;
    const perf = { now: deps.now };
    this.#known = new LRUCache({ max: MAX_KNOWN, ttl: KNOWN_MS, ttlResolution: 0, perf });
    this.#guarded = createGuardedAgent({ allowPrivate: deps.allowPrivate });
  }

  /**
   * Returns the address where a browser signs in. Throws Refusal `try-again` if the provider does not answer.
   *
   * @param reauthenticates whether the provider must ask for credentials, even in an existing session (OpenID Connect
   * Core 1.0, 3.1.2.1)
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
   * Returns the claims of the ID token, completed with claims of UserInfo that it lacks. Throws Refusal `try-again` if
   * the provider does not answer, and errors of openid-client for an invalid answer.
   *
   * @param answered the redirect URI with the parameters that the browser came back with
   * @param reauthenticates whether `auth_time` of the ID token must show that the person signed in just now
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

  /**
   * Returns the milliseconds since the person signed in at the provider; null if the provider does not say, or names a
   * time in the future.
   */
  #proofAgeOf(authTime: unknown): number | null {
    if (typeof authTime !== 'number') return null;
    const age = this.#deps.now() - authTime * 1_000;
    return age < -CLOCK_TOLERANCE_S * 1_000 ? null : Math.round(Math.max(0, age));
  }

  /**
   * Returns the address where a browser signs out at the provider too; null if the provider has no such address, or
   * does not answer. It includes `client_id`, and `id_token_hint` if there is an ID token (OpenID Connect RP-Initiated
   * Logout 1.0, 2): without the hint, some providers refuse and others ask the person.
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

  /** Verifies a logout token and returns its content. Throws an error that says what is wrong with it. */
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
    // A token with a nonce is an ID token, not a logout token.
    if (!isLogout || nonce !== undefined) throw new Error('it is no logout token');
    checkText(payload);
    const session = typeof sid === 'string' ? sid : undefined;
    if (sub === undefined && session === undefined)
      throw new Error('it names neither a subject nor a session');
    return { issuer: metadata.issuer, subject: sub, session };
  }

  /** Requests the metadata of a provider. Throws Refusal `bad-field` for `issuer`. */
  async check(provider: SignInProvider): Promise<void> {
    try {
      await this.#discover(provider);
    } catch {
      // One text for every cause, because different texts would tell an account which hosts and ports answer.
      const problem = `gave no description of itself at ${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration, or may not be called`;
      throw badField('issuer', problem, 'no-provider');
    }
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#guarded.close();
    await this.#open.close();
  }

  async #configurationOf(provider: SignInProvider): Promise<Configuration> {
    const { id, issuer, clientId, clientSecret } = provider;
    const name = [id, issuer, clientId, clientSecret?.toString('base64') ?? ''].join(' ');
    let known = this.#known.get(name);
    if (!known) {
      known = this.#discover(provider);
      this.#known.set(name, known);
    }
    try {
      return await known;
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
      // Verifies signatures of ID tokens, although they come from the provider itself.
      execute: [enableNonRepudiationChecks, ...(mayBePlain ? [allowInsecureRequests] : [])],
    });
  }

  /**
   * `fetch` for the libraries: through the SSRF guard, with a deadline and a maximum size. Throws the same error for
   * every network failure at a provider of an account, because the cause would tell the account which ports are open.
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

/** Maximum length of a subject, in characters (OpenID Connect Core 1.0, 2). */
const MAX_SUBJECT = 255;

/** Throws if the claims of an ID token cannot identify a person. */
function checkClaims(claims: { readonly sub: string }): void {
  checkText(claims);
  if (claims.sub === '' || claims.sub.length > MAX_SUBJECT) {
    throw new Error(`the claim sub is empty, or longer than ${MAX_SUBJECT} characters`);
  }
}

/** Throws if any claim contains NUL, which PostgreSQL rejects in text. */
function checkText(value: unknown): void {
  if (typeof value === 'string' && value.includes('\0')) throw new Error('a claim contains a NUL character');
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    checkText(name);
    checkText(inner);
  }
}
