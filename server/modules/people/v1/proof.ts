import { z } from 'zod';
import { sendsNothing, setUpChanges, setUpReads, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { PeopleModule } from '../open.ts';
import { passkeySiteOf } from '../passkey-site.ts';
import { setFlowCookie } from './flow-cookie.ts';
import { assertion, passkeyOptions, readAssertion } from './passkey-fields.ts';
import { code, originOf, textInput } from './session-fields.ts';

const proofBody = z.object({
  password: textInput('Password of the person.', 'correct horse battery').optional(),
  code: code.optional(),
  passkey: assertion.optional(),
});

interface ProofDeps extends Pick<CoreContext, 'pageBase' | 'signInProviders'> {
  readonly people: PeopleModule;
}

const route = resource<ProofDeps>('people');

/**
 * Proofs of identity within a session, before requests that grant access or read much data (docs/sign-in.md).
 */
export const proofRoutes = [
  route('POST /v1/session/proof', {
    access: sendsNothing(withoutProof(setUpChanges, 'is the proof itself')),
    operationId: 'proveIdentity',
    title: 'Prove your identity',
    description:
      'Proves the identity of the person with their password, a passkey, or a code of the second factor, and stores the time with the session. For five minutes, routes that require a proof do not return `proof-needed`; use of the session does not extend this. A sign-in counts as a proof, too. People without any of these sign in at their provider again with `POST /v1/session/proof/provider`.',
    refusals: ['wrong-password', 'wrong-code', 'not-now'],
    body: proofBody,
    handler: async ({ session, body, request }, { people, pageBase }) =>
      people.proofs.prove(
        session,
        { ...body, passkey: body.passkey && readAssertion(body.passkey) },
        originOf(request),
        () => passkeySiteOf(pageBase()),
      ),
  }),
  route('POST /v1/session/proof/options', {
    access: sendsNothing(withoutProof(setUpReads, 'is the proof itself')),
    operationId: 'beginProof',
    title: 'Begin a proof with a passkey',
    description:
      'Returns the options with which the browser asks for a passkey of the person (`navigator.credentials.get()`); null without a passkey.',
    refusals: ['not-now'],
    answer: z.object({ options: passkeyOptions.nullable() }),
    handler: async ({ session: { person } }, { people: { passkeys }, pageBase }) => {
      const options = person.hasPasskey
        ? await passkeys.secondFactorOptions(person.id, passkeySiteOf(pageBase()))
        : null;
      return { options: options && { ...options } };
    },
  }),
  route('POST /v1/session/proof/provider', {
    access: sendsNothing(withoutProof(setUpChanges, 'is the proof itself')),
    operationId: 'beginProviderProof',
    title: 'Begin a proof at the sign-in provider',
    description:
      'Begins a sign-in at the provider of the person that asks for their credentials again (`prompt=login`, `max_age=0`), even if they have a session there. `POST /v1/session/provider/callback` finishes it and begins a new session; it is refused unless the provider confirms with `auth_time` that the person signed in within the last five minutes. Returns `not-now` for people without a provider.',
    refusals: ['not-now', 'try-again'],
    answer: z.object({
      url: out.text(
        'Address to which the browser goes.',
        'https://login.acme.example/authorize?client_id=carillon&prompt=login&max_age=0',
      ),
    }),
    handler: async ({ session: { person }, reply }, { signInProviders: { signIns } }) => {
      if (person.providerId === null)
        throw new Refusal('not-now', 'you sign in without a provider', undefined, {
          reason: 'not-by-provider',
        });
      const { url, token } = await signIns.beginAgain(person.providerId);
      setFlowCookie(reply, token);
      return { url };
    },
  }),
];
