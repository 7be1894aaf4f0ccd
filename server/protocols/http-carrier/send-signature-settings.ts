import { z } from 'zod';
import { secretName, secretTemplate } from './schema-parts.ts';

/* Signatures of requests to providers: a closed list of schemes. Each names secrets of the settings. */

/** Name of a header that a scheme adds, or signs. */
const header = z.string().regex(/^[a-z0-9-]{1,80}$/, 'must be a header in lower case');
const parameter = z.string().min(1).max(100);
/** The request has a value in one header, or in one parameter of the query. */
const place = { header: header.optional(), query: parameter.optional() };
const isOnePlace = (given: { readonly header?: string | undefined; readonly query?: string | undefined }) =>
  (given.header === undefined) !== (given.query === undefined);
const ONE_PLACE = 'must have either header or query';

const signedPieces = [
  'method',
  'url',
  'path',
  'body',
  'body-sha256',
  'body-sha256-hex',
  'body-sha256-base64',
  'timestamp',
  'nonce',
] as const;
const signedPiece = z.union(
  [z.enum(signedPieces), z.strictObject({ header }), z.strictObject({ text: secretTemplate('plain') })],
  `must be one of ${signedPieces.join(', ')}, {"header": …} and {"text": …}`,
);

const hmac = z
  .strictObject({
    scheme: z.literal('hmac'),
    secret: secretName,
    algorithm: z.enum(['sha1', 'sha256', 'sha384', 'sha512']).default('sha256'),
    encoding: z.enum(['hex', 'base64', 'base64url']).default('hex'),
    /** How the secret encodes the key. */
    key: z.enum(['text', 'hex', 'base64']).default('text'),
    /** Pieces whose concatenation is signed. */
    signed: z.array(signedPiece).min(1).max(20),
    ...place,
    /** Text before the signature in its header or parameter. */
    prefix: secretTemplate('header').default(''),
    timestamp: z
      .strictObject({ ...place, format: z.enum(['seconds', 'milliseconds', 'iso']).default('seconds') })
      .refine(isOnePlace, ONE_PLACE)
      .optional(),
    /** A random UUID of each request. */
    nonce: z.strictObject(place).refine(isOnePlace, ONE_PLACE).optional(),
  })
  .refine(isOnePlace, ONE_PLACE)
  .superRefine((value, context) => {
    for (const name of ['timestamp', 'nonce'] as const) {
      const isSigned = value.signed.includes(name);
      if (isSigned && value[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'is missing: it is signed' });
      if (!isSigned && value[name] !== undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'must be among the signed pieces' });
    }
  });

/** AWS Signature Version 4, in the header `Authorization`. */
const awsV4 = z.strictObject({
  scheme: z.literal('aws-v4'),
  accessKey: secretName,
  secretKey: secretName,
  /** Token of temporary credentials. */
  sessionToken: secretName.optional(),
  region: secretTemplate('plain').min(1),
  service: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a service, like sns'),
});

export const sendSignature = z.discriminatedUnion('scheme', [hmac, awsV4]);
export type SendSignature = z.output<typeof sendSignature>;

/** Claims of a token that the service sets. */
const OWN_CLAIMS = ['iat', 'nbf', 'exp', 'jti'];
const MAX_CLAIMS = 20;
const claim = z.union([secretTemplate('plain'), z.number(), z.boolean()]);

/** A token that the service signs itself (RFC 7519), in the header `Authorization: Bearer`. */
export const jwtAuth = z.strictObject({
  algorithm: z.enum(['HS256', 'RS256', 'ES256', 'EdDSA']),
  /** Secret with the key: that of HS256, or a private key in PEM. */
  secret: secretName,
  /** How the secret encodes the key of HS256. */
  key: z.enum(['text', 'hex', 'base64']).default('text'),
  /** `kid` of the header. */
  keyId: secretTemplate('plain').optional(),
  claims: z
    .record(z.string().min(1).max(100), claim)
    .refine((given) => Object.keys(given).length <= MAX_CLAIMS, `has more than ${MAX_CLAIMS} entries`)
    .superRefine((given, context) => {
      for (const name of OWN_CLAIMS)
        if (Object.hasOwn(given, name))
          context.addIssue({ code: 'custom', path: [name], message: 'is set by the service; remove it' });
    })
    .default({}),
  /** Seconds that a token is valid. */
  lifetime: z.int().min(10).max(3_600).default(300),
});
export type JwtAuth = z.output<typeof jwtAuth>;

/** Returns the names of the secrets with keys of a signature, and its texts that may contain others. */
export function usesOfSignature(signature: SendSignature): {
  readonly secrets: readonly string[];
  readonly texts: readonly string[];
} {
  if (signature.scheme === 'aws-v4') {
    const { accessKey, secretKey, sessionToken, region } = signature;
    return { secrets: [accessKey, secretKey, ...(sessionToken ? [sessionToken] : [])], texts: [region] };
  }
  const texts = signature.signed.flatMap((piece) =>
    typeof piece === 'object' && 'text' in piece ? [piece.text] : [],
  );
  return { secrets: [signature.secret], texts: [signature.prefix, ...texts] };
}

/** The same for a token. */
export function usesOfJwt({ secret, keyId, claims }: JwtAuth): ReturnType<typeof usesOfSignature> {
  const texts = Object.values(claims).filter((value) => typeof value === 'string');
  return { secrets: [secret], texts: keyId === undefined ? texts : [keyId, ...texts] };
}
