import { z } from 'zod';
import { accountRoles, type PersonRole, roles } from '../../../api/access/roles.ts';
import {
  changes,
  operatorChanges,
  operatorReads,
  proven,
  reads,
  type SignedRule,
  sendsNothing,
} from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, flag, found, idOf, oneOf, rowsAnswer, text } from '../../../api/v1/kit/fields.ts';
import { type Route, resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { Invitations } from '../../invitations/invitations.ts';
import type { NewPerson, People, PersonChange } from '../people.ts';
import { languages, type Person } from '../person.ts';
import { language, personName } from './session-fields.ts';

const personFields = {
  id: out.id('Id of the person.', '1774337460000021'),
  username: out.text('User name.', 'dana'),
  name: out.text('Name of the person.', 'Dana Levi'),
  role: out.oneOf(roles, 'Role of the person.', 'sender'),
  language: out.maybeOneOf(languages, 'Language of the console; null: the language of the browser.', 'he'),
  second_factor: out.flag('Whether sign-in requires a code.', false),
  has_password: out.flag('Whether the person has a password.', true),
  has_provider: out.flag('Whether the person signs in only with a sign-in provider.', false),
  suspended: out.flag('Whether the person is suspended.', false),
  created_at: out.time('Time of creation'),
};
const personAnswer = z.object(personFields);
const linkFields = {
  token: out.text(
    'Token for the link `/password#<token>` of the console, shown once: the person chooses a password there.',
    'kZt3c0y2v1mK1x5m3w8Yp7aQ4r9sT6uV2bC0dE1fG2h',
  ),
  expires_at: out.time('Expiry of the link, which works once'),
};
const linkAnswer = z.object({
  ...linkFields,
  mailed_to: out.maybeText(
    'Address to which the link was mailed: the user name, if it is an email address and a mail relay is configured. null: not mailed.',
    'dana@example.com',
  ),
});
const show = serializer(personAnswer, ({ providerId }: Person) => ({ has_provider: providerId !== null }));
const showLink = serializer(linkAnswer);
const addedAnswer = z.object({ person: personAnswer, link: linkAnswer });

const username = field(
  text.regex(/^[\w.@-]{2,50}$/, 'must have 2 to 50 English letters, digits or . _ @ -'),
  'User name for sign-in, unique.',
  'dana',
);
const name = field(personName, 'Name of the person.', 'Dana Levi');
const role = field(oneOf(accountRoles), 'Role of the person.', 'sender');
const suspended = field(flag, '`true` ends the sessions of the person and refuses their sign-ins.', true);
const resetBody = z.object({
  second_factor: field(
    flag.default(false),
    'Whether using the link also removes the second factor, for people who lost their phone.',
    false,
  ),
});
const added = { username, name, language: language.optional() };
const changed = { name: name.optional(), suspended: suspended.optional() };

interface PeopleDeps {
  readonly people: People;
  readonly invitations: Pick<Invitations, 'mail'>;
}

const route = resource<PeopleDeps>('people');

interface Team {
  readonly path: string;
  /** End of the operation ids. */
  readonly id: string;
  readonly whose: string;
  readonly rules: { readonly reads: SignedRule; readonly changes: SignedRule };
  readonly needs: 'owner' | 'operator';
  /** null: the operator's people. */
  readonly accountId: (call: { readonly accountId: number }) => number | null;
  readonly newPerson: z.ZodObject & z.ZodType<Omit<NewPerson, 'accountId' | 'role'> & { role?: PersonRole }>;
  readonly change: z.ZodObject & z.ZodType<PersonChange>;
}

function routesOf({
  path,
  id,
  whose,
  rules,
  needs,
  accountId,
  newPerson,
  change,
}: Team): Route<PeopleDeps>[] {
  return [
    route(`GET /v1${path}`, {
      access: rules.reads,
      operationId: `list${id}s`,
      title: `List people ${whose}`,
      description: 'Lists all people, in the order of creation.',
      answer: rowsAnswer('people', personAnswer),
      handler: async (call, { people }) => ({ people: (await people.list(accountId(call))).map(show) }),
    }),
    route(`POST /v1${path}`, {
      access: sendsNothing(proven(rules.changes)),
      operationId: `add${id}`,
      title: `Add a person ${whose}`,
      description:
        'Adds a person. The response has a link for the person to choose a password, which is also mailed to a user name that is an email address.',
      refusals: ['username-taken', 'not-now'],
      body: newPerson,
      answer: addedAnswer,
      handler: async (call, { people, invitations }) => {
        const wanted = { role: 'operator' as const, ...call.body, accountId: accountId(call) };
        const { person, link } = await people.add(wanted, call.note);
        const mailed = await invitations.mail(person, link!, 'invited');
        return { person: show(person), link: showLink({ ...link!, mailed_to: mailed }) };
      },
    }),
    route(`PATCH /v1${path}/:id`, {
      access: proven(rules.changes),
      operationId: `change${id}`,
      title: `Change a person ${whose}`,
      description: `Updates the given fields. At least one person must remain ${needs}.`,
      refusals: ['not-now'],
      id: idOf('person'),
      body: change,
      answer: personAnswer,
      handler: async (call, { people }) =>
        show(found(await people.change(accountId(call), call.id, call.body, call.note), 'person')),
    }),
    route(`POST /v1${path}/:id/reset`, {
      access: sendsNothing(proven(rules.changes)),
      operationId: `reset${id}`,
      title: `Reset the password of a person ${whose}`,
      description:
        'Creates a link for the person to choose a new password, and mails it to a user name that is an email address. The old password is valid until then. A person who signs in with a provider uses only the password after that.',
      refusals: ['not-now'],
      id: idOf('person'),
      body: resetBody,
      isBodyOptional: true,
      answer: linkAnswer,
      handler: async (call, { people, invitations }) => {
        const { second_factor: secondFactor } = call.body;
        const of = accountId(call);
        const link = found(await people.reset(of, call.id, { secondFactor }, call.note), 'person');
        const person = await people.find(of, call.id);
        return showLink({
          ...link,
          mailed_to: person ? await invitations.mail(person, link, 'reset') : null,
        });
      },
    }),
  ];
}

/** People who use the console: those of an account, for its owners, and those of the operator, for operators. */
export const peopleRoutes = [
  ...routesOf({
    path: '/people',
    rules: { reads: reads('owner'), changes: changes('owner') },
    id: 'Person',
    whose: 'of the account',
    needs: 'owner',
    accountId: (call) => call.accountId,
    newPerson: z.object({ ...added, role }),
    change: z.object({ ...changed, role: role.optional() }),
  }),
  ...routesOf({
    path: '/operator/people',
    rules: { reads: operatorReads, changes: operatorChanges },
    id: 'Operator',
    whose: 'of the operator',
    needs: 'operator',
    accountId: () => null,
    newPerson: z.object(added),
    change: z.object(changed),
  }),
];
