import { z } from 'zod';
import { open, proofChanges, proofReads, sendsNothing, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { identify } from '../../../api/v1/audited.ts';
import { setSessionCookie } from '../../../api/v1/caller.ts';
import { field, rowsAnswer, text, textUpTo } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { PeopleModule } from '../open.ts';
import { passkeySiteOf } from '../passkey-site.ts';
import { flowToken, setFlowCookie } from './flow-cookie.ts';
import { assertion, passkeyOptions, readAssertion } from './passkey-fields.ts';
import { beginSession, code, originOf, showWho, whoAnswer } from './session-fields.ts';

export const slug = field(
  text.regex(/^[a-z0-9][a-z0-9-]{1,39}$/, 'must have 2 to 40 small letters, digits or -'),
  'Name of the provider in its link `/sign-in/<slug>`.',
  'acme',
);
const beginBody = z.object({
  slug: slug.optional(),
  email: field(
    textUpTo(254)
      .regex(/^[^@\s]+@[^@\s]+$/, 'must be a mail address')
      .optional(),
    'Email address, of which only the domain is used.',
    'dana@acme.example',
  ),
});
const beginAnswer = z.object({
  url: out.text('Next address for the browser.', 'https://login.acme.example/authorize?client_id=carillon'),
});
const parameter = (max: number, description: string, example: string) =>
  field(textUpTo(max).optional(), description, example);
const finishBody = z.object({
  slug,
  code: parameter(4_096, '`code` of the redirect URI.', 'SplxlOBeZQQYbYS6WxSbIA'),
  state: parameter(200, '`state` of the redirect URI.', 'af0ifjsldkj'),
  iss: parameter(1_000, '`iss` of the redirect URI.', 'https://login.acme.example'),
  error: parameter(
    200,
    '`error` of the redirect URI, when the provider refuses the sign-in.',
    'access_denied',
  ),
});
const listedAnswer = z.object({
  slug: out.text('Name in the link.', 'acme'),
  name: out.text('Label of its button.', 'Acme'),
});
const showListed = serializer(listedAnswer);
const proofBody = z.object({ code: code.optional(), passkey: assertion.optional() });

interface ProviderSessionDeps
  extends Pick<CoreContext, 'accounts' | 'defaultZone' | 'sandbox' | 'pageBase' | 'signInProviders'> {
  readonly people: PeopleModule;
}

const route = resource<ProviderSessionDeps>('people');

/** Sign-in by OpenID Connect. */
export const providerSessionRoutes = [
  route('GET /v1/session/providers', {
    access: open('nothing'),
    operationId: 'listListedProviders',
    title: 'List the sign-in providers of the sign-in page',
    description:
      'Lists the public providers of the operator. Others are found by email address, or by their link.',
    answer: rowsAnswer('providers', listedAnswer),
    handler: async (_call, { signInProviders: { providers } }) => ({
      providers: (await providers.listed()).map(showListed),
    }),
  }),
  route('POST /v1/session/provider', {
    access: open('password'),
    operationId: 'beginProviderSignIn',
    title: 'Begin to sign in with a provider',
    description:
      'Begins a sign-in by OpenID Connect (authorization code with PKCE), by `slug` or by `email`. The response sets the cookie `carillon_sign_in`, to which the sign-in is bound for ten minutes. The response to an email address depends only on its domain, so that it does not reveal who has an account.',
    refusals: ['not-found', 'try-again'],
    body: beginBody,
    answer: beginAnswer,
    handler: async ({ body, reply }, { signInProviders: { signIns } }) => {
      if ((body.slug === undefined) === (body.email === undefined)) {
        throw badField('slug', 'give either this or email', 'one-of-both');
      }
      const by = body.slug === undefined ? { email: body.email! } : { slug: body.slug };
      const { url, token } = await signIns.begin(by);
      setFlowCookie(reply, token);
      return { url };
    },
  }),
  route('POST /v1/session/provider/callback', {
    access: open('password', 'change'),
    operationId: 'finishProviderSignIn',
    title: 'Sign in with the answer of a provider',
    description:
      'Finishes a sign-in with the parameters of the redirect URI. Begins a session, with the role that the rules of the provider assign now. `not-allowed`: they assign none, or the person is disabled.',
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
    access: sendsNothing(withoutProof(proofReads, 'is part of a sign-in that is not finished')),
    operationId: 'beginSecondFactorProof',
    title: 'Begin to prove a second factor',
    description:
      'Returns the options for proving a second factor with a passkey; null without a passkey. Used after a sign-in with a provider that did not confirm a second factor (`second_factor_pending` of the session).',
    refusals: ['not-now'],
    answer: z.object({ options: passkeyOptions.nullable() }),
    handler: async ({ session }, { people: { passkeys }, pageBase }) => {
      const { hasPasskey, id } = session.person;
      const options = hasPasskey ? await passkeys.secondFactorOptions(id, passkeySiteOf(pageBase())) : null;
      return { options: options && { ...options } };
    },
  }),
  route('POST /v1/session/second-factor/prove', {
    access: sendsNothing(withoutProof(proofChanges, 'is a proof itself')),
    operationId: 'proveSecondFactor',
    title: 'Prove the second factor',
    description:
      'Proves the second factor with a code of the authenticator app, a recovery code or a passkey. The session continues with a new cookie.',
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
