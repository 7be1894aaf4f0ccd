import { z } from 'zod';
import { ownChanges, proven, provenByBody, sendsNothing, setUpChanges } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { setSessionCookie } from '../../../api/v1/caller.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import type { OwnCredentials } from '../own-credentials.ts';
import { code, originOf, ownPassword as password, recoveryCodes } from './session-fields.ts';

const passwordBody = z.object({ password });
const codeBody = z.object({ code });
const bothBody = z.object({ password, code });
const secretAnswer = z.object({
  secret: out.text('Secret to type into an authenticator.', 'YRTG6UWA6XLZAVDSIKACFXGXP3ERH3EQ'),
  uri: out.text(
    'URI to show to an authenticator as a QR code.',
    'otpauth://totp/Carillon:dana?issuer=Carillon&secret=YRTG6UWA6XLZAVDSIKACFXGXP3ERH3EQ&algorithm=SHA1&digits=6&period=30',
  ),
});
const codesAnswer = z.object({ recovery_codes: recoveryCodes });

interface SecondFactorDeps {
  readonly credentials: OwnCredentials;
}

const route = resource<SecondFactorDeps>('people');

/** The second factor of the calling person. */
export const secondFactorRoutes = [
  route('POST /v1/session/second-factor', {
    access: sendsNothing(provenByBody(setUpChanges)),
    operationId: 'proposeSecondFactor',
    title: 'Set up a second factor',
    description:
      'Creates a secret for an authenticator app (TOTP: SHA-1, six digits, 30 seconds). It takes effect when it is confirmed; a repeated request replaces it.',
    refusals: ['wrong-password', 'proof-needed', 'not-now'],
    body: passwordBody,
    isBodyOptional: true,
    answer: secretAnswer,
    handler: async ({ session, body: { password: given }, request }, { credentials }) =>
      credentials.proposeSecondFactor(session, given, originOf(request)),
  }),
  route('POST /v1/session/second-factor/confirm', {
    access: sendsNothing(proven(setUpChanges)),
    operationId: 'confirmSecondFactor',
    title: 'Confirm the second factor',
    description:
      'Confirms the secret with a code of the authenticator app. Sign-in then requires a code. All sessions end; the current one continues with a new cookie.',
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
    access: sendsNothing(provenByBody(ownChanges)),
    operationId: 'removeSecondFactor',
    title: 'Remove the second factor',
    description:
      'Removes the authenticator app. Without a passkey, sign-in then requires only the password. All sessions end; the current one continues with a new cookie. Returns `not-now` for the last second factor while one is required.',
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
    access: sendsNothing(provenByBody(ownChanges)),
    operationId: 'renewRecoveryCodes',
    title: 'Create recovery codes',
    description: 'Creates new recovery codes and invalidates the old ones.',
    refusals: ['wrong-password', 'proof-needed', 'not-now'],
    body: passwordBody,
    isBodyOptional: true,
    answer: codesAnswer,
    handler: async ({ session, body: { password: given }, note, request }, { credentials }) => ({
      recovery_codes: await credentials.renewRecoveryCodes(session, given, originOf(request), note),
    }),
  }),
];
