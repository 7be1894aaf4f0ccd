import assert from 'node:assert/strict';
import type { PersonRole } from '../../../server/api/access/roles.ts';
import type { TestService } from '../../support/service.ts';

/** An answer that was refused. */
export interface Refused {
  readonly error: { readonly code: string; readonly message: string; readonly field?: string };
}

/** Somebody who calls /v1. */
export interface Calls {
  /** Calls, and checks the HTTP status (200 without it); the answer's JSON. */
  call<T = Refused>(method: string, path: string, body?: unknown, status?: number): Promise<T>;
  get<T = Refused>(path: string, status?: number): Promise<T>;
  post<T = Refused>(path: string, body?: unknown, status?: number): Promise<T>;
  /** Calls what has to be refused: the code, the field and the HTTP status. */
  refused(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<[code: string, field: string | undefined, status: number]>;
  /** The answer as it is. */
  fetch(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** Calls with these headers. */
export function callsWith(url: string, headers: Record<string, string>): Calls {
  const send: Calls['fetch'] = (method, path, body, more = {}) =>
    fetch(`${url}/v1${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }), ...more },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
  const call: Calls['call'] = async (method, path, body, status = 200) => {
    const response = await send(method, path, body);
    const text = await response.text();
    assert.equal(response.status, status, `${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  return {
    fetch: send,
    call,
    get: (path, status) => call('GET', path, undefined, status),
    post: (path, body, status) => call('POST', path, body, status),
    async refused(method, path, body) {
      const response = await send(method, path, body);
      const { error } = (await response.json()) as Refused;
      assert.ok(error.message.length > 0);
      return [error.code, error.field, response.status];
    },
  };
}

/** Calls with a token. */
export const withToken = (url: string, token: string): Calls =>
  callsWith(url, { authorization: `Bearer ${token}` });

let people = 0;

/** Somebody new with a role and a session, of an account or with null one of the operator's. */
export async function asPerson(
  { url, appContext, sql }: Pick<TestService, 'url' | 'appContext' | 'sql'>,
  role: PersonRole,
  accountId: number | null = null,
): Promise<Calls> {
  const { people: store, sessions } = appContext.people;
  const username = `person-${++people}`;
  const { person } = await store.add({ accountId, username, name: username, role });
  const token = await sessions.start(sql, person.id, { address: '127.0.0.1', agent: 'test' });
  return callsWith(url, { cookie: `carillon_session=${token}`, 'x-carillon-csrf': '1' });
}
