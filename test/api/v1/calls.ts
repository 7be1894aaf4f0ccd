import assert from 'node:assert/strict';
import type { PersonRole } from '../../../server/api/access/roles.ts';
import { type PlainAnswer, sendRequest } from '../../support/send-request.ts';
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
  /** The text of an answer, with its HTTP status. */
  text(method: string, path: string, body?: unknown): Promise<PlainAnswer>;
  /** The answer as it is. */
  fetch(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** Calls with these headers. */
export function callsWith(url: string, headers: Record<string, string>): Calls {
  const requestOf = (method: string, body: unknown, more: Record<string, string> = {}) => ({
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }), ...more },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const send: Calls['text'] = (method, path, body) =>
    sendRequest(`${url}/v1${path}`, requestOf(method, body));
  const call: Calls['call'] = async (method, path, body, expected = 200) => {
    const { status, text } = await send(method, path, body);
    assert.equal(status, expected, `${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  return {
    fetch: (method, path, body, more) => fetch(`${url}/v1${path}`, requestOf(method, body, more)),
    text: send,
    call,
    get: (path, status) => call('GET', path, undefined, status),
    post: (path, body, status) => call('POST', path, body, status),
    async refused(method, path, body) {
      const { status, text } = await send(method, path, body);
      const { error } = JSON.parse(text) as Refused;
      assert.ok(error.message.length > 0);
      return [error.code, error.field, status];
    },
  };
}

/** Calls with a token. */
export const withToken = (url: string, token: string): Calls =>
  callsWith(url, { authorization: `Bearer ${token}` });

/**
 * Option of sessions whose proof of identity lasts an hour longer than the five minutes that it counts. Some files take longer on a slow
 * machine.
 */
export const lastingProof = { proofAgeMs: -3_600_000 };

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
  const token = await sessions.start(sql, person.id, { address: '127.0.0.1', agent: 'test' }, lastingProof);
  return callsWith(url, { cookie: `carillon_session=${token}`, 'x-carillon-csrf': '1' });
}
