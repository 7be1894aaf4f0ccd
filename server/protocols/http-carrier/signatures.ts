import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { jwtVerify } from 'jose';
import type { HeaderFields } from './document.ts';
import { basicAuthorization } from './request.ts';
import type { SignatureScheme } from './signature-settings.ts';
import { signatureOf } from './twilio-signature.ts';

/** A request of a provider, as its signature covers it. */
export interface SignedRequest {
  readonly method: string;
  /** Address as the provider called it, with the query. */
  readonly url: string;
  readonly headers: HeaderFields;
  readonly body: Buffer;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Secrets = Readonly<Record<string, string>>;
type Scheme<Name extends SignatureScheme['scheme']> = Extract<SignatureScheme, { scheme: Name }>;

/** DER of an Ed25519 public key before its 32 bytes (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Whether a request has the signature of a scheme. Schemes with a time also limit its age. The secret of the path and the
 * addresses are checked by the caller, for every scheme.
 */
export async function isSigned(
  request: SignedRequest,
  scheme: SignatureScheme,
  secrets: Secrets,
): Promise<boolean> {
  switch (scheme.scheme) {
    case 'twilio':
      return isSignedByTwilio(request, secrets[scheme.secret]!);
    case 'plivo':
      return isSignedByPlivo(request, secrets[scheme.secret]!);
    case 'sinch':
      return isSignedBySinch(request, secrets[scheme.secret]!, scheme.maxAge);
    case 'messagebird':
      return isSignedByMessageBird(request, secrets[scheme.secret]!, scheme.maxAge);
    case 'hmac':
      return hasHmac(request, scheme, secrets[scheme.secret]!);
    case 'jwt-body-hash':
      return hasBodyToken(request, scheme, secrets[scheme.secret]!);
    case 'ed25519':
      return hasEd25519(request, scheme, secrets[scheme.publicKey]!);
    case 'basic': {
      const expected = basicAuthorization(secrets[scheme.user]!, secrets[scheme.password]!);
      return isSame(headerOf(request, 'authorization'), expected);
    }
    case 'addresses':
    case 'secret-path':
      return true;
  }
}

/** Compares texts in constant time. Hashes have one length, so the time does not tell the length either. */
export function isSame(given: string, expected: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashOf(given), hashOf(expected));
}

/** Form fields are signed with the address; another body by its hash in the address. */
function isSignedByTwilio({ method, url, headers, body }: SignedRequest, secret: string): boolean {
  const given = headerOf({ headers }, 'x-twilio-signature');
  const isForm = headerOf({ headers }, 'content-type').startsWith('application/x-www-form-urlencoded');
  if (method === 'POST' && !isForm && body.length > 0) {
    const told = URL.canParse(url) ? new URL(url).searchParams.get('bodySHA256') : null;
    if (told === null || !isSame(told, sha256(body).toString('hex'))) return false;
  }
  const form = isForm ? Object.fromEntries(new URLSearchParams(body.toString('utf8'))) : {};
  return isSame(given, signatureOf(secret, url, form));
}

/** Version 2: the address without its query, and a nonce. */
function isSignedByPlivo({ url, headers }: SignedRequest, secret: string): boolean {
  const nonce = headerOf({ headers }, 'x-plivo-signature-v2-nonce');
  const [address = ''] = url.split('?', 1);
  const expected = hmacOf('sha256', secret, address + nonce).toString('base64');
  // One header is signed with the token of the subaccount, the other one with that of the main account.
  const given = ['x-plivo-signature-v2', 'x-plivo-signature-ma-v2'].flatMap((name) =>
    headerOf({ headers }, name).split(','),
  );
  return (
    nonce !== '' &&
    anySame(
      given.map((one) => one.trim()),
      expected,
    )
  );
}

function isSignedBySinch({ headers, body, now }: SignedRequest, secret: string, maxAge: number): boolean {
  const nonce = headerOf({ headers }, 'x-sinch-webhook-signature-nonce');
  const time = headerOf({ headers }, 'x-sinch-webhook-signature-timestamp');
  if (nonce === '' || !isRecent(time, now, maxAge)) return false;
  const signed = Buffer.concat([body, Buffer.from(`.${nonce}.${time}`)]);
  const expected = hmacOf('sha256', secret, signed).toString('base64');
  return isSame(headerOf({ headers }, 'x-sinch-webhook-signature'), expected);
}

function isSignedByMessageBird(
  { url, headers, body, now }: SignedRequest,
  secret: string,
  maxAge: number,
): boolean {
  const time = headerOf({ headers }, 'messagebird-request-timestamp');
  if (!isRecent(time, now, maxAge)) return false;
  const signed = Buffer.concat([Buffer.from(`${time}\n${url}\n`), sha256(body)]);
  const expected = hmacOf('sha256', secret, signed).toString('base64');
  return isSame(headerOf({ headers }, 'messagebird-signature'), expected);
}

function hasHmac(request: SignedRequest, scheme: Scheme<'hmac'>, secret: string): boolean {
  const { now, headers } = request;
  if (scheme.timestamp && !isRecent(headerOf({ headers }, scheme.timestamp), now, scheme.maxAge))
    return false;
  const signed = Buffer.concat(scheme.signed.map((piece) => pieceOf(request, piece)));
  const expected = hmacOf(scheme.algorithm, keyOf(secret, scheme.key), signed).toString(scheme.encoding);
  const given = headerOf({ headers }, scheme.header);
  // Standard Webhooks has several signatures while a secret is replaced.
  const list = scheme.key === 'standard-webhooks' ? given.split(' ') : [given];
  return anySame(list, scheme.prefix + expected);
}

function pieceOf({ body, url, headers }: SignedRequest, piece: Scheme<'hmac'>['signed'][number]): Buffer {
  if (typeof piece === 'object')
    return Buffer.from('text' in piece ? piece.text : headerOf({ headers }, piece.header));
  switch (piece) {
    case 'body':
      return body;
    case 'url':
      return Buffer.from(url);
    case 'body-sha256':
      return sha256(body);
    case 'body-sha256-hex':
      return Buffer.from(sha256(body).toString('hex'));
  }
}

function keyOf(secret: string, form: Scheme<'hmac'>['key']): Buffer {
  switch (form) {
    case 'text':
      return Buffer.from(secret);
    case 'hex':
    case 'base64':
      return Buffer.from(secret, form);
    case 'standard-webhooks':
      return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  }
}

/** A token of the header `Authorization` that contains the hash of the body. */
async function hasBodyToken(
  { headers, body, now }: SignedRequest,
  { maxAge }: Scheme<'jwt-body-hash'>,
  secret: string,
): Promise<boolean> {
  const token = /^Bearer (\S+)$/i.exec(headerOf({ headers }, 'authorization'))?.[1];
  if (token === undefined) return false;
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret), {
      algorithms: ['HS256'],
      maxTokenAge: maxAge,
      clockTolerance: maxAge,
      currentDate: new Date(now),
    });
    const hash = payload.payload_hash;
    // Requests without a body have no hash.
    if (body.length === 0) return hash === undefined || hash === sha256(body).toString('hex');
    return typeof hash === 'string' && isSame(hash.toLowerCase(), sha256(body).toString('hex'));
  } catch {
    return false;
  }
}

function hasEd25519(
  { headers, body, now }: SignedRequest,
  { header, timestamp, maxAge }: Scheme<'ed25519'>,
  publicKey: string,
): boolean {
  const time = headerOf({ headers }, timestamp);
  const signature = Buffer.from(headerOf({ headers }, header), 'base64');
  const bytes = Buffer.from(publicKey, 'base64');
  if (!isRecent(time, now, maxAge) || signature.length !== 64 || bytes.length !== 32) return false;
  const key = createPublicKey({
    ...{ key: Buffer.concat([ED25519_PREFIX, bytes]), format: 'der', type: 'spki' },
  });
  return verify(null, Buffer.concat([Buffer.from(`${time}|`), body]), key, signature);
}

/** Whether a time in seconds is at most `maxAge` seconds from now, in either direction. */
const isRecent = (time: string, now: number, maxAge: number): boolean =>
  /^\d{1,12}$/.test(time) && Math.abs(now / 1_000 - Number(time)) <= maxAge;

/** Compares with every signature, so that the time does not tell which one was right. */
const anySame = (given: readonly string[], expected: string): boolean =>
  given.slice(0, 10).reduce((found, one) => isSame(one, expected) || found, false);

const hmacOf = (algorithm: string, key: string | Buffer, content: string | Buffer): Buffer =>
  createHmac(algorithm, key).update(content).digest();
const sha256 = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

function headerOf({ headers }: Pick<SignedRequest, 'headers'>, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
