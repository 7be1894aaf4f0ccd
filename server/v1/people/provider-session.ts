import { z } from 'zod';
import type { CoreContext } from '../../core.ts';
import { Refusal } from '../../errors.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { identify } from '../../interfaces/v1/audited.ts';
import { setSessionCookie } from '../../interfaces/v1/caller.ts';
import { field, rowsAnswer, text, textUpTo } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import type { PeopleModule } from '../../people/module.ts';
import { passkeySiteOf } from '../../people/passkey-site.ts';
import { flowToken, setFlowCookie } from './flow-cookie.ts';
import { assertion, passkeyOptions, readAssertion } from './passkey-fields.ts';
import { beginSession, code, originOf, showWho, whoAnswer } from './session-fields.ts';

export const slug = field(
  text.regex(/^[a-z0-9][a-z0-9-]{1,39}$/, 'must have 2 to 40 small letters, digits or -'),
  'The name of the provider in its link `/sign-in/<slug>`.',
  'acme',
);
const beginBody = z.object({
  slug: slug.optional(),
  email: field(
    textUpTo(254)
      .regex(/^[^@\s]+@[^@\s]+$/, 'must be a mail address')
      .optional(),
    'A mail address, of which only the domain is looked at.',
    'dana@acme.example',
  ),
});
const beginAnswer = z.object({
  url: out.text('Where the browser goes now.', 'https://login.acme.example/authorize?client_id=carillon'),
});
const parameter = (max: number, description: string, example: string) =>
  field(textUpTo(max).optional(), description, example);
const finishBody = z.object({
  slug,
  code: parameter(4_096, 'Of the redirect URI.', 'SplxlOBeZQQYbYS6WxSbIA'),
  state: parameter(200, 'Of the redirect URI.', 'af0ifjsldkj'),
  iss: parameter(1_000, 'Of the redirect URI.', 'https://login.acme.example'),
  error: parameter(200, 'Of the redirect URI, when the provider signs nobody in.', 'access_denied'),
});
const listedAnswer = z.object({
  slug: out.text('The name in the link.', 'acme'),
  name: out.text('What its button says.', 'Acme'),
});
const showListed = serializer(listedAnswer);
const proofBody = z.object({ code: code.optional(), passkey: assertion.optional() });

interface ProviderSessionDeps
  extends Pick<CoreContext, 'accounts' | 'defaultZone' | 'sandbox' | 'pageBase' | 'signInProviders'> {
  readonly people: PeopleModule;
}

const route = resource<ProviderSessionDeps>('people');

/** Signing in by OpenID Connect. */
export const providerSessionRoutes = [
  route('GET /v1/session/providers', {
    operationId: 'listListedProviders',
    title: 'List the sign-in providers of the sign-in page',
    description:
      'Those of the operator that are for everybody. Others are found by a mail address, or by their link.',
    answer: rowsAnswer('providers', listedAnswer),
    handler: async (_call, { signInProviders: { providers } }) => ({
      providers: (await providers.listed()).map(showListed),
    }),
  }),
  route('POST /v1/session/provider', {
    operationId: 'beginProviderSignIn',
    title: 'Begin to sign in with a provider',
    description:
      'Begins a sign-in by OpenID Connect (authorization code with PKCE), by `slug` or by `email`. The answer sets the cookie `carillon_sign_in`, which the sign-in is bound to for ten minutes. What is answered to a mail address depends on its domain alone: nobody learns who exists.',
    refusals: ['not-found', 'try-again'],
    body: beginBody,
    answer: beginAnswer,
    handler: async ({ body, reply }, { signInProviders: { signIns } }) => {
      if ((body.slug === undefined) === (body.email === undefined)) {
        throw new Refusal('bad-field', 'give either this or email', 'slug', { reason: 'one-of-both' });
      }
      const by = body.slug === undefined ? { email: body.email! } : { slug: body.slug };
      const { url, token } = await signIns.begin(by);
      setFlowCookie(reply, token);
      return { url };
    },
  }),
  route('POST /v1/session/provider/callback', {
    operationId: 'finishProviderSignIn',
    title: 'Sign in with the answer of a provider',
    description:
      'What the page of the redirect URI calls with its parameters. Begins a session, with the role that the rules of the provider give now. `not-allowed`: they give none, or the person is disabled.',
    refusals: ['signed-out', 'not-allowed', 'not-now', 'try-again'],
    body: finishBody,
    answer: whoAnswer,
    handler: async ({ body: { slug: name, ...answer }, request, reply }, deps) => {
      setFlowCookie(reply, '');
      const signedIn = await deps.signInProviders.signIns.finish(
        name,
        answer,
        flowToken(request),
        originOf(request),
        (person) => identify(request, person),
      );
      return beginSession(deps, request, reply, signedIn);
    },
  }),
  route('POST /v1/session/second-factor/options', {
    operationId: 'beginSecondFactorProof',
    title: 'Begin to prove a second factor',
    description:
      'After a sign-in by a provider that did not say that a second factor was proven (`second_factor_pending` of the session): what the browser needs to prove it by a passkey; null without one.',
    refusals: ['not-now'],
    answer: z.object({ options: passkeyOptions.nullable() }),
    handler: async ({ session }, { people: { passkeys }, pageBase }) => {
      const { hasPasskey, id } = session.person;
      const options = hasPasskey ? await passkeys.secondFactorOptions(id, passkeySiteOf(pageBase())) : null;
      return { options: options && { ...options } };
    },
  }),
  route('POST /v1/session/second-factor/prove', {
    operationId: 'proveSecondFactor',
    title: 'Prove the second factor',
    description:
      'By a code of the authenticator app, a recovery code or a passkey. The session continues with a new cookie.',
    refusals: ['wrong-code', 'not-now', 'signed-out'],
    body: proofBody,
    answer: whoAnswer,
    handler: async ({ session, body, request, reply }, deps) => {
      const { signIns, sessions } = deps.people;
      const token = await signIns.proveSecondFactor(
        session,
        { code: body.code, passkey: body.passkey && readAssertion(body.passkey) },
        originOf(request),
        () => passkeySiteOf(deps.pageBase()),
      );
      setSessionCookie(reply, token);
      const proven = await sessions.find(token);
      if (!proven) throw new Refusal('signed-out', 'the session has ended');
      return showWho(proven, deps);
    },
  }),
];
