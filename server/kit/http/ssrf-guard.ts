import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { addressesIn, isPublicAddress } from './addresses.ts';

/*
 * HTTP requests to addresses from customers. Without an SSRF guard, customers could reach internal services through
 * this one: its database, the cloud's metadata address, the office's printers.
 */

/** The address or its host may not be called. The message says why, without the path. */
export class SsrfError extends Error {
  readonly code = 'ERR_FENCE';
}

/** Addresses that may be called. */
export interface SsrfGuardOptions {
  /** Permits private and loopback addresses (the sandbox; a company's own network). */
  readonly allowPrivate: boolean;
  /** CIDR blocks that may be called in addition to public addresses. */
  readonly allowed?: readonly string[];
  /** The resolver; the system's by default. */
  readonly lookup?: (
    host: string,
    options: LookupOptions & { all: true },
    done: (error: Error | null, addresses: LookupAddress[]) => void,
  ) => void;
}

/** An SSRF guard: a check of addresses, and an undici connector that enforces it. */
export interface SsrfGuard {
  /**
   * Checks the form of an address before any request: http or https, no credentials, no forbidden literal address or
   * `localhost`. Returns the parsed URL (a URL has one spelling of an IPv4 address: `0x7f.1`, `017700000001` and
   * `127.0.0.1.` all become 127.0.0.1). Throws SsrfError.
   */
  check(address: string | URL): URL;
  /**
   * For undici's `connect` option. Checks the address that the socket connects to, so no DNS answer can change between
   * check and use.
   */
  readonly connect: buildConnector.connector;
}

/** Creates an SSRF guard. `connectTimeoutMs` is the longest wait for a connection, TLS included. */
export function createSsrfGuard(options: SsrfGuardOptions, connectTimeoutMs = 5_000): SsrfGuard {
  const isAllowed = addressesIn(options.allowed ?? []);
  const open = (address: string) => options.allowPrivate || isPublicAddress(address) || isAllowed(address);
  const resolve = options.lookup ?? systemLookup;

  const lookup: LookupFunction = (host, lookupOptions, done) => {
    resolve(host, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      // One forbidden address among permitted ones is enough to refuse: no legitimate name has such a mixture.
      if (addresses.length === 0 || !addresses.every((one) => open(one.address))) {
        return done(new SsrfError(`${host} is at an address that may not be called`), []);
      }
      if (lookupOptions.all) done(null, addresses);
      else done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };

  const connector = buildConnector({ timeout: connectTimeoutMs, lookup } as buildConnector.BuildOptions);

  return {
    check(address) {
      const text = String(address);
      if (!URL.canParse(text)) throw new SsrfError('not a full address, as in https://example.com/path');
      const url = new URL(text);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw new SsrfError('only http and https addresses can be called');
      }
      if (url.username || url.password) {
        throw new SsrfError('a user name or password in the address is not supported');
      }
      refuseClosedHost(url.hostname, open);
      return url;
    },
    connect(target, callback) {
      try {
        refuseClosedHost(target.hostname, open);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      connector(target, callback);
    },
  };
}

function refuseClosedHost(hostname: string, open: (address: string) => boolean): void {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const literal = host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : host;
  if (isIP(literal) !== 0 && !open(literal)) {
    throw new SsrfError(`${host} is a private or reserved address, and those may not be called`);
  }
}

/** An undici agent behind an SSRF guard, with the guard itself to check the form of addresses. */
export interface GuardedAgent {
  readonly ssrfGuard: SsrfGuard;
  readonly dispatcher: Dispatcher;
  close(): Promise<void>;
}

/** Creates an agent for occasional requests (`guardedRequest`). It keeps connections for some seconds. */
export function createGuardedAgent(options: SsrfGuardOptions): GuardedAgent {
  const ssrfGuard = createSsrfGuard(options);
  const dispatcher = new Agent({ connect: ssrfGuard.connect });
  return { ssrfGuard, dispatcher, close: () => dispatcher.destroy() };
}

interface GuardedRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** Milliseconds for the whole request, redirects included; 10,000 by default. */
  readonly timeoutMs?: number;
  /** Number of redirects to follow, each through the SSRF guard; none by default. */
  readonly maxRedirects?: number;
  /** Maximum bytes to read of the response body; 65,536 by default. The rest is discarded. */
  readonly maxBytes?: number;
}

interface GuardedHead {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** Address of the response, after redirects. */
  readonly url: URL;
}

interface GuardedAnswer extends GuardedHead {
  readonly body: Buffer;
}

/** A response whose body is read as a stream. The caller must read it to the end or destroy it. */
interface GuardedStream extends GuardedHead {
  readonly body: Readable;
}

/**
 * Sends a request through the SSRF guard. Follows a redirect with the same method and body only if its status requires
 * that (307, 308) or there is no body (GET, HEAD). The caller's headers go only to the first origin. Throws SsrfError
 * for a forbidden address at any hop, and undici's error or a timeout if the server does not answer.
 */
export async function guardedRequest(
  agent: GuardedAgent,
  address: string | URL,
  options: GuardedRequest = {},
): Promise<GuardedAnswer> {
  const { maxBytes = 65_536, timeoutMs = 10_000, ...rest } = options;
  const answer = await guardedStream(agent, address, { ...rest, signal: AbortSignal.timeout(timeoutMs) });
  return { ...answer, body: await readUpTo(answer.body, maxBytes) };
}

/**
 * As `guardedRequest`, for a body of any length. Ends the request and its body on `signal`, if the headers take longer
 * than `firstByteMs`, or if no byte arrives for `stallMs` (both in milliseconds; 5 minutes by default).
 */
export async function guardedStream(
  agent: GuardedAgent,
  address: string | URL,
  options: Omit<GuardedRequest, 'timeoutMs' | 'maxBytes'> & {
    readonly signal: AbortSignal;
    readonly firstByteMs?: number;
    readonly stallMs?: number;
  },
): Promise<GuardedStream> {
  const { method = 'GET', maxRedirects = 0, signal, firstByteMs, stallMs } = options;
  const first = agent.ssrfGuard.check(address);
  let url = first;
  for (let hop = 0; ; hop++) {
    const answer = await request(url, {
      dispatcher: agent.dispatcher,
      method,
      headers: url.origin === first.origin ? options.headers : undefined,
      body: options.body ?? null,
      ...(firstByteMs !== undefined && { headersTimeout: firstByteMs }),
      ...(stallMs !== undefined && { bodyTimeout: stallMs }),
      signal,
    });
    const location = answer.headers.location;
    const { statusCode: status } = answer;
    const follows = status === 307 || status === 308 || (status >= 301 && status <= 303 && method !== 'POST');
    if (follows && hop < maxRedirects && typeof location === 'string') {
      answer.body.destroy();
      answer.body.on('error', () => {});
      url = agent.ssrfGuard.check(URL.canParse(location, url.href) ? new URL(location, url).href : location);
      continue;
    }
    return { status, headers: answer.headers, url, body: answer.body };
  }
}

async function readUpTo(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}
