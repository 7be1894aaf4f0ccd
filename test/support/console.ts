import assert from 'node:assert/strict';
import { argon2Sync, randomBytes } from 'node:crypto';
import type { PersonRole } from '../../server/api/access/roles.ts';
import type { Person } from '../../server/modules/people/person.ts';
import { type PlainAnswer, sendRequest } from './send-request.ts';
import type { TestService } from './service.ts';

/** Password of everybody added with `addPerson`. */
export const PASSWORD = 'a password of tests';
const passwordHash = quickHash(PASSWORD);

/** Adds a person with the password of tests, to an account or as an operator. */
export async function addPerson(
  { appContext }: Pick<TestService, 'appContext'>,
  username: string,
  role: PersonRole,
  accountId: number | null,
): Promise<Person> {
  const { person } = await appContext.people.people.add({
    accountId: role === 'operator' ? null : accountId,
    username,
    name: username,
    role,
    passwordHash,
  });
  return person;
}

/**
 * Returns a password hash that is cheap to verify: a hash contains its own cost parameters, and those of the service cost 25
 * ms. Tests sign in hundreds of times.
 */
export function quickHash(password: string): string {
  const nonce = randomBytes(16);
  const cost = { memory: 64, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: password, nonce, ...cost });
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

/**
 * HTTP client with the behaviour of a browser: keeps the session cookie and sends the console's header with every change.
 */
export class Browser {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  cookie: string | undefined;
  #cookieName = 'carillon_session';
  /** Cookie by which the login throttle recognizes the browser. */
  device: string | undefined;
  /** The cookie that binds a sign-in at a provider to it. */
  flow: string | undefined;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  /** The answer as it is. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response> {
    const answer = await fetch(`${this.#url}/v1${path}`, this.#requestOf(method, body, headers));
    this.#keepCookies(answer.headers.getSetCookie());
    return answer;
  }

  /** The same for an answer of text, which takes half the processor time. */
  async #send(method: string, path: string, body?: unknown): Promise<PlainAnswer> {
    const answer = await sendRequest(`${this.#url}/v1${path}`, this.#requestOf(method, body));
    this.#keepCookies([answer.headers['set-cookie'] ?? []].flat());
    return answer;
  }

  #requestOf(method: string, body: unknown, headers: Record<string, string> = {}) {
    return {
      method,
      headers: {
        'user-agent': 'a browser of tests',
        'x-carillon-csrf': '1',
        ...(this.#cookies() !== undefined && { cookie: `other=1; ${this.#cookies()}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...this.#headers,
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
  }

  #keepCookies(all: readonly string[]): void {
    for (const set of all) {
      const [, name, value] = /^((?:__Host-)?carillon_session)=([^;]*)/.exec(set) ?? [];
      if (name !== undefined) this.#cookieName = name;
      if (value !== undefined) this.cookie = value === '' ? undefined : value;
      const flow = /^(?:__Host-)?carillon_sign_in=([^;]*)/.exec(set)?.[1];
      if (flow !== undefined) this.flow = flow === '' ? undefined : flow;
      this.device = /^(?:__Host-)?carillon_device=([^;]*)/.exec(set)?.[1] ?? this.device;
    }
  }

  #cookies(): string | undefined {
    const cookies = [
      ...(this.cookie === undefined ? [] : [`${this.#cookieName}=${this.cookie}`]),
      ...(this.device === undefined
        ? []
        : [`${this.#cookieName.replace('session', 'device')}=${this.device}`]),
    ];
    if (this.flow !== undefined)
      cookies.push(`${this.#cookieName.replace('session', 'sign_in')}=${this.flow}`);
    return cookies.length === 0 ? undefined : cookies.join('; ');
  }

  /** Sends a request and returns the JSON of the response; asserts the HTTP status. */
  async ask<T = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
    status = 200,
  ): Promise<T> {
    const answer = await this.#send(method, path, body);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    return JSON.parse(answer.text) as T;
  }

  /** The word of a refusal, with its HTTP status. */
  async refused(method: string, path: string, body?: unknown): Promise<string> {
    const answer = await this.#send(method, path, body);
    const { error } = JSON.parse(answer.text) as { error?: { code: string } };
    return `${answer.status} ${error?.code}`;
  }

  /** Signs in; the HTTP status with the word of a refusal, `200` or `200 code`. */
  async signIn(username: string, password = PASSWORD, code?: string): Promise<string> {
    const answer = await this.#send('POST', '/session', { username, password, code });
    const { error, code_wanted: wanted } = JSON.parse(answer.text) as {
      error?: { code: string };
      code_wanted?: boolean;
    };
    if (error) return `${answer.status} ${error.code}`;
    return wanted ? `${answer.status} code` : `${answer.status}`;
  }
}

/**
 * Repeats failed attempts until the required wait is a minute or more, and moves the sandbox clock over the shorter waits
 * before. Returns the last response that did not ask to wait.
 */
export async function lockOut(
  service: Pick<TestService, 'advance'>,
  attempt: () => Promise<Response>,
): Promise<Response> {
  for (let last: Response | undefined; ; ) {
    const answer = await attempt();
    if (answer.status !== 429) {
      last = answer;
      continue;
    }
    const seconds = Number(answer.headers.get('retry-after'));
    if (seconds >= 60 && last) return last;
    await service.advance(seconds);
  }
}

/** Returns a browser with a signed-in person. */
export async function signedIn(
  service: Pick<TestService, 'url'>,
  username: string,
  headers?: Record<string, string>,
): Promise<Browser> {
  const browser = new Browser(service.url, headers);
  assert.equal(await browser.signIn(username), '200');
  return browser;
}
