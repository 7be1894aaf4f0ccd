import { z } from 'zod';
import { out } from '../../interfaces/openapi/out.ts';
import { setSessionCookie } from '../../interfaces/v1/caller.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import type { OwnCredentials } from '../../people/own-credentials.ts';
import { code, originOf, ownPassword as password, recoveryCodes } from './session-fields.ts';

const passwordBody = z.object({ password });
const codeBody = z.object({ code });
const bothBody = z.object({ password, code });
const secretAnswer = z.object({
  secret: out.text('To be typed into an authenticator.', 'YRTG6UWA6XLZAVDSIKACFXGXP3ERH3EQ'),
  uri: out.text(
    'To be shown to an authenticator as a QR code.',
    'otpauth://totp/Carillon:dana?issuer=Carillon&secret=YRTG6UWA6XLZAVDSIKACFXGXP3ERH3EQ&algorithm=SHA1&digits=6&period=30',
  ),
});
const codesAnswer = z.object({ recovery_codes: recoveryCodes });

interface SecondFactorDeps {
  readonly credentials: OwnCredentials;
}

const route = resource<SecondFactorDeps>('people');

/** The own second factor. */
export const secondFactorRoutes = [
  route('POST /v1/session/second-factor', {
    operationId: 'proposeSecondFactor',
    title: 'Set up a second factor',
    description:
      'A secret for an authenticator on the phone (TOTP: SHA-1, six digits, 30 seconds). It is in force when it is confirmed; asking again makes another one.',
    refusals: ['wrong-password', 'proof-needed', 'not-now'],
    body: passwordBody,
    isBodyOptional: true,
    answer: secretAnswer,
    handler: async ({ session, body: { password: given }, request }, { credentials }) =>
      credentials.proposeSecondFactor(session, given, originOf(request)),
  }),
  route('POST /v1/session/second-factor/confirm', {
    operationId: 'confirmSecondFactor',
    title: 'Confirm the second factor',
    description:
      'Needs a code of the authenticator app. From now on signing in asks for a code. All sessions end; the current one continues with a new cookie.',
    refusals: ['wrong-code', 'not-now'],
    body: codeBody,
    answer: codesAnswer,
    handler: async ({ session, body: { code: given }, note, request, reply }, { credentials }) => {
      const { recoveryCodes: codes, token } = await credentials.confirmSecondFactor(
        session,
        given,
        originOf(request),
        note,
      );
      setSessionCookie(reply, token);
      return { recovery_codes: codes };
    },
  }),
  route('POST /v1/session/second-factor/remove', {
    operationId: 'removeSecondFactor',
    title: 'Remove the second factor',
    description:
      'Takes the codes of the authenticator app away. Without a passkey the password is enough from now on. All sessions end; the current one continues with a new cookie. Refused with `not-now` for the last second factor while one is required.',
    refusals: ['wrong-password', 'proof-needed', 'wrong-code', 'not-now'],
    body: bothBody,
    handler: async ({ session, body: given, note, request, reply }, { credentials }) => {
      const token = await credentials.removeSecondFactor(
        session,
        { password: undefined, ...given },
        originOf(request),
        note,
      );
      setSessionCookie(reply, token);
    },
  }),
  route('POST /v1/session/recovery-codes', {
    operationId: 'renewRecoveryCodes',
    title: 'Create recovery codes',
    description: 'The old ones end.',
    refusals: ['wrong-password', 'proof-needed', 'not-now'],
    body: passwordBody,
    isBodyOptional: true,
    answer: codesAnswer,
    handler: async ({ session, body: { password: given }, note, request }, { credentials }) => ({
      recovery_codes: await credentials.renewRecoveryCodes(session, given, originOf(request), note),
    }),
  }),
];
