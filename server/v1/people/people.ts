import { z } from 'zod';
import { accountRoles, type PersonRole, roles } from '../../access/roles.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { field, flag, found, idOf, oneOf, rowsAnswer, text } from '../../interfaces/v1/kit/fields.ts';
import { type Route, resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import type { NewPerson, People, PersonChange } from '../../people/people.ts';
import { languages, type Person } from '../../people/person.ts';
import { language, personName } from './session-fields.ts';

const personFields = {
  id: out.id('The id of the person.', '1774337460000021'),
  username: out.text('The user name.', 'dana'),
  name: out.text('What people call the person.', 'Dana Levi'),
  role: out.oneOf(roles, 'What the person may do.', 'sender'),
  language: out.maybeOneOf(languages, 'null: as the browser has it.', 'he'),
  second_factor: out.flag('Whether signing in asks for a code.', false),
  has_password: out.flag('Whether a password was chosen yet.', true),
  has_provider: out.flag('Whether the person signs in by a sign-in provider, and by nothing else.', false),
  suspended: out.flag('Whether the person may not sign in.', false),
  created_at: out.time('When the person was added'),
};
const personAnswer = z.object(personFields);
const linkFields = {
  token: out.text(
    'For the link `/password#<token>` of the console, shown this once: the person chooses a password there.',
    'kZt3c0y2v1mK1x5m3w8Yp7aQ4r9sT6uV2bC0dE1fG2h',
  ),
  expires_at: out.time('Until when the link can be used, once'),
};
const linkAnswer = z.object(linkFields);
const show = serializer(personAnswer, ({ providerId }: Person) => ({ has_provider: providerId !== null }));
const showLink = serializer(linkAnswer);
const addedAnswer = z.object({ person: personAnswer, link: linkAnswer });

const username = field(
  text.regex(/^[\w.@-]{2,50}$/, 'must have 2 to 50 English letters, digits or . _ @ -'),
  'What the person signs in with; nobody else may have it.',
  'dana',
);
const name = field(personName, 'What people call the person.', 'Dana Levi');
const role = field(oneOf(accountRoles), 'What the person may do.', 'sender');
const suspended = field(flag, '`true` ends their sessions and refuses their sign-ins.', true);
const resetBody = z.object({
  second_factor: field(
    flag.default(false),
    'Whether using the link takes the second factor away too, for who lost the phone.',
    false,
  ),
});
const added = { username, name, language: language.optional() };
const changed = { name: name.optional(), suspended: suspended.optional() };

interface PeopleDeps {
  readonly people: People;
}

const route = resource<PeopleDeps>('people');

interface Team {
  readonly path: string;
  /** What the names of its operations end in. */
  readonly id: string;
  readonly whose: string;
  readonly needs: 'owner' | 'operator';
  /** null: the operator's people. */
  readonly accountId: (call: { readonly accountId: number }) => number | null;
  readonly newPerson: z.ZodObject & z.ZodType<Omit<NewPerson, 'accountId' | 'role'> & { role?: PersonRole }>;
  readonly change: z.ZodObject & z.ZodType<PersonChange>;
}

function routesOf({ path, id, whose, needs, accountId, newPerson, change }: Team): Route<PeopleDeps>[] {
  return [
    route(`GET /v1${path}`, {
      operationId: `list${id}s`,
      title: `List people ${whose}`,
      description: 'Everybody, in the order in which they were added.',
      answer: rowsAnswer('people', personAnswer),
      handler: async (call, { people }) => ({ people: (await people.list(accountId(call))).map(show) }),
    }),
    route(`POST /v1${path}`, {
      operationId: `add${id}`,
      title: `Add a person ${whose}`,
      description: 'The answer has a link that is to be given to the person, who chooses a password by it.',
      refusals: ['username-taken', 'not-now'],
      body: newPerson,
      answer: addedAnswer,
      handler: async (call, { people }) => {
        const wanted = { role: 'operator' as const, ...call.body, accountId: accountId(call) };
        const { person, link } = await people.add(wanted, call.note);
        return { person: show(person), link: showLink(link!) };
      },
    }),
    route(`PATCH /v1${path}/:id`, {
      operationId: `change${id}`,
      title: `Change a person ${whose}`,
      description: `What is given is changed. At least one person must stay ${needs}.`,
      refusals: ['not-now'],
      id: idOf('person'),
      body: change,
      answer: personAnswer,
      handler: async (call, { people }) =>
        show(found(await people.change(accountId(call), call.id, call.body, call.note), 'person')),
    }),
    route(`POST /v1${path}/:id/reset`, {
      operationId: `reset${id}`,
      title: `Reset the password of a person ${whose}`,
      description:
        'A link that is to be given to the person, who chooses a new password by it. Until then the old one is good. Whoever signs in by a provider does so no more once it is used.',
      refusals: ['not-now'],
      id: idOf('person'),
      body: resetBody,
      isBodyOptional: true,
      answer: linkAnswer,
      handler: async (call, { people }) => {
        const { second_factor: secondFactor } = call.body;
        return showLink(
          found(await people.reset(accountId(call), call.id, { secondFactor }, call.note), 'person'),
        );
      },
    }),
  ];
}

/** People who use the console: those of an account, for its owners, and those of the operator, for operators. */
export const peopleRoutes = [
  ...routesOf({
    path: '/people',
    id: 'Person',
    whose: 'of the account',
    needs: 'owner',
    accountId: (call) => call.accountId,
    newPerson: z.object({ ...added, role }),
    change: z.object({ ...changed, role: role.optional() }),
  }),
  ...routesOf({
    path: '/operator/people',
    id: 'Operator',
    whose: 'of the operator',
    needs: 'operator',
    accountId: () => null,
    newPerson: z.object(added),
    change: z.object(changed),
  }),
];
