import { z } from 'zod';
import {
  open,
  ownChanges,
  ownReads,
  proofChanges,
  proofReads,
  provenByBody,
  sendsNothing,
  setUpChanges,
  withoutProof,
} from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { identify } from '../../../api/v1/audited.ts';
import { setSessionCookie } from '../../../api/v1/caller.ts';
import { field, idOf, notFound, rowsAnswer } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { PeopleModule } from '../open.ts';
import { passkeySiteOf } from '../passkey-site.ts';
import { setDeviceCookie } from './device-cookie.ts';
import { assertion, passkeyOptions, readAssertion } from './passkey-fields.ts';
import {
  beginSession,
  code,
  language,
  originOf,
  ownZone,
  password,
  personName,
  showWho,
  textInput,
  theme,
  whoAnswer,
} from './session-fields.ts';

const signInBody = z.object({
  username: textInput('User name.', 'dana'),
  password: textInput('Password.', 'correct horse battery'),
  code: code.optional(),
  passkey: assertion.optional(),
});
const signInAnswer = z.object({
  code_wanted: out.flag('The password is correct: repeat the request with `code`, or with `passkey`.', false),
  passkey_options: passkeyOptions.nullable().meta({
    description:
      'Options for the browser of a person with a passkey; `passkey` is its result. Otherwise null.',
  }),
  session: whoAnswer
    .nullable()
    .meta({ description: 'Person who is signed in; null while a code is required.' }),
});
const linkToken = textInput('Part of the link after `#`.', 'kZt3c0y2v1mK1x5m3w8Yp7aQ4r9sT6uV2bC0dE1fG2h');
const linkBody = z.object({ token: linkToken });
const newPassword = textInput('New password, of 10 to 200 characters.', 'a long walk in the rain');
const resetBody = z.object({ token: linkToken, password: newPassword });
const passwordBody = z.object({ current: password, password: newPassword });
const preferences = z.object({
  name: field(personName.optional(), 'Your name.', 'Dana Levi'),
  language: language.optional(),
  theme: theme.optional(),
  time_zone: ownZone.optional(),
});
const sessionAnswer = z.object({
  id: out.id('Id of the session, for ending it.', '1774337460000031'),
  current: out.flag('Whether it is the current session.', true),
  created_at: out.time('Start of the session'),
  seen_at: out.time('Time of the last use, up to a minute late'),
  address: out.text('Address from which it began.', '192.0.2.7'),
  agent: out.text('Description of the browser.', 'Mozilla/5.0'),
});
const show = serializer(sessionAnswer);

interface SessionDeps
  extends Pick<CoreContext, 'accounts' | 'defaultZone' | 'sandbox' | 'pageBase' | 'signInProviders'> {
  readonly people: PeopleModule;
}

const route = resource<SessionDeps>('people');

/** Sign-in, and the sessions of the calling person. */
export const sessionRoutes = [
  route('POST /v1/session', {
    access: open('password', 'change'),
    operationId: 'signIn',
    title: 'Sign in',
    description:
      'Begins a session, in the cookie `carillon_session`. With a second factor, the first response asks for a code: repeat the request with it. After several wrong attempts further ones have to wait, as `Retry-After` says. A browser in which the person has signed in before, identified by the cookie `carillon_device`, waits only for its own failures.',
    refusals: ['signed-out', 'wrong-code', 'not-now', 'not-allowed'],
    body: signInBody,
    answer: signInAnswer,
    handler: async ({ body, audit, request, reply }, deps) => {
      const signedIn = await deps.people.signIns.byPassword(
        { code: undefined, ...body, passkey: body.passkey && readAssertion(body.passkey) },
        originOf(request),
        (person) => identify(request, person),
        () => passkeySiteOf(deps.pageBase()),
      );
      if ('token' in signedIn) {
        const session = await beginSession(deps, request, reply, signedIn);
        return { code_wanted: false, passkey_options: null, session };
      }
      audit({ after: { second_factor_wanted: true } });
      const { passkey } = signedIn;
      return { code_wanted: true, passkey_options: passkey && { ...passkey }, session: null };
    },
  }),
  route('POST /v1/session/passkey/options', {
    access: open('password'),
    operationId: 'beginPasskeySignIn',
    title: 'Begin to sign in with a passkey',
    description:
      'Returns the options with which the browser finds a passkey of this service. The response does not reveal who has one: the browser asks the person.',
    refusals: ['not-now'],
    answer: z.object({ options: passkeyOptions }),
    handler: async (_call, { people: { passkeys }, pageBase }) => ({
      options: { ...(await passkeys.signInOptions(passkeySiteOf(pageBase()))) },
    }),
  }),
  route('POST /v1/session/passkey', {
    access: open('password', 'change'),
    operationId: 'signInByPasskey',
    title: 'Sign in with a passkey',
    description:
      'Begins a session. The authenticator has verified its user by a PIN or biometrics, so that no other second factor is required.',
    refusals: ['signed-out', 'not-now', 'not-allowed'],
    body: z.object({ passkey: assertion }),
    answer: whoAnswer,
    handler: async ({ body, request, reply }, deps) => {
      const signedIn = await deps.people.signIns.byPasskey(
        readAssertion(body.passkey),
        passkeySiteOf(deps.pageBase()),
        originOf(request),
        (person) => identify(request, person),
      );
      return beginSession(deps, request, reply, signedIn);
    },
  }),
  route('POST /v1/session/link', {
    access: open('password', 'change'),
    operationId: 'signInByLink',
    title: 'Sign in with a link',
    description:
      'Begins a session with a link that works once, such as the one that the start of a sandbox prints.',
    refusals: ['link-over', 'not-allowed'],
    body: linkBody,
    answer: whoAnswer,
    handler: async ({ body: { token }, request, reply }, deps) => {
      const signedIn = await deps.people.signIns.byLink(token, originOf(request), (person) =>
        identify(request, person),
      );
      return beginSession(deps, request, reply, signedIn);
    },
  }),
  route('POST /v1/session/password-link', {
    access: open('password', 'change'),
    operationId: 'choosePassword',
    title: 'Set a password with a link',
    description:
      'Sets the password of the person for whom the link was created, and ends their sessions. Sign in with it then.',
    refusals: ['link-over', 'bad-password'],
    body: resetBody,
    answer: z.object({ username: out.text('User name of the person.', 'dana') }),
    handler: async ({ body: { token, password: chosen }, request, reply }, { people: { signIns } }) => {
      const { person, device } = await signIns.chooseByLink(token, chosen, originOf(request), (whose) =>
        identify(request, whose),
      );
      setDeviceCookie(reply, device);
      return { username: person.username };
    },
  }),
  route('GET /v1/session', {
    access: proofReads,
    operationId: 'getSession',
    title: 'Show the session',
    description: 'Returns the person of the session, the account and the role.',
    answer: whoAnswer,
    handler: ({ session }, deps) => showWho(session, deps),
  }),
  route('PATCH /v1/session', {
    access: withoutProof(setUpChanges, 'changes the appearance of the console'),
    operationId: 'updateSession',
    title: 'Change preferences',
    description: 'Updates the given preferences of the person: name, language, theme or time zone.',
    body: preferences,
    answer: whoAnswer,
    handler: async ({ session, body: { time_zone, ...chosen }, note }, { people, ...deps }) => {
      const person = await people.people.prefer(session.person, { ...chosen, timeZone: time_zone }, note);
      return showWho({ ...session, person }, deps);
    },
  }),
  route('DELETE /v1/session', {
    access: withoutProof(proofChanges, 'takes power away'),
    operationId: 'signOut',
    title: 'Sign out',
    description:
      'Ends the session. If it began with a provider, the response has the address for signing out there.',
    answer: z.object({
      done: out.flag('Always true.', true),
      logout_url: out.maybeText('Address for signing out at the provider; null if it offers none.', null),
    }),
    handler: async ({ session: { id, person, provider }, reply }, { people, signInProviders }) => {
      const idToken = await people.sessions.signOut(person.id, id);
      setSessionCookie(reply, '');
      return { done: true, logout_url: await signInProviders.signIns.logoutUrl(provider?.id, idToken) };
    },
  }),
  route('POST /v1/session/password', {
    access: sendsNothing(provenByBody(ownChanges)),
    operationId: 'changePassword',
    title: 'Change your password',
    description: 'Changes the password. All sessions end; the current one continues with a new cookie.',
    refusals: ['wrong-password', 'bad-password'],
    body: passwordBody,
    handler: async ({ session, body: given, note, request, reply }, { people: { credentials } }) => {
      const origin = originOf(request);
      const token = await credentials.changePassword(session, given, origin, note);
      setSessionCookie(reply, token);
    },
  }),
  route('GET /v1/session/sessions', {
    access: ownReads,
    operationId: 'listSessions',
    title: 'List sessions',
    description: 'Lists your own sessions, last used first.',
    answer: rowsAnswer('sessions', sessionAnswer),
    handler: async ({ session: current }, { people: { sessions } }) => {
      const rows = await sessions.list(current.person.id);
      return { sessions: rows.map((row) => show({ ...row, current: row.id === current.id })) };
    },
  }),
  route('DELETE /v1/session/sessions/:id', {
    access: withoutProof(ownChanges, 'takes power away'),
    operationId: 'endSession',
    title: 'End a session',
    description: 'Ends one session.',
    id: idOf('session'),
    handler: async ({ session, id }, { people: { sessions } }) => {
      if (!(await sessions.end(session.person.id, id))) throw notFound('session');
    },
  }),
  route('DELETE /v1/session/sessions', {
    access: withoutProof(ownChanges, 'takes power away'),
    operationId: 'endOtherSessions',
    title: 'End the other sessions',
    description: 'Ends all sessions except the current one.',
    answer: z.object({ ended: out.count('Number of ended sessions.', 2) }),
    handler: async ({ session: { id, person } }, { people: { sessions } }) => ({
      ended: await sessions.endOthers(person.id, id),
    }),
  }),
];
