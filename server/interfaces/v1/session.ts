import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import { Refusal } from '../../errors.ts';
import type { PeopleRoom } from '../../people/room.ts';
import type { SignedInPerson } from '../../people/sign-in.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { addDetails, identify, noteOf } from './audited.ts';
import { sessionToken, setSessionCookie } from './caller.ts';
import { setDeviceCookie } from './device-cookie.ts';
import { pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { done, doneAnswer, iso, isoTime } from './fields.ts';
import { withBody } from './json-body.ts';
import {
  code,
  language,
  originOf,
  password,
  personName,
  showWho,
  text,
  theme,
  whoAnswer,
} from './session-fields.ts';

const chapter = 'people';

const signInBody = z.object({
  username: text('The user name.', 'dana'),
  password: text('The password.', 'correct horse battery'),
  code: code.optional(),
});
const signInAnswer = z.object({
  code_wanted: answered(z.boolean(), 'The password is right: call again with `code`.', false),
  session: whoAnswer.nullable().meta({ description: 'Who is signed in now; null when a code is wanted.' }),
});
const linkToken = text('What the link has behind its `#`.', 'kZt3c0y2v1mK1x5m3w8Yp7aQ4r9sT6uV2bC0dE1fG2h');
const linkBody = z.object({ token: linkToken });
const newPassword = text('The new password, of 10 to 200 characters.', 'a long walk in the rain');
const resetBody = z.object({ token: linkToken, password: newPassword });
const passwordBody = z.object({ current: password, password: newPassword });
const preferences = z.object({
  name: personName.optional().meta({ description: 'What people call you.', examples: ['Dana Levi'] }),
  language: language.optional(),
  theme: theme.optional(),
});
const sessionsAnswer = z.object({
  sessions: z.array(
    z.object({
      id: answered(z.string(), 'Its id, by which it is ended.', '1774337460000031'),
      current: answered(z.boolean(), 'Whether it is the one that asks.', true),
      created_at: isoTime('When it began'),
      seen_at: isoTime('When it was used last, a minute behind at most'),
      address: answered(z.string(), 'Where it began from.', '192.0.2.7'),
      agent: answered(z.string(), 'What the browser calls itself.', 'Mozilla/5.0'),
    }),
  ),
});

export interface SessionParts {
  readonly people: PeopleRoom;
  readonly accounts: Accounts;
}

/**
 * Signing in, and what people do about their own sessions, under /v1, a part of the door:
 * - `POST /session`, `/session/link`, `/session/password-link`: without being signed in
 * - `GET`, `PATCH`, `DELETE /session`: who it is, preferences, signing out
 * - `POST /session/password`: a new password
 * - `GET`, `DELETE /session/sessions`, `DELETE /session/sessions/:id`: where one is signed in
 */
export function sessionPart({ people, accounts }: SessionParts): V1Part {
  const { signIns, sessions } = people;

  async function begin(
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
    return showWho(session, accounts);
  }

  return (app, _accountOf, callerOf) => {
    const sessionOf = (request: FastifyRequest) => callerOf(request).session!;

    app.post(
      '/session',
      withBody(
        described({
          chapter,
          id: 'signIn',
          title: 'Sign in',
          description:
            'Begins a session, in the cookie `carillon_session`. With a second factor the first answer asks for a code: then call again with it. After some wrong attempts the next ones have to wait, as `Retry-After` says; a browser in which the person has signed in before, told by the cookie `carillon_device`, waits for its own failures alone.',
          answer: signInAnswer,
          refusals: ['signed-out', 'wrong-code'],
        }),
        signInBody,
      ),
      async (request, reply): Promise<z.output<typeof signInAnswer>> => {
        const { username, password: given, code: second } = read(signInBody, request.body);
        const signedIn = await signIns.byPassword(
          { username, password: given, code: second },
          originOf(request),
          (person) => identify(request, person),
        );
        if (signedIn) return { code_wanted: false, session: await begin(request, reply, signedIn) };
        addDetails(request, { after: { second_factor_wanted: true } });
        return { code_wanted: true, session: null };
      },
    );

    app.post(
      '/session/link',
      withBody(
        described({
          chapter,
          id: 'signInByLink',
          title: 'Sign in by a link',
          description: 'Begins a session by a link that works once, as the start of a sandbox prints it.',
          answer: whoAnswer,
          refusals: ['link-over'],
        }),
        linkBody,
      ),
      async (request, reply) => {
        const { token } = read(linkBody, request.body);
        const signedIn = await signIns.byLink(token, originOf(request), (person) =>
          identify(request, person),
        );
        return begin(request, reply, signedIn);
      },
    );

    app.post(
      '/session/password-link',
      withBody(
        described({
          chapter,
          id: 'choosePassword',
          title: 'Choose a password by a link',
          description:
            'Sets the password of who was given a link, and ends the sessions that there are. Sign in with it then.',
          answer: z.object({ username: answered(z.string(), 'Whose password it is.', 'dana') }),
          refusals: ['link-over', 'bad-password'],
        }),
        resetBody,
      ),
      async (request, reply) => {
        const { token, password: chosen } = read(resetBody, request.body);
        const { person, device } = await signIns.chooseByLink(token, chosen, originOf(request), (whose) =>
          identify(request, whose),
        );
        setDeviceCookie(reply, device);
        return { username: person.username };
      },
    );

    app.get(
      '/session',
      described({
        chapter,
        id: 'getSession',
        title: 'Who is signed in',
        description: 'The person of the session, the account and the role.',
        answer: whoAnswer,
      }),
      (request) => showWho(sessionOf(request), accounts),
    );

    app.patch(
      '/session',
      withBody(
        described({
          chapter,
          id: 'updateSession',
          title: 'Preferences',
          description: 'Changes the own name, language or theme, those that are given.',
          answer: whoAnswer,
        }),
        preferences,
      ),
      async (request) => {
        const session = sessionOf(request);
        const chosen = read(preferences, request.body);
        const person = await people.people.prefer(session.person, chosen, noteOf(request));
        return showWho({ ...session, person }, accounts);
      },
    );

    app.delete(
      '/session',
      described({
        chapter,
        id: 'signOut',
        title: 'Sign out',
        description: 'Ends the session.',
        answer: doneAnswer,
      }),
      async (request, reply) => {
        const { id, person } = sessionOf(request);
        await sessions.end(person.id, id);
        setSessionCookie(reply, '');
        return done;
      },
    );

    app.post(
      '/session/password',
      withBody(
        described({
          chapter,
          id: 'changePassword',
          title: 'Change the own password',
          description: 'All sessions end; the one that asks goes on under a new cookie.',
          answer: doneAnswer,
          refusals: ['wrong-password', 'bad-password'],
        }),
        passwordBody,
      ),
      async (request, reply) => {
        const given = read(passwordBody, request.body);
        const origin = originOf(request);
        const token = await signIns.changePassword(sessionOf(request), given, origin, noteOf(request));
        setSessionCookie(reply, token);
        return done;
      },
    );

    app.get(
      '/session/sessions',
      described({
        chapter,
        id: 'listSessions',
        title: 'Where one is signed in',
        description: 'The own sessions, the last used first.',
        answer: sessionsAnswer,
      }),
      async (request): Promise<z.output<typeof sessionsAnswer>> => {
        const current = sessionOf(request);
        const rows = await sessions.list(current.person.id);
        return {
          sessions: rows.map(({ id, createdAt, seenAt, address, agent }) => ({
            id: String(id),
            current: id === current.id,
            created_at: iso(createdAt),
            seen_at: iso(seenAt),
            address,
            agent,
          })),
        };
      },
    );

    app.delete<{ Params: { id: string } }>(
      '/session/sessions/:id',
      described({
        chapter,
        id: 'endSession',
        title: 'End a session',
        description: 'Signs out there.',
        pathId: 'The id of the session.',
        answer: doneAnswer,
        refusals: ['not-found'],
      }),
      async (request) => {
        const id = pathId(request.params.id, 'session');
        if (!(await sessions.end(sessionOf(request).person.id, id))) throw new NotFound('no such session');
        return done;
      },
    );

    app.delete(
      '/session/sessions',
      described({
        chapter,
        id: 'endOtherSessions',
        title: 'End the other sessions',
        description: 'Signs out everywhere but here.',
        answer: z.object({ ended: answered(z.int(), 'How many there were.', 2) }),
      }),
      async (request) => {
        const { id, person } = sessionOf(request);
        return { ended: await sessions.endOthers(person.id, id) };
      },
    );
  };
}
