import { z } from 'zod';
import type { CoreContext } from '../../core.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { identify } from '../../interfaces/v1/audited.ts';
import { setSessionCookie } from '../../interfaces/v1/caller.ts';
import { field, idOf, notFound, rowsAnswer } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import type { PeopleModule } from '../../people/module.ts';
import { passkeySiteOf } from '../../people/passkey-site.ts';
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
  username: textInput('The user name.', 'dana'),
  password: textInput('The password.', 'correct horse battery'),
  code: code.optional(),
  passkey: assertion.optional(),
});
const signInAnswer = z.object({
  code_wanted: out.flag('The password is right: call again with `code`, or with `passkey`.', false),
  passkey_options: passkeyOptions.nullable().meta({
    description: 'For the browser, of a person with a passkey; `passkey` is what it gives. Else null.',
  }),
  session: whoAnswer
    .nullable()
    .meta({ description: 'The person who is signed in; null while a code is required.' }),
});
const linkToken = textInput(
  'What the link has behind its `#`.',
  'kZt3c0y2v1mK1x5m3w8Yp7aQ4r9sT6uV2bC0dE1fG2h',
);
const linkBody = z.object({ token: linkToken });
const newPassword = textInput('The new password, of 10 to 200 characters.', 'a long walk in the rain');
const resetBody = z.object({ token: linkToken, password: newPassword });
const passwordBody = z.object({ current: password, password: newPassword });
const preferences = z.object({
  name: field(personName.optional(), 'What people call you.', 'Dana Levi'),
  language: language.optional(),
  theme: theme.optional(),
  time_zone: ownZone.optional(),
});
const sessionAnswer = z.object({
  id: out.id('Its id, by which it is ended.', '1774337460000031'),
  current: out.flag('Whether it is the one that asks.', true),
  created_at: out.time('When it began'),
  seen_at: out.time('When it was used last, a minute behind at most'),
  address: out.text('Where it began from.', '192.0.2.7'),
  agent: out.text('What the browser calls itself.', 'Mozilla/5.0'),
});
const show = serializer(sessionAnswer);

interface SessionDeps
  extends Pick<CoreContext, 'accounts' | 'defaultZone' | 'sandbox' | 'pageBase' | 'signInProviders'> {
  readonly people: PeopleModule;
}

const route = resource<SessionDeps>('people');

/** Signing in, and what people do about their own sessions. */
export const sessionRoutes = [
  route('POST /v1/session', {
    operationId: 'signIn',
    title: 'Sign in',
    description:
      'Begins a session, in the cookie `carillon_session`. With a second factor the first answer asks for a code: then call again with it. After some wrong attempts the next ones have to wait, as `Retry-After` says; a browser in which the person has signed in before, told by the cookie `carillon_device`, waits for its own failures alone.',
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
    operationId: 'beginPasskeySignIn',
    title: 'Begin to sign in with a passkey',
    description:
      'What the browser needs to find a passkey of this service. Nothing is said of who has one: the browser asks which is meant.',
    refusals: ['not-now'],
    answer: z.object({ options: passkeyOptions }),
    handler: async (_call, { people: { passkeys }, pageBase }) => ({
      options: { ...(await passkeys.signInOptions(passkeySiteOf(pageBase()))) },
    }),
  }),
  route('POST /v1/session/passkey', {
    operationId: 'signInByPasskey',
    title: 'Sign in with a passkey',
    description:
      'Begins a session. The authenticator has verified its user by a PIN or biometrics, so no other second factor is asked for.',
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
    operationId: 'signInByLink',
    title: 'Sign in with a link',
    description: 'Begins a session by a link that works once, as the start of a sandbox prints it.',
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
    operationId: 'choosePassword',
    title: 'Set a password with a link',
    description:
      'Sets the password of who was given a link, and ends the sessions that there are. Sign in with it then.',
    refusals: ['link-over', 'bad-password'],
    body: resetBody,
    answer: z.object({ username: out.text('Whose password it is.', 'dana') }),
    handler: async ({ body: { token, password: chosen }, request, reply }, { people: { signIns } }) => {
      const { person, device } = await signIns.chooseByLink(token, chosen, originOf(request), (whose) =>
        identify(request, whose),
      );
      setDeviceCookie(reply, device);
      return { username: person.username };
    },
  }),
  route('GET /v1/session', {
    operationId: 'getSession',
    title: 'Show the session',
    description: 'The person of the session, the account and the role.',
    answer: whoAnswer,
    handler: ({ session }, deps) => showWho(session, deps),
  }),
  route('PATCH /v1/session', {
    operationId: 'updateSession',
    title: 'Change preferences',
    description: 'Changes the own name, language, theme or time zone, those that are given.',
    body: preferences,
    answer: whoAnswer,
    handler: async ({ session, body: { time_zone, ...chosen }, note }, { people, ...deps }) => {
      const person = await people.people.prefer(session.person, { ...chosen, timeZone: time_zone }, note);
      return showWho({ ...session, person }, deps);
    },
  }),
  route('DELETE /v1/session', {
    operationId: 'signOut',
    title: 'Sign out',
    description:
      'Ends the session. Of one that began by a provider, the answer says where one signs out there too.',
    answer: z.object({
      done: out.flag('True.', true),
      logout_url: out.maybeText(
        'Where the browser goes to sign out at the provider; null without one that offers it.',
        null,
      ),
    }),
    handler: async ({ session: { id, person, provider }, reply }, { people, signInProviders }) => {
      const idToken = await people.sessions.signOut(person.id, id);
      setSessionCookie(reply, '');
      return { done: true, logout_url: await signInProviders.signIns.logoutUrl(provider?.id, idToken) };
    },
  }),
  route('POST /v1/session/password', {
    operationId: 'changePassword',
    title: 'Change your password',
    description: 'All sessions end; the current one continues with a new cookie.',
    refusals: ['wrong-password', 'bad-password'],
    body: passwordBody,
    handler: async ({ session, body: given, note, request, reply }, { people: { credentials } }) => {
      const origin = originOf(request);
      const token = await credentials.changePassword(session, given, origin, note);
      setSessionCookie(reply, token);
    },
  }),
  route('GET /v1/session/sessions', {
    operationId: 'listSessions',
    title: 'List sessions',
    description: 'The own sessions, the last used first.',
    answer: rowsAnswer('sessions', sessionAnswer),
    handler: async ({ session: current }, { people: { sessions } }) => {
      const rows = await sessions.list(current.person.id);
      return { sessions: rows.map((row) => show({ ...row, current: row.id === current.id })) };
    },
  }),
  route('DELETE /v1/session/sessions/:id', {
    operationId: 'endSession',
    title: 'End a session',
    description: 'Signs out there.',
    id: idOf('session'),
    handler: async ({ session, id }, { people: { sessions } }) => {
      if (!(await sessions.end(session.person.id, id))) throw notFound('session');
    },
  }),
  route('DELETE /v1/session/sessions', {
    operationId: 'endOtherSessions',
    title: 'End the other sessions',
    description: 'Signs out everywhere but here.',
    answer: z.object({ ended: out.count('How many there were.', 2) }),
    handler: async ({ session: { id, person } }, { people: { sessions } }) => ({
      ended: await sessions.endOthers(person.id, id),
    }),
  }),
];
