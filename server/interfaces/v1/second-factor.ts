import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SignIns } from '../../people/sign-in.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { noteOf } from './audited.ts';
import { setSessionCookie } from './caller.ts';
import { read, type V1Part } from './door.ts';
import { done, doneAnswer } from './fields.ts';
import { withBody } from './json-body.ts';
import { code, originOf, password } from './session-fields.ts';

const chapter = 'people';

const passwordBody = z.object({ password });
const codeBody = z.object({ code });
const bothBody = z.object({ password, code });
const secretAnswer = z.object({
  secret: answered(z.string(), 'To be typed into an authenticator.', 'YRTG6UWA6XLZAVDSIKACFXGXP3ERH3EQ'),
  uri: answered(
    z.string(),
    'To be shown to an authenticator as a QR code.',
    'otpauth://totp/Carillon:dana?issuer=Carillon&secret=YRTG6UWA6XLZAVDSIKACFXGXP3ERH3EQ&algorithm=SHA1&digits=6&period=30',
  ),
});
const codesAnswer = z.object({
  recovery_codes: z
    .array(answered(z.string(), 'A code that works once.', 'k3vd-x7ha-2fqo-5nzb-m4wt-uq6c-7ryd'))
    .meta({ description: 'To be kept somewhere else than the phone; shown this once.' }),
});

export interface SecondFactorDeps {
  readonly signIns: SignIns;
}

/**
 * The own second factor under /v1, a part of the door:
 * - `POST /session/second-factor`: a secret for the phone
 * - `POST /session/second-factor/confirm`: puts it in force
 * - `POST /session/second-factor/remove`: takes it away
 * - `POST /session/recovery-codes`: new ones
 */
export function secondFactorPart({ signIns }: SecondFactorDeps): V1Part {
  return (app, _accountOf, callerOf) => {
    const sessionOf = (request: FastifyRequest) => callerOf(request).session!;
    const common = { chapter } as const;

    app.post(
      '/session/second-factor',
      withBody(
        described({
          ...common,
          id: 'proposeSecondFactor',
          title: 'Set up a second factor',
          description:
            'A secret for an authenticator on the phone (TOTP: SHA-1, six digits, 30 seconds). It is in force when it is confirmed; asking again makes another one.',
          answer: secretAnswer,
          refusals: ['wrong-password', 'not-now'],
        }),
        passwordBody,
      ),
      async (request) => {
        const { password: given } = read(passwordBody, request.body);
        return signIns.proposeSecondFactor(sessionOf(request).person, given, originOf(request));
      },
    );

    app.post(
      '/session/second-factor/confirm',
      withBody(
        described({
          ...common,
          id: 'confirmSecondFactor',
          title: 'Confirm the second factor',
          description:
            'A code that the phone shows puts it in force: from now on signing in asks for one. All sessions end; the one that asks goes on under a new cookie.',
          answer: codesAnswer,
          refusals: ['wrong-code', 'not-now'],
        }),
        codeBody,
      ),
      async (request, reply) => {
        const { code: given } = read(codeBody, request.body);
        const { recoveryCodes, token } = await signIns.confirmSecondFactor(
          sessionOf(request),
          given,
          originOf(request),
          noteOf(request),
        );
        setSessionCookie(reply, token);
        return { recovery_codes: recoveryCodes };
      },
    );

    app.post(
      '/session/second-factor/remove',
      withBody(
        described({
          ...common,
          id: 'removeSecondFactor',
          title: 'Remove the second factor',
          description:
            'From now on the password is enough. All sessions end; the one that asks goes on under a new cookie. Refused with `not-now` while the rules of the account require a second factor.',
          answer: doneAnswer,
          refusals: ['wrong-password', 'wrong-code', 'not-now'],
        }),
        bothBody,
      ),
      async (request, reply) => {
        const given = read(bothBody, request.body);
        const { person } = sessionOf(request);
        const token = await signIns.removeSecondFactor(person, given, originOf(request), noteOf(request));
        setSessionCookie(reply, token);
        return done;
      },
    );

    app.post(
      '/session/recovery-codes',
      withBody(
        described({
          ...common,
          id: 'renewRecoveryCodes',
          title: 'New recovery codes',
          description: 'The old ones end.',
          answer: codesAnswer,
          refusals: ['wrong-password', 'not-now'],
        }),
        passwordBody,
      ),
      async (request) => {
        const { password: given } = read(passwordBody, request.body);
        const { person } = sessionOf(request);
        return {
          recovery_codes: await signIns.renewRecoveryCodes(person, given, originOf(request), noteOf(request)),
        };
      },
    );
  };
}
