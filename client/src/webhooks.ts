import type { WebhookEvent } from './events.ts';

/** A webhook with an invalid signature or time, or not from the service. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** Headers of a request: of `Request`, of Node, or of a framework. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Options for verifying a webhook. */
export interface VerifyOptions {
  /** Maximum difference of the request's time from now, in seconds; default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Current time in milliseconds since the epoch; default now. */
  readonly now?: number | undefined;
}

/**
 * Returns the event of a webhook after verifying its signature and its time (Standard Webhooks 1.0). Ignore events
 * whose id you have already processed: delivery is at least once.
 *
 * @param secret secret of the endpoint, `whsec_…`; several during a rotation
 * @param body as received, before parsing
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array<ArrayBuffer>,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is not a time');
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('webhook-timestamp is too far from the time of this machine');
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const given = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => bytesOf(one.slice('v1,'.length)));
  for (const one of [secret].flat()) {
    const key = await keyOf(one);
    for (const signature of given) {
      // Compares in constant time.
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) {
        return { id, ...(JSON.parse(text) as object) } as WebhookEvent;
      }
    }
  }
  throw new WebhookVerificationError('webhook-signature is of another secret, or the body was changed');
}

function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('the secret must be whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Decodes base64; undefined for an invalid text. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const all = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  const found = Object.entries(all).find(([key]) => key.toLowerCase() === name)?.[1];
  const value = typeof found === 'string' ? found : found?.[0];
  if (!value) throw new WebhookVerificationError(`the header ${name} is missing`);
  return value;
}
