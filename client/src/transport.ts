import { judge } from './answers.ts';
import { CarillonConnectionError, type CarillonError, type ErrorContext } from './errors.ts';
import type { RequestOptions } from './operations.ts';
import { newSendKey, pause, pauseBefore } from './retries.ts';
import { bodied, keyed } from './schema.ts';

/** Options of a client. */
export interface ClientOptions {
  /** Address of the service: `https://messages.example.com`. */
  readonly url: string;
  /** API token of the account. */
  readonly token: string;
  /** Token of the mailing-list API, for operations below `/api/Mailer`. */
  readonly mailToken?: string | undefined;
  /** Maximum milliseconds of one attempt; default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum milliseconds of all attempts of a request together; default 90,000. */
  readonly deadlineMs?: number | undefined;
  /** Number of times that a failed request is repeated; default 4. */
  readonly retries?: number | undefined;
  /** Replacement for the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Options of a transport. Without a token, `fetch` identifies the caller, for example by the cookie of a session. */
export type TransportOptions = Omit<ClientOptions, 'token'> & Partial<Pick<ClientOptions, 'token'>>;

/** A request without its types. */
export interface AnyInput extends RequestOptions {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** Type of a body for `fetch`. */
type Sent = Exclude<RequestInit['body'], undefined>;

/** A failure, and whether the same request may be repeated. */
interface Failure {
  readonly error: CarillonError;
  readonly mayRepeat: boolean;
  readonly retryAfter: string | null;
}

/** Makes requests: handles attempts with deadlines, the answers of every API, and errors. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #url: string;

  constructor(options: TransportOptions) {
    const { protocol, origin, pathname } = new URL(options.url);
    if (!/^https?:$/.test(protocol)) throw new TypeError('the option url must be of http or https');
    this.#options = options;
    this.#url = origin + pathname.replace(/\/+$/, '');
  }

  /**
   * Returns the answer of an operation: JSON, or the response itself for a file. Requests that send or pay have a send
   * key, the same in every attempt. Throws CarillonError, CarillonConnectionError, and the reason of `signal`.
   */
  async request(name: string, input: AnyInput = {}): Promise<unknown> {
    const { retries = this.#options.retries ?? 4 } = input;
    const [method = '', path = ''] = name.split(' ');
    const sendKey = keyed.has(name) ? (input.sendKey ?? newSendKey()) : undefined;
    // Without a key, a request that sends is not repeated unless it was certainly not executed.
    const isRepeatable = method === 'GET' || sendKey !== undefined;
    const headers = this.#headers(path, {
      ...(sendKey && { 'idempotency-key': `"${escapeQuotes(sendKey)}"` }),
    });
    const body = bodyOf(name, input.body, headers);
    const until = performance.now() + (input.deadlineMs ?? this.#options.deadlineMs ?? 90_000);
    for (let attempt = 1; ; attempt++) {
      input.signal?.throwIfAborted();
      const timeoutMs = Math.min(
        input.timeoutMs ?? this.#options.timeoutMs ?? 30_000,
        until - performance.now(),
      );
      const outcome = await this.#attempt(name, addressOf(this.#url, path, input), timeoutMs, sendKey, {
        method,
        headers,
        body,
        signal: input.signal ?? null,
      });
      if ('answer' in outcome) return outcome.answer;
      const { error, mayRepeat, retryAfter } = outcome;
      // A request over the rate limit was not executed.
      const isSafe = isRepeatable || error.httpStatus === 429;
      const wait = pauseBefore(attempt, retryAfter);
      if (!mayRepeat || !isSafe || attempt > retries || performance.now() + wait >= until) throw error;
      await pause(wait, input.signal);
    }
  }

  /** Opens a stream of server-sent events with one attempt. Throws like `request`. */
  async open(
    path: string,
    query: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Response> {
    const name = `GET ${path}`;
    const response = await this.#fetch(addressOf(this.#url, path, { query }), {
      headers: this.#headers(path, { ...headers, accept: 'text/event-stream' }),
      signal,
    });
    if (response.ok) return response;
    const { error } = judge(path, false, await jsonOf(response), contextOf(name, response));
    throw error;
  }

  async #attempt(
    name: string,
    address: string,
    timeoutMs: number,
    sendKey: string | undefined,
    init: RequestInit,
  ): Promise<Failure | { readonly answer: unknown }> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
    try {
      const response = await this.#fetch(address, { ...init, signal });
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      if (response.ok && !isJson) return { answer: response };
      const answer = await jsonOf(response);
      const path = name.slice(name.indexOf(' ') + 1);
      const verdict = judge(path, response.ok, answer, contextOf(name, response));
      if (!verdict.error) return { answer };
      const retryAfter = response.headers.get('retry-after');
      return { error: verdict.error, mayRepeat: verdict.isTemporary, retryAfter };
    } catch (cause) {
      init.signal?.throwIfAborted();
      const [code, message] = late.signal.aborted
        ? (['timeout', `no whole answer within ${Math.round(timeoutMs)} ms`] as const)
        : (['connection', `the service cannot be reached: ${wordsOf(cause)}`] as const);
      const error = new CarillonConnectionError(code, message, { operation: name, cause }, sendKey);
      return { error, mayRepeat: true, retryAfter: null };
    } finally {
      clearTimeout(timer);
    }
  }

  #fetch(address: string, init: RequestInit): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options;
    return fetch(address, { ...init, redirect: 'error' });
  }

  #headers(path: string, more: Readonly<Record<string, string>>): Headers {
    const { token, mailToken = token } = this.#options;
    const own = path.startsWith('/api/Mailer/') ? mailToken : token;
    return new Headers({ ...(own !== undefined && { authorization: `Bearer ${own}` }), ...more });
  }
}

/** Returns the URL of an operation. The part after the # of an operation of `POST /api` is not sent. */
function addressOf(
  url: string,
  path: string,
  { path: parameters = {}, query = {}, dryRun }: AnyInput,
): string {
  const filled = path.split('#')[0]!.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = parameters[name];
    if (value === undefined || value === '') throw new TypeError(`path.${name} is missing`);
    return encodeURIComponent(value);
  });
  const address = new URL(url + filled + (dryRun && filled === '/api' ? '/test' : ''));
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) address.searchParams.set(name, String(value));
  }
  return address.href;
}

/** Encodes a body: JSON, or a file unchanged. */
function bodyOf(name: string, body: unknown, headers: Headers): Sent {
  if (body === undefined) return null;
  // The schema does not have this operation: use the type of the file.
  if (!(name in bodied) && body instanceof Blob) return body;
  const type = bodied[name] ?? 'application/json';
  headers.set('content-type', type);
  return type === 'application/json' ? JSON.stringify(body) : (body as Sent);
}

/** Parses the answer of a response; undefined for one that is not JSON, like those of proxies. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const contextOf = (operation: string, { status, headers }: Response): ErrorContext => ({
  operation,
  httpStatus: status,
  requestId: headers.get('x-request-id') ?? undefined,
});

const escapeQuotes = (key: string): string => key.replace(/["\\]/g, String.raw`\$&`);

/** Node puts the details into `cause`. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
