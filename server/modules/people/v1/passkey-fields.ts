import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { answered } from '../../../api/openapi/shown.ts';
import { field, listOf, text, textUpTo } from '../../../api/v1/kit/fields.ts';

/* Passkey data from and for browsers: the JSON of WebAuthn Level 3 (`PublicKeyCredential.toJSON()`). */

/** Bytes as base64url, with a maximum number of characters. */
const bytes = (max: number, description: string, example: string) =>
  field(textUpTo(max).regex(/^[\w-]+$/, 'must be base64url'), description, example);

// An id has up to 1,023 bytes (WebAuthn 3, 5.8.3).
const id = bytes(1_364, 'Id of the passkey, base64url.', 'mGqJ9vB0T3mX1n0eFqkzXw');
const clientData = bytes(
  4_096,
  'Client data of the browser (`clientDataJSON`), base64url.',
  'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
);

/** A browser's answer to options for a new passkey. */
export const newCredential = field(
  z.object({
    id,
    response: z.object({
      clientDataJSON: clientData,
      attestationObject: bytes(
        16_384,
        'Attestation of the browser, base64url.',
        'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVjE',
      ),
      transports: field(listOf(textUpTo(20), 10).default([]), 'Transports of the authenticator.', [
        'internal',
      ]),
    }),
  }),
  'Result of `navigator.credentials.create()` by its `toJSON()`; other fields are ignored.',
  {
    id: 'mGqJ9vB0T3mX1n0eFqkzXw',
    response: {
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
      attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVjE',
      transports: ['internal'],
    },
  },
);

/** A browser's answer to options for signing in. */
export const assertion = field(
  z.object({
    id,
    response: z.object({
      clientDataJSON: clientData,
      authenticatorData: bytes(
        4_096,
        'Authenticator data of the browser, base64url.',
        'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
      ),
      signature: bytes(2_048, 'Signature of the browser, base64url.', 'MEUCIQDx'),
      userHandle: bytes(100, 'User handle of the passkey from the authenticator.', 'MTc3NDMzNzQ2MDAwMDAyMQ')
        .nullable()
        .optional(),
    }),
  }),
  'Result of `navigator.credentials.get()` by its `toJSON()`; other fields are ignored.',
  {
    id: 'mGqJ9vB0T3mX1n0eFqkzXw',
    response: {
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
      signature: 'MEUCIQDx',
    },
  },
);

const fixed = (given: string) => ({
  id: given,
  rawId: given,
  type: 'public-key' as const,
  clientExtensionResults: {},
});

/** Converts the answer of a browser for its verification. */
export function readNewCredential(given: z.output<typeof newCredential>): RegistrationResponseJSON {
  return { ...fixed(given.id), response: given.response };
}

/** As `readNewCredential`, for a sign-in. */
export function readAssertion(given: z.output<typeof assertion>): AuthenticationResponseJSON {
  const { userHandle, ...response } = given.response;
  return { ...fixed(given.id), response: { ...response, ...(userHandle && { userHandle }) } };
}

/** Options to be passed unchanged to WebAuthn in a browser. */
export const passkeyOptions = answered(
  z.record(z.string(), z.unknown()),
  'Options for the browser, as JSON (`parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON`). Valid once, for five minutes.',
  { challenge: 'kZt3c0y2v1mK1x5m3w8Yp7aQ4r9sT6uV2bC0dE1fG2h', timeout: 300_000 },
);

/** Name of a passkey, chosen by its owner. */
export const passkeyName = field(
  text.trim().min(1, 'missing').max(60, 'over 60 characters'),
  'Name of the passkey.',
  'My laptop',
);
