import { createHash, createHmac, randomUUID } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { HttpDescription } from './description.ts';
import type { CarrierRequest } from './request.ts';
import type { SendSignature } from './send-signature-settings.ts';
import { DescriptionError, formText, Template } from './template.ts';
import { secretValues } from './values.ts';

type Secrets = Readonly<Record<string, string>>;
type Scheme<Name extends SendSignature['scheme']> = Extract<SendSignature, { scheme: Name }>;

/** Returns a request with its signature. `now` is in milliseconds since the epoch. */
export type RequestSigner = (request: CarrierRequest, now: number) => Promise<CarrierRequest>;

interface SignerOptions {
  /** Text of a preview in place of each signature. */
  readonly mask?: string;
}

/**
 * Compiles the signature of requests to a provider; undefined for a description without `send.signature`.
 *
 * @throws DescriptionError when a secret does not encode a key, or cannot be in a header
 */
export function compileSigner(
  { send: { signature } }: Pick<HttpDescription, 'send'>,
  secrets: Secrets,
  options: SignerOptions = {},
): RequestSigner | undefined {
  if (!signature) return undefined;
  return signature.scheme === 'hmac'
    ? compileHmac(signature, secrets, options)
    : compileAwsV4(signature, secrets, options);
}

/**
 * Returns the bytes of a key that a secret encodes.
 *
 * @throws DescriptionError when it is not in this form
 */
export function keyBytes(secret: string, form: 'text' | 'hex' | 'base64'): Buffer {
  const bytes = Buffer.from(secret, form === 'text' ? 'utf8' : form);
  if (form === 'hex' && bytes.toString('hex') !== secret.toLowerCase())
    throw new DescriptionError('is not hexadecimal');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(secret) && secret.replaceAll('=', '').length % 4 !== 1;
  if (form === 'base64' && !isBase64) throw new DescriptionError('is not base64');
  return bytes;
}

function compileHmac(scheme: Scheme<'hmac'>, secrets: Secrets, { mask }: SignerOptions): RequestSigner {
  const values = secretValues(secrets);
  // The mask of a preview is no key.
  const key = mask === undefined ? keyBytes(secrets[scheme.secret]!, scheme.key) : mask;
  const prefix = new Template(scheme.prefix, 'header').render(values);
  const signed = scheme.signed.map((piece) =>
    typeof piece === 'object' && 'text' in piece
      ? { text: new Template(piece.text, 'plain').render(values) }
      : piece,
  );
  return async (request, now) => {
    const timestamp = scheme.timestamp && timeText(now, scheme.timestamp.format);
    const nonce = scheme.nonce && randomUUID();
    let whole = request;
    if (scheme.timestamp) whole = withValue(whole, scheme.timestamp, timestamp!);
    if (scheme.nonce) whole = withValue(whole, scheme.nonce, nonce!);
    const hmac = createHmac(scheme.algorithm, key);
    for (const piece of signed) hmac.update(pieceOf(whole, piece, { timestamp, nonce }));
    return withValue(whole, scheme, prefix + (mask ?? hmac.digest(scheme.encoding)));
  };
}

function pieceOf(
  { method, origin, path, headers, body }: CarrierRequest,
  piece: Scheme<'hmac'>['signed'][number],
  own: { readonly timestamp: string | undefined; readonly nonce: string | undefined },
): string | Buffer {
  if (typeof piece === 'object') {
    if ('text' in piece) return piece.text;
    const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === piece.header);
    return at === -1 ? '' : headers[at + 1]!;
  }
  const sha256 = () => createHash('sha256').update(body ?? '');
  switch (piece) {
    case 'method':
      return method;
    case 'url':
      return origin + path;
    case 'path':
      return path;
    case 'body':
      return body ?? '';
    case 'body-sha256':
      return sha256().digest();
    case 'body-sha256-hex':
      return sha256().digest('hex');
    case 'body-sha256-base64':
      return sha256().digest('base64');
    case 'timestamp':
    case 'nonce':
      return own[piece]!;
  }
}

function withValue(
  request: CarrierRequest,
  { header, query }: { readonly header?: string | undefined; readonly query?: string | undefined },
  value: string,
): CarrierRequest {
  if (header !== undefined) return { ...request, headers: [...request.headers, header, value] };
  const { path } = request;
  return {
    ...request,
    path: `${path}${path.includes('?') ? '&' : '?'}${formText(query!)}=${formText(value)}`,
  };
}

const timeText = (now: number, format: 'seconds' | 'milliseconds' | 'iso'): string => {
  if (format === 'iso') return new Date(now).toISOString();
  return String(format === 'seconds' ? Math.floor(now / 1_000) : now);
};

/** AWS Signature Version 4 of all headers and of the body. Access key and token are parts of the request. */
function compileAwsV4(scheme: Scheme<'aws-v4'>, secrets: Secrets, { mask }: SignerOptions): RequestSigner {
  const { accessKey, secretKey, sessionToken, service } = scheme;
  const values = secretValues(secrets);
  const inHeader = (text: string) => new Template(text, 'header').render(values);
  const region = inHeader(scheme.region);
  const accessKeyId = inHeader(`{secret.${accessKey}}`);
  const token = sessionToken === undefined ? undefined : inHeader(`{secret.${sessionToken}}`);
  // Keeps the derived key, which changes once a day.
  const cache = new Map<string, ArrayBuffer>();
  let day = '';
  return async (request, now) => {
    const datetime = new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, '');
    if (day !== datetime.slice(0, 8)) cache.clear();
    day = datetime.slice(0, 8);
    const signer = new AwsV4Signer({
      ...{ method: request.method, url: request.origin + request.path, body: request.body },
      headers: pairsOf(request.headers),
      ...{ accessKeyId, secretAccessKey: secrets[secretKey]! },
      ...(token !== undefined && { sessionToken: token }),
      // Content types are signed too: AWS requires it.
      ...{ service, region, datetime, cache, allHeaders: true },
    });
    const { headers } = await signer.sign();
    const added = ['x-amz-date', 'x-amz-security-token', 'authorization'].flatMap((name) => {
      const value = headers.get(name);
      if (value === null) return [];
      return [name, mask === undefined ? value : value.replace(/Signature=[0-9a-f]+/, `Signature=${mask}`)];
    });
    return { ...request, headers: [...request.headers, ...added] };
  };
}

const pairsOf = (headers: readonly string[]): [string, string][] =>
  headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]!]] : []));
