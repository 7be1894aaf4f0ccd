import { z } from 'zod';
import { out } from '../../interfaces/openapi/out.ts';
import { setSessionCookie } from '../../interfaces/v1/caller.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import type { SignIns } from '../../people/sign-in.ts';
import { code, originOf, password } from './session-fields.ts';

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
const codesAnswer = z.object({
  recovery_codes: z
    .array(out.text('A code that works once.', 'k3vd-x7ha-2fqo-5nzb-m4wt-uq6c-7ryd'))
    .meta({ description: 'To be kept somewhere else than the phone; shown this once.' }),
});

interface SecondFactorDeps {
  readonly signIns: SignIns;
}

const route = resource<SecondFactorDeps>('people');

/** The own second factor. */
export const secondFactorRoutes = [
  route('POST /v1/session/second-factor', {
    operationId: 'proposeSecondFactor',
    title: 'Set up a second factor',
    description:
      'A secret for an authenticator on the phone (TOTP: SHA-1, six digits, 30 seconds). It is in force when it is confirmed; asking again makes another one.',
    refusals: ['wrong-password', 'not-now'],
    body: passwordBody,
    answer: secretAnswer,
    handler: async ({ session, body: { password: given }, request }, { signIns }) =>
      signIns.proposeSecondFactor(session.person, given, originOf(request)),
  }),
  route('POST /v1/session/second-factor/confirm', {
    operationId: 'confirmSecondFactor',
    title: 'Confirm the second factor',
    description:
      'Needs a code of the authenticator app. From now on signing in asks for a code. All sessions end; the current one continues with a new cookie.',
    refusals: ['wrong-code', 'not-now'],
    body: codeBody,
    answer: codesAnswer,
    handler: async ({ session, body: { code: given }, note, request, reply }, { signIns }) => {
      const { recoveryCodes, token } = await signIns.confirmSecondFactor(
        session,
        given,
        originOf(request),
        note,
      );
      setSessionCookie(reply, token);
      return { recovery_codes: recoveryCodes };
    },
  }),
  route('POST /v1/session/second-factor/remove', {
    operationId: 'removeSecondFactor',
    title: 'Remove the second factor',
    description:
      'From now on the password is enough. All sessions end; the current one continues with a new cookie. Refused with `not-now` while the rules of the account require a second factor.',
    refusals: ['wrong-password', 'wrong-code', 'not-now'],
    body: bothBody,
    handler: async ({ session, body: given, note, request, reply }, { signIns }) => {
      const token = await signIns.removeSecondFactor(session.person, given, originOf(request), note);
      setSessionCookie(reply, token);
    },
  }),
  route('POST /v1/session/recovery-codes', {
    operationId: 'renewRecoveryCodes',
    title: 'Create recovery codes',
    description: 'The old ones end.',
    refusals: ['wrong-password', 'not-now'],
    body: passwordBody,
    answer: codesAnswer,
    handler: async ({ session, body: { password: given }, note, request }, { signIns }) => ({
      recovery_codes: await signIns.renewRecoveryCodes(session.person, given, originOf(request), note),
    }),
  }),
];
