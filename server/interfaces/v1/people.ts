import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { OneTimeLink } from '../../people/links.ts';
import type { NewPerson, People, PersonChange } from '../../people/people.ts';
import { languages, type Person } from '../../people/person.ts';
import { accountRoles, type PersonRole, roles } from '../../people/roles.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { noteOf } from './audited.ts';
import { pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { iso, isoTime } from './fields.ts';
import { withBody } from './json-body.ts';
import { language, personName } from './session-fields.ts';

const chapter = 'people';

const personFields = {
  id: answered(z.string(), 'The id of the person.', '1774337460000021'),
  username: answered(z.string(), 'The user name.', 'dana'),
  name: answered(z.string(), 'What people call the person.', 'Dana Levi'),
  role: answered(z.enum(roles), 'What the person may do.', 'sender'),
  language: answered(z.enum(languages).nullable(), 'null: as the browser has it.', 'he'),
  second_factor: answered(z.boolean(), 'Whether signing in asks for a code.', false),
  has_password: answered(z.boolean(), 'Whether a password was chosen yet.', true),
  suspended: answered(z.boolean(), 'Whether the person is kept from signing in.', false),
  created_at: isoTime('When the person was added'),
};
const personAnswer = z.object(personFields);
const listAnswer = z.object({ people: z.array(personAnswer) });
const linkFields = {
  token: answered(
    z.string(),
    'For the link `/password#<token>` of the console, shown this once: the person chooses a password there.',
    'kZt3c0y2v1mK1x5m3w8Yp7aQ4r9sT6uV2bC0dE1fG2h',
  ),
  expires_at: isoTime('Until when the link can be used, once'),
};
const linkAnswer = z.object(linkFields);
const addedAnswer = z.object({ person: personAnswer, link: linkAnswer });

const username = z
  .string('must be a text')
  .regex(/^[\w.@-]{2,50}$/, 'must have 2 to 50 English letters, digits or . _ @ -')
  .meta({ description: 'What the person signs in with; nobody else may have it.', examples: ['dana'] });
const name = personName.meta({ description: 'What people call the person.', examples: ['Dana Levi'] });
const role = z
  .enum(accountRoles, `must be one of ${accountRoles.join(', ')}`)
  .meta({ description: 'What the person may do.', examples: ['sender'] });
const suspended = z
  .boolean('must be true or false')
  .meta({ description: 'true signs the person out and keeps him from signing in.', examples: [true] });
const resetBody = z.object({
  second_factor: z
    .boolean('must be true or false')
    .default(false)
    .meta({
      description: 'Whether using the link takes the second factor away too, for who lost the phone.',
      examples: [false],
    }),
});
const added = { username, name, language: language.optional() };
const changed = { name: name.optional(), suspended: suspended.optional() };

type WithId = { Params: { id: string } };

/**
 * People who use the console, under /v1, a part of the door: those of an account, for its owners, under `/people`; those
 * of the operator, for operators, under `/operator/people`.
 * - `GET`: all of them
 * - `POST`: adds one; the answer has the link by which a password is chosen
 * - `PATCH /:id`: name, role, suspension
 * - `POST /:id/reset`: a link for a new password
 */
export function peoplePart({ people }: { readonly people: People }): V1Part {
  return (app, accountOf) => {
    const accountId = (request: FastifyRequest) => accountOf(request).id;
    team(app, people, {
      path: '/people',
      id: 'Person',
      whose: 'of the account',
      needs: 'owner',
      accountId,
      newPerson: z.object({ ...added, role }),
      change: z.object({ ...changed, role: role.optional() }),
    });
    team(app, people, {
      path: '/operator/people',
      id: 'Operator',
      whose: 'of the operator',
      needs: 'operator',
      accountId: () => null,
      newPerson: z.object(added),
      change: z.object(changed),
    });
  };
}

interface Team {
  readonly path: string;
  /** What the names of its operations end in. */
  readonly id: string;
  readonly whose: string;
  readonly needs: 'owner' | 'operator';
  readonly accountId: (request: FastifyRequest) => number | null;
  readonly newPerson: z.ZodObject & z.ZodType<Omit<NewPerson, 'accountId' | 'role'> & { role?: PersonRole }>;
  readonly change: z.ZodObject & z.ZodType<PersonChange>;
}

function team(app: FastifyInstance, people: People, options: Team): void {
  const { path, id, whose, needs, accountId, newPerson, change } = options;
  const common = { chapter } as const;
  const pathIdOf = 'The id of the person.';

  app.get(
    path,
    described({
      ...common,
      id: `list${id}s`,
      title: `People ${whose}`,
      description: 'Everybody, in the order in which they were added.',
      answer: listAnswer,
    }),
    async (request) => ({ people: (await people.list(accountId(request))).map(show) }),
  );

  app.post(
    path,
    withBody(
      described({
        ...common,
        id: `add${id}`,
        title: `Add one of the people ${whose}`,
        description: 'The answer has a link that is to be given to the person, who chooses a password by it.',
        answer: addedAnswer,
        refusals: ['username-taken', 'not-now'],
      }),
      newPerson,
    ),
    async (request) => {
      const wanted = read(newPerson, request.body);
      const { person, link } = await people.add(
        { role: 'operator', ...wanted, accountId: accountId(request) },
        noteOf(request),
      );
      return { person: show(person), link: showLink(link!) };
    },
  );

  app.patch<WithId>(
    `${path}/:id`,
    withBody(
      described({
        ...common,
        id: `change${id}`,
        title: `Change one of the people ${whose}`,
        description: `What is given is changed. Somebody has to stay ${needs}.`,
        pathId: pathIdOf,
        answer: personAnswer,
        refusals: ['not-found', 'not-now'],
      }),
      change,
    ),
    async (request) => {
      const personId = pathId(request.params.id, 'person');
      const wanted = read(change, request.body);
      const person = await people.change(accountId(request), personId, wanted, noteOf(request));
      if (!person) throw new NotFound('no such person');
      return show(person);
    },
  );

  app.post<WithId>(
    `${path}/:id/reset`,
    withBody(
      described({
        ...common,
        id: `reset${id}`,
        title: `A new password for one of the people ${whose}`,
        description:
          'A link that is to be given to the person, who chooses a new password by it. Until then the old one is good.',
        pathId: pathIdOf,
        answer: linkAnswer,
        refusals: ['not-found', 'not-now'],
      }),
      resetBody,
    ),
    async (request) => {
      const personId = pathId(request.params.id, 'person');
      const { second_factor: secondFactor } = read(resetBody, request.body ?? {});
      const link = await people.reset(accountId(request), personId, { secondFactor }, noteOf(request));
      if (!link) throw new NotFound('no such person');
      return showLink(link);
    },
  );
}

function show(person: Person): z.output<typeof personAnswer> {
  return {
    id: String(person.id),
    username: person.username,
    name: person.name,
    role: person.role,
    language: person.language,
    second_factor: person.secondFactor,
    has_password: person.hasPassword,
    suspended: person.suspended,
    created_at: iso(person.createdAt),
  };
}

function showLink({ token, expiresAt }: OneTimeLink): z.output<typeof linkAnswer> {
  return { token, expires_at: iso(expiresAt) };
}
