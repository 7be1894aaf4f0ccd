import { type AnyInput, Transport } from '../../../client/src/transport.ts';
import { forAccount } from './acting.ts';
import { noteReachable } from './connection.ts';
import { CarillonError } from './errors.ts';
import type { Answer, Input, InputArguments, Method, PathOf } from './operations.ts';
import { askForProof } from './proof.ts';
import { sendKeyOf } from './send-keys.ts';

/** Header that proves that a request comes from our own pages: other sites cannot make a browser send it with the cookie. */
const CSRF_HEADER = 'X-Carillon-CSRF';

/** Milliseconds that a request may take. Uploads of large files over slow lines take long. */
const TIMEOUT_MS = 3_600_000;

const signedOutListeners = new Set<() => void>();

/** Calls `listener` when the service reports that the session has ended. Returns a function that removes the listener. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

const secondFactorListeners = new Set<() => void>();

/** Calls `listener` when the service requires a second factor first. Returns a function that removes the listener. */
export function onSecondFactorRequired(listener: () => void): () => void {
  secondFactorListeners.add(listener);
  return () => secondFactorListeners.delete(listener);
}

let beforeRefusal: (error: CarillonError) => Promise<void> = async () => {};

/** Sets what is done before a refusal is thrown, such as fetching its text. It must not reject. */
export function prepareRefusals(prepare: (error: CarillonError) => Promise<void>): void {
  beforeRefusal = prepare;
}

const signsIn = new Set([
  'POST /v1/session',
  'GET /v1/session',
  'POST /v1/session/passkey',
  'POST /v1/session/provider/callback',
]);

/** The transport does not retry: queries repeat reads, and a person submits a form again. */
const transport = new Transport({
  url: location.origin,
  timeoutMs: TIMEOUT_MS,
  deadlineMs: TIMEOUT_MS,
  retries: 0,
  fetch: (address, init) => send(String(address), init ?? {}),
});

/** Sends one request with the session of this browser, for the account that one acts for. */
async function send(address: string, { headers, ...init }: RequestInit): Promise<Response> {
  const sent = new Headers(headers);
  if (init.method !== 'GET') sent.set(CSRF_HEADER, '1');
  try {
    const response = await fetch(forAccount(address), { ...init, headers: sent });
    // A proxy answers 502 to 504 in place of a service that does not run.
    noteReachable(response.status < 502 || response.status > 504);
    return response;
  } catch (error) {
    if (!init.signal?.aborted) noteReachable(false);
    throw error;
  }
}

/**
 * Requests an operation, and repeats it after the person has proved their identity. Throws CarillonError for a refused request,
 * and when no answer comes.
 *
 * @param name method and path, also of operations that are not in the OpenAPI document
 */
async function ask(name: string, input: AnyInput = {}): Promise<unknown> {
  try {
    return await askOnce(name, input);
  } catch (error) {
    const isNeeded = error instanceof CarillonError && error.code === 'proof-needed';
    if (!isNeeded || !(await askForProof())) throw error;
    return askOnce(name, input);
  }
}

async function askOnce(name: string, input: AnyInput): Promise<unknown> {
  const sendKey = sendKeyOf(name, input);
  try {
    const answer = await transport.request(name, { ...input, sendKey: sendKey?.key });
    sendKey?.answered();
    return answer;
  } catch (error) {
    if (!(error instanceof CarillonError)) throw error;
    const { httpStatus, code } = error;
    // After 409 and 5xx the request may have been carried out, so the next attempt needs the same key.
    if (httpStatus !== undefined && httpStatus < 500 && httpStatus !== 409) sendKey?.answered();
    // A refused sign-in ends no session.
    if (httpStatus === 401 && !signsIn.has(name)) for (const listener of signedOutListeners) listener();
    if (code === 'second-factor-required') for (const listener of secondFactorListeners) listener();
    await beforeRefusal(error);
    throw error;
  }
}

/** Requests an operation of /v1. */
export const request = <Of extends Method, Path extends PathOf<Of>>(
  method: Of,
  path: Path,
  input?: Input<Path, Of>,
) => ask(`${method} ${path}`, input as AnyInput) as Promise<Answer<Path, Of>>;

type Request<Of extends Method> = <Path extends PathOf<Of>>(
  path: Path,
  ...[input]: InputArguments<Path, Of>
) => Promise<Answer<Path, Of>>;

const requestOf = <Of extends Method>(method: Of) =>
  ((path, ...[input]) => request(method, path, input)) as Request<Of>;

/** The typed client of /v1. Throws CarillonError for a refused request. */
export const client = {
  GET: requestOf('GET'),
  POST: requestOf('POST'),
  PATCH: requestOf('PATCH'),
  PUT: requestOf('PUT'),
  DELETE: requestOf('DELETE'),
};

/** Seconds that a proof of identity has to last for a download to begin with it. */
const DOWNLOAD_SECONDS = 5;

/** Asks for a proof of identity if none is recent, for a file that the browser itself fetches. Returns whether there is one. */
export async function ensureProof(): Promise<boolean> {
  const { proof_seconds } = await client.GET('/v1/session');
  return proof_seconds > DOWNLOAD_SECONDS || askForProof();
}

/** The parameters of a path with one id. */
export const byId = (id: string) => ({ path: { id } });

/** Requests an operation that is not in the OpenAPI document, such as one of the sandbox. Sends JSON or a file. */
export const askJson = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> =>
  ask(`${method} ${path}`, { body }) as Promise<T>;

/** Reads a file of the service as text. Throws as the client does. */
export const askText = async (path: string): Promise<string> =>
  ((await ask(`GET ${path}`)) as Response).text();
