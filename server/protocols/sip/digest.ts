import { createHash, randomBytes } from 'node:crypto';
import { unquote } from './uri.ts';

/** The supported algorithms of RFC 7616 and RFC 8760, and their names in Node. */
const hashes: ReadonlyMap<string, string> = new Map([
  ['MD5', 'md5'],
  ['SHA-256', 'sha256'],
  ['SHA-512-256', 'sha512-256'],
]);

/** A challenge, or an answer to one: parameters keyed by lower-case names, without quotes. */
export type DigestParams = ReadonlyMap<string, string>;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Maximum number of characters of a challenge that are read. Real ones have 500. */
const MAX_DIGEST = 2_048;

/** Parses a `Digest` challenge or authorization; undefined for other schemes. */
export function parseDigest(line: string): DigestParams | undefined {
  const scheme = /^Digest\s+/i.exec(line);
  if (!scheme) return undefined;
  const params = new Map<string, string>();
  const rest = line.slice(scheme[0].length, MAX_DIGEST);
  for (const [, name, value] of rest.matchAll(/([A-Za-z0-9_-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]+)/g)) {
    params.set(name!.toLowerCase(), unquote(value!));
  }
  return params;
}

/**
 * Returns the first supported challenge. The order of the lines is the server's order of preference (RFC 8760, 2.4).
 * With `realm`, only challenges of that realm count.
 */
export function chooseChallenge(lines: readonly string[], realm?: string): DigestParams | undefined {
  return lines
    .flatMap((line) => parseDigest(line) ?? [])
    .find((params) => {
      const qop = params.get('qop');
      return (
        params.has('nonce') &&
        hashes.has(algorithmOf(params)) &&
        (realm === undefined || params.get('realm') === realm) &&
        (qop === undefined || qop.split(',').some((word) => word.trim().toLowerCase() === 'auth'))
      );
    });
}

function algorithmOf(params: DigestParams): string {
  return (params.get('algorithm') ?? 'MD5').toUpperCase();
}

interface DigestRequest {
  readonly method: string;
  readonly uri: string;
  /** Number of this use of the nonce, from 1. */
  readonly count: number;
  /** For the test vectors of the RFC; random by default. */
  readonly cnonce?: string;
}

/** Returns the response of RFC 7616, 3.4.1, for the parameters of a challenge; without `qop` that of RFC 2069. */
export function digestResponse(
  params: DigestParams,
  { username, password }: Credentials,
  { method, uri, count, cnonce = '' }: DigestRequest,
): string {
  const hash = (text: string) =>
    createHash(hashes.get(algorithmOf(params))!)
      .update(text)
      .digest('hex');
  const secret = hash(`${username}:${params.get('realm') ?? ''}:${password}`);
  const what = hash(`${method}:${uri}`);
  const nonce = params.get('nonce') ?? '';
  if (!params.has('qop')) return hash(`${secret}:${nonce}:${what}`);
  return hash(`${secret}:${nonce}:${countOf(count)}:${cnonce}:auth:${what}`);
}

const countOf = (count: number) => count.toString(16).padStart(8, '0');

/** Returns the value of Authorization or Proxy-Authorization that answers a challenge of `chooseChallenge`. */
export function authorization(
  challenge: DigestParams,
  credentials: Credentials,
  request: DigestRequest,
): string {
  const cnonce = request.cnonce ?? randomBytes(12).toString('hex');
  const response = digestResponse(challenge, credentials, { ...request, cnonce });
  const quoted = (name: string, value: string) => `${name}="${value.replace(/[\\"]/g, '\\$&')}"`;
  const parts = [
    quoted('username', credentials.username),
    quoted('realm', challenge.get('realm') ?? ''),
    quoted('nonce', challenge.get('nonce') ?? ''),
    quoted('uri', request.uri),
    quoted('response', response),
  ];
  if (challenge.has('algorithm')) parts.push(`algorithm=${challenge.get('algorithm')}`);
  if (challenge.has('qop')) parts.push('qop=auth', `nc=${countOf(request.count)}`, quoted('cnonce', cnonce));
  if (challenge.has('opaque')) parts.push(quoted('opaque', challenge.get('opaque')!));
  return `Digest ${parts.join(', ')}`;
}
