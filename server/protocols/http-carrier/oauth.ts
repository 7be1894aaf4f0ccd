import type { Dispatcher } from 'undici';
import { type Exchange, exchange } from '../http/exchange.ts';
import type { HttpDescription } from './description.ts';
import { basicAuthorization, splitUrl } from './request.ts';
import { Template } from './template.ts';
import { secretValues } from './values.ts';

const MAX_ANSWER = 64 * 1024;
/** Milliseconds that a token is used if the answer has no lifetime. */
const DEFAULT_LIFETIME_MS = 300_000;
/** Share of the lifetime after which a new token is fetched. */
const USED_SHARE = 0.9;

type OAuth = Extract<NonNullable<HttpDescription['send']['auth']>, { oauth: unknown }>['oauth'];

/** Result of asking for a token: the header, or the exchange that failed. */
type Authorization = { readonly header: string } | { readonly failed: Exchange };

/** Tokens of OAuth client credentials (RFC 6749, 4.4). Concurrent sends share one request for a token. */
export class OAuthTokens {
  readonly #origin: string;
  readonly #path: string;
  readonly #basic: string;
  readonly #body: string;
  readonly #timeoutMs: number;
  #current: { readonly header: string; readonly until: number } | undefined;
  #fetching: Promise<Authorization> | undefined;

  constructor(oauth: OAuth, secrets: Readonly<Record<string, string>>, timeoutMs: number) {
    const values = secretValues(secrets);
    const { origin, path } = splitUrl(oauth.url, secrets);
    const render = (text: string) => new Template(text, 'plain').render(values);
    this.#origin = origin;
    this.#path = path.render(values);
    this.#basic = basicAuthorization(render(oauth.client), render(oauth.secret));
    this.#body = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(oauth.scope !== undefined && { scope: oauth.scope }),
    }).toString();
    this.#timeoutMs = timeoutMs;
  }

  /** Returns the header with a token. Never throws. */
  async authorization(dispatcher: Dispatcher, signal: AbortSignal): Promise<Authorization> {
    if (this.#current && performance.now() < this.#current.until) return this.#current;
    this.#fetching ??= this.#fetch(dispatcher, signal).finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  /** Forgets the token, after the provider refused it. */
  forget(): void {
    this.#current = undefined;
  }

  async #fetch(dispatcher: Dispatcher, signal: AbortSignal): Promise<Authorization> {
    const answer = await exchange(dispatcher, {
      ...{ origin: this.#origin, path: this.#path, method: 'POST', body: this.#body },
      headers: [
        ...['authorization', this.#basic, 'accept', 'application/json'],
        ...['content-type', 'application/x-www-form-urlencoded'],
      ],
      ...{ timeoutMs: this.#timeoutMs, longestAnswer: MAX_ANSWER, signal },
    });
    const token = answer.kind === 'answer' && answer.status === 200 ? tokenOf(answer.body) : undefined;
    if (!token) return { failed: answer };
    this.#current = {
      header: `Bearer ${token.text}`,
      until: performance.now() + token.lifetimeMs * USED_SHARE,
    };
    return this.#current;
  }
}

function tokenOf(body: string): { readonly text: string; readonly lifetimeMs: number } | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { access_token: text, expires_in: seconds } = (answer ?? {}) as Record<string, unknown>;
  // RFC 6750, 2.1: the characters of a bearer token.
  if (typeof text !== 'string' || !/^[\w.~+/-]+=*$/.test(text)) return undefined;
  const lifetime = Number(seconds);
  return { text, lifetimeMs: lifetime > 0 ? lifetime * 1_000 : DEFAULT_LIFETIME_MS };
}
