import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { roles } from '../../../api/access/roles.ts';
import { out } from '../../../api/openapi/out.ts';
import { sessionToken, setSessionCookie } from '../../../api/v1/caller.ts';
import { field, oneOf, text, timeZone } from '../../../api/v1/kit/fields.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { PeopleModule } from '../open.ts';
import { languages, themes } from '../person.ts';
import { methodsOf, proofMethods } from '../proofs.ts';
import { type Origin, PROOF_MS, type Session } from '../sessions.ts';
import type { SignedInPerson } from '../sign-in.ts';
import { deviceToken, setDeviceCookie } from './device-cookie.ts';

/* Shared fields of sessions and people. */

const MAX_TEXT = 500;

/** A required text of a body. */
export const textInput = (description: string, example: string) =>
  field(text.min(1, 'missing').max(MAX_TEXT, `over ${MAX_TEXT} characters`), description, example);

/** The caller's own password, for requests that an unattended browser must not be able to make. */
export const password = textInput('Current password.', 'correct horse battery');

/** As `password`, but optional for people without a password. */
export const ownPassword = textInput(
  'Current password. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`).',
  'correct horse battery',
).optional();

/** Recovery codes in a response. */
export const recoveryCodes = z
  .array(out.text('Code that works once.', 'k3vd-x7ha-2fqo-5nzb-m4wt-uq6c-7ryd'))
  .meta({
    description:
      'Recovery codes, shown once; keep them separate from the phone. Empty: the earlier codes stay valid.',
  });

/** A code of the authenticator app, or a recovery code. */
export const code = textInput('Six-digit code of the phone, or a recovery code.', '492039');

/** Display name of a person. */
export const personName = text.trim().min(1, 'missing').max(100, 'over 100 characters');

export const language = field(
  oneOf(languages).nullable(),
  'Language of the console; null: the language of the browser.',
  'he',
);

export const theme = field(
  oneOf(themes).nullable(),
  'Theme of the console; null: the theme of the browser.',
  'dark',
);

/** Time zone that a person chooses. */
export const ownZone = timeZone('Time zone of the console; null: that of the account').nullable();

const personAnswer = z.object({
  id: out.id('Id of the person.', '1774337460000021'),
  username: out.text('User name.', 'dana'),
  name: out.text('Name of the person.', 'Dana Levi'),
});
const accountAnswer = z.object({
  id: out.id('Id of the account.', '1774337460000001'),
  username: out.text('User name of the account.', 'demo'),
  name: out.text('Name of the account.', 'Demo'),
  time_zone: out.maybeText('Time zone; null: that of the service.', 'Asia/Jerusalem'),
});

/** The person who is signed in. */
export const whoAnswer = z.object({
  person: personAnswer,
  role: out.oneOf(roles, 'Role of the person.', 'owner'),
  account: accountAnswer.nullable().meta({ description: 'Account of the person; null for operators.' }),
  language: out.maybeOneOf(languages, 'Language of the console; null: the language of the browser.', 'he'),
  theme: out.maybeOneOf(themes, 'Theme of the console; null: the theme of the browser.', 'dark'),
  time_zone: out.maybeText('Time zone of the console; null: that of the account.', null),
  default_time_zone: out.text('Time zone of the service, for accounts without one.', 'Asia/Jerusalem'),
  simulated: out.flag('Whether this is a sandbox, whose messages reach no real phone or mailbox.', false),
  second_factor: out.flag('Whether sign-in with a password requires a second factor.', true),
  authenticator_app: out.flag('Whether the second factor can be a code of an authenticator app.', true),
  has_password: out.flag('Whether the person has a password.', true),
  second_factor_required: out.flag(
    'Whether a second factor is required from all people of the account, by the account or by the operator. For people without one, all routes except those for setting it up return `second-factor-required`.',
    false,
  ),
  second_factor_pending: out.flag(
    'Whether a sign-in with a provider still lacks the second factor of the person: prove it with `POST /v1/session/second-factor/prove`.',
    false,
  ),
  second_factor_by_provider: out.flag('Whether the provider confirmed a second factor.', false),
  has_provider: out.flag('Whether the person signs in with a provider.', false),
  proof_seconds: out.count(
    'Seconds until routes that require a proof of identity ask for a new one; 0: the next one returns `proof-needed`.',
    214,
  ),
  proof_methods: z.array(out.oneOf(proofMethods, 'Method of proving the identity.', 'password')).meta({
    description: 'Methods by which the person can prove their identity with `POST /v1/session/proof`.',
  }),
  expires_at: out.time('End of the session without further requests'),
});

const showPerson = serializer(personAnswer);
const showAccount = serializer(accountAnswer);
const show = serializer(whoAnswer);

type WhoDeps = Pick<CoreContext, 'accounts' | 'defaultZone' | 'sandbox'>;

/** Formats the person who is signed in. */
export async function showWho(
  session: Session,
  { accounts, defaultZone, sandbox }: WhoDeps,
): Promise<z.output<typeof whoAnswer>> {
  const { person } = session;
  const account = person.accountId === null ? undefined : await accounts.byId(person.accountId);
  return show({
    ...session,
    ...person,
    authenticatorApp: person.hasTotp,
    secondFactorByProvider: session.provider?.secondFactor ?? false,
    hasProvider: person.providerId !== null,
    proofSeconds: Math.max(0, Math.floor((PROOF_MS - (session.proofAgeMs ?? PROOF_MS)) / 1_000)),
    proofMethods: methodsOf(person),
    defaultTimeZone: defaultZone,
    simulated: sandbox !== undefined,
    person: showPerson(person),
    account: account ? showAccount(account) : null,
  });
}

/** Begins a session in the calling browser. Throws Refusal `signed-out` if it has ended at this moment. */
export async function beginSession(
  { people: { sessions }, ...deps }: WhoDeps & { readonly people: Pick<PeopleModule, 'sessions'> },
  request: FastifyRequest,
  reply: FastifyReply,
  { token, device }: SignedInPerson,
): Promise<z.output<typeof whoAnswer>> {
  const replaced = sessionToken(request);
  if (replaced !== undefined) await sessions.endByToken(replaced);
  const session = await sessions.find(token);
  if (!session) throw new Refusal('signed-out', 'the session has ended');
  setSessionCookie(reply, token);
  setDeviceCookie(reply, device);
  return showWho(session, deps);
}

/** Returns the client of a request. */
export function originOf(request: FastifyRequest): Origin {
  return {
    address: request.ip,
    agent: request.headers['user-agent'] ?? '',
    device: deviceToken(request),
  };
}
