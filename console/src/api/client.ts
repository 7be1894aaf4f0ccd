import createFetchClient from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import { forAccount } from './acting.ts';
import { ApiError } from './errors.ts';
import { askForProof } from './proof.ts';
import { noteReachable } from './reachable.ts';
import type { paths } from './schema.ts';
import { giveSendKey } from './send-keys.ts';

/** Says that a request comes from our own pages: no other site can make a browser send it along with the cookie. */
const CSRF_HEADER = 'X-Carillon-CSRF';

const signedOutListeners = new Set<() => void>();

/** Calls back when the service says that the session is over. Gives the function that ends that. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

const secondFactorListeners = new Set<() => void>();

/** Calls back when the service says that a second factor is required first. Gives the function that ends that. */
export function onSecondFactorRequired(listener: () => void): () => void {
  secondFactorListeners.add(listener);
  return () => secondFactorListeners.delete(listener);
}

const signsIn = new Set(['/v1/session', '/v1/session/passkey', '/v1/session/provider/callback']);

/**
 * Sends a request of ours, for the account that one acts for, and again when the person has proved their identity for it.
 * Throws ApiError for what is refused and when no answer comes.
 */
async function send(asked: Request): Promise<Response> {
  const { method, headers, signal } = asked;
  if (method !== 'GET') headers.set(CSRF_HEADER, '1');
  // Read, not passed on: Chromium sends a body that is passed on as a stream, for which HTTP/1.1 is not enough.
  const body = method === 'GET' ? null : await asked.blob();
  const url = forAccount(asked.url);
  const outgoing = { url, method, headers, signal, body };
  try {
    return await sendOnce(outgoing);
  } catch (error) {
    const isNeeded = error instanceof ApiError && error.code === 'proof-needed';
    if (!isNeeded || !(await askForProof())) throw error;
    return sendOnce(outgoing);
  }
}

/** A request whose body was read, so that it can be sent again. */
interface Outgoing extends Pick<Request, 'url' | 'method' | 'headers' | 'signal'> {
  readonly body: Blob | null;
}

async function sendOnce({ url, method, headers, signal, body }: Outgoing): Promise<Response> {
  const keyed = await giveSendKey(url, { method, headers, body });
  const request = new Request(url, {
    method,
    headers,
    signal,
    body: body?.size ? body : null,
  });
  const response = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    noteReachable(false);
    throw new ApiError(0, 'offline', 'no answer');
  });
  // What a proxy says in the place of a service that is gone.
  noteReachable(response.status < 502 || response.status > 504);
  // What a service or a proxy that is in trouble says is no answer: it may have been done.
  if (response.status < 500 && response.status !== 409) keyed?.answered();
  if (response.ok) return response;
  const error = await ApiError.of(response);
  // Of signing in it is an answer: nobody is signed in, or the password or passkey is wrong.
  if (error.status === 401 && !signsIn.has(new URL(request.url).pathname)) {
    for (const listener of signedOutListeners) listener();
  }
  if (error.code === 'second-factor-required') for (const listener of secondFactorListeners) listener();
  throw error;
}

/** The client of /v1, every path, query, body and answer typed. What is refused is thrown as ApiError. */
export const client = createFetchClient<paths>({ baseUrl: location.origin, fetch: send });

/** The same for TanStack Query: `api.useQuery('get', '/v1/contact-lists')`. */
export const api = createQueryClient(client);

/** Seconds that a proof of identity has to last for a download to begin with it. */
const DOWNLOAD_SECONDS = 5;

/** Asks for a proof of identity if none is recent, for a file that the browser itself fetches. Returns whether there is one. */
export async function ensureProof(): Promise<boolean> {
  const { data } = await client.GET('/v1/session');
  return data!.proof_seconds > DOWNLOAD_SECONDS || askForProof();
}

/** The parameters of a path with one id. */
export const byId = (id: string) => ({ params: { path: { id } } });

/** Asks for what /docs/openapi.json does not describe, as the sandbox: JSON out, JSON back. */
export async function askJson<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await send(
    new Request(path, {
      method,
      ...(body !== undefined && {
        ...(body instanceof Blob
          ? { body }
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }),
    }),
  );
  return (await response.json()) as T;
}

/** Reads what is no JSON as text. Throws ApiError as the client does. */
export const askText = async (path: string): Promise<string> => (await send(new Request(path))).text();
