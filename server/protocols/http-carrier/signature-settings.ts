import { z } from 'zod';
import { secretName } from './schema-parts.ts';

/* Signatures of requests from providers: a closed list of schemes. Each names secrets of the settings. */

const header = z.string().regex(/^[a-z0-9-]{1,80}$/, 'must be a header in lower case');
/** Seconds by which the time of a request may differ from the clock, so that nobody can repeat an old one. */
const maxAge = z.int().min(1).max(86_400).default(300);

/** A piece of the signed text of `hmac`. */
const signedPiece = z.union(
  [
    z.enum(['body', 'url', 'body-sha256', 'body-sha256-hex']),
    z.strictObject({ header }),
    z.strictObject({ text: z.string().max(20) }),
  ],
  'must be body, url, body-sha256, body-sha256-hex, {"header": …} or {"text": …}',
);

const hmac = z.strictObject({
  scheme: z.literal('hmac'),
  secret: secretName,
  header,
  /** Text before the signature in the header. */
  prefix: z.string().max(20).default(''),
  algorithm: z.enum(['sha1', 'sha256', 'sha512']).default('sha256'),
  encoding: z.enum(['hex', 'base64']).default('hex'),
  /** How the secret encodes the key. `standard-webhooks`: base64 after `whsec_`. */
  key: z.enum(['text', 'hex', 'base64', 'standard-webhooks']).default('text'),
  /** Pieces whose concatenation is signed. */
  signed: z.array(signedPiece).min(1).max(12).default(['body']),
  /** Header with the time of the request in seconds; it must be among the signed pieces. */
  timestamp: header.optional(),
  maxAge,
});

export const signatureScheme = z
  .discriminatedUnion('scheme', [
    z.strictObject({ scheme: z.literal('twilio'), secret: secretName }),
    z.strictObject({ scheme: z.literal('plivo'), secret: secretName }),
    z.strictObject({ scheme: z.literal('sinch'), secret: secretName, maxAge }),
    z.strictObject({ scheme: z.literal('messagebird'), secret: secretName, maxAge }),
    hmac,
    z.strictObject({ scheme: z.literal('jwt-body-hash'), secret: secretName, maxAge }),
    z.strictObject({
      scheme: z.literal('ed25519'),
      /** Secret with the public key of the provider, 32 bytes in base64. */
      publicKey: secretName,
      header,
      timestamp: header,
      maxAge,
    }),
    z.strictObject({ scheme: z.literal('basic'), user: secretName, password: secretName }),
    z.strictObject({ scheme: z.literal('addresses') }),
    z.strictObject({ scheme: z.literal('secret-path') }),
  ])
  .superRefine((value, context) => {
    if (value.scheme !== 'hmac' || value.timestamp === undefined) return;
    const isSigned = value.signed.some(
      (piece) => typeof piece === 'object' && 'header' in piece && piece.header === value.timestamp,
    );
    if (!isSigned)
      context.addIssue({ code: 'custom', path: ['timestamp'], message: 'must be among the signed pieces' });
  });
export type SignatureScheme = z.output<typeof signatureScheme>;

/** Returns the names of the secrets that a scheme needs. */
export function secretsOfScheme(scheme: SignatureScheme): string[] {
  switch (scheme.scheme) {
    case 'ed25519':
      return [scheme.publicKey];
    case 'basic':
      return [scheme.user, scheme.password];
    case 'addresses':
    case 'secret-path':
      return [];
    default:
      return [scheme.secret];
  }
}
