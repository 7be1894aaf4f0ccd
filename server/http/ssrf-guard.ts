import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { addressesIn, isPublicAddress } from './addresses.ts';

/*
 * HTTP to addresses that customers give us. Without an SSRF guard they could make this service call what only it can
 * reach: its own database, the cloud's metadata address, the office's printers.
 */

/** The address, or the host behind it, is not one that may be called; the message says why, without the path. */
export class SsrfError extends Error {
  readonly code = 'ERR_FENCE';
}

/** What may be called. */
export interface SsrfGuardOptions {
  /** Lets private and loopback addresses through (the sandbox; a company's own network). */
  readonly allowPrivate: boolean;
  /** CIDR blocks that may be called besides public addresses. */
  readonly allowed?: readonly string[];
  /** The resolver; the system's by default. */
  readonly lookup?: (
    host: string,
    options: LookupOptions & { all: true },
    done: (error: Error | null, addresses: LookupAddress[]) => void,
  ) => void;
}

/** An SSRF guard: the judgement on addresses, and an undici connector that keeps to it. */
export interface SsrfGuard {
  /**
   * Checks the form of an address before anything is sent: http or https, no credentials, no literal address or
   * `localhost` that is closed. Returns it parsed (a URL has one spelling of an IPv4 address: `0x7f.1`, `017700000001`
   * and `127.0.0.1.` all become 127.0.0.1). Throws SsrfError.
   */
  check(address: string | URL): URL;
  /** For undici's `connect` option. Judges the very address that the socket connects to, so no DNS answer can change between check and use. */
  readonly connect: buildConnector.connector;
}

/** Makes an SSRF guard. `connectTimeoutMs` is the longest wait for a connection, TLS included. */
export function createSsrfGuard(options: SsrfGuardOptions, connectTimeoutMs = 5_000): SsrfGuard {
  const isAllowed = addressesIn(options.allowed ?? []);
  const open = (address: string) => options.allowPrivate || isPublicAddress(address) || isAllowed(address);
  const resolve = options.lookup ?? systemLookup;

  const lookup: LookupFunction = (host, lookupOptions, done) => {
    resolve(host, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      // One closed address among open ones is enough: an honest name has no such mixture.
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

/** An undici agent behind an SSRF guard, with the SSRF guard itself for checks of the form of an address. */
export interface GuardedAgent {
  readonly ssrfGuard: SsrfGuard;
  readonly dispatcher: Dispatcher;
  close(): Promise<void>;
}

/** An agent for occasional requests (`guardedRequest`); it keeps connections for some seconds. */
export function createGuardedAgent(options: SsrfGuardOptions): GuardedAgent {
  const ssrfGuard = createSsrfGuard(options);
  const dispatcher = new Agent({ connect: ssrfGuard.connect });
  return { ssrfGuard, dispatcher, close: () => dispatcher.destroy() };
}

interface GuardedRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** For the whole of it, redirects included, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
  /** How many redirects are followed, each through the SSRF guard; none by default. */
  readonly maxRedirects?: number;
  /** What is read of the answer's body, in bytes; 65,536 by default. The rest is not waited for. */
  readonly maxBytes?: number;
}

interface GuardedHead {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
}

interface GuardedAnswer extends GuardedHead {
  readonly body: Buffer;
}

/** An answer whose body is read as it comes: to its end, or destroyed. */
interface GuardedStream extends GuardedHead {
  readonly body: Readable;
}

/**
 * One request through the SSRF guard. A redirect is followed with the same method and body only where that is its
 * meaning (307, 308) or where there is no body (GET, HEAD); headers given by the caller go to the first origin only.
 * Throws SsrfError for a closed address at any hop, and undici's or the timeout's error when nothing answers.
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
 * As `guardedRequest`, for a body of any length. Ends the request and its body on `signal`, when the headers take longer than
 * `firstByteMs`, and when no byte arrives for `stallMs` (both in milliseconds; 5 minutes without them).
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
