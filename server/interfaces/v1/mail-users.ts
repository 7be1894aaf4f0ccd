import { z } from 'zod';
import type { GivenUser, MailAdditions } from '../../channels/mail/additions.ts';
import { readMailAddress } from '../../channels/mail/addresses.ts';
import {
  FIELDS_MOST,
  isOneLine,
  KEY_MOST,
  NAME_MOST,
  PHONE_MOST,
  VALUE_MOST,
} from '../../channels/mail/given.ts';
import type { MailLists } from '../../channels/mail/lists.ts';
import { userStatuses } from '../../channels/mail/statuses.ts';
import type { MailField, MailUser, MailUsers } from '../../channels/mail/users.ts';
import { Refusal } from '../../errors.ts';
import { longArray } from '../bodies/long-list.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import { pageLimit, pathId, read, readLong, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { withBody } from './json-body.ts';
import { pathOfMailList } from './mail-lists.ts';

const PAGE_MOST = 1_000;
const USERS_MOST = 10_000;
const BODY_MOST = 20 * 1024 * 1024;

const kinds = ['all', 'deleted', 'unsubscribed', 'wrong', 'active'] as const;
const page = z.object({
  after: z
    .string()
    .regex(/^\d{0,15}$/, 'must be what `next` of the page before says')
    .default('')
    .transform(Number)
    .describe('`next` of the page before.'),
  limit: pageLimit(PAGE_MOST).describe('Users of a page.'),
  search: z
    .string()
    .max(NAME_MOST, `over ${NAME_MOST} characters`)
    .default('')
    .transform((text) => text.trim().normalize('NFC').toLowerCase())
    .describe('What the address begins with, without regard to case.'),
  kind: z
    .enum(kinds, 'must be all, deleted, unsubscribed, wrong or active')
    .default('all')
    .describe('Which users.'),
});
const search = z.object({
  email: z
    .string('missing')
    .refine((text) => readMailAddress(text) !== undefined, 'not an e-mail address')
    .meta({ description: 'The address.', examples: ['dana@example.com'] }),
});

const line = (most: number) =>
  z
    .string('must be a text')
    .trim()
    .max(most, `over ${most} characters`)
    .refine(isOneLine, 'must be one line');
const fields = z
  .record(line(KEY_MOST).min(1, 'a name is missing'), line(VALUE_MOST))
  .refine((given) => Object.keys(given).length <= FIELDS_MOST, `more than ${FIELDS_MOST} fields`)
  .optional();
const newUser = z.object({
  email: z.string('missing').meta({ description: 'The address.', examples: ['dana@example.com'] }),
  first_name: line(NAME_MOST)
    .optional()
    .meta({ description: 'First name.', examples: ['Dana'] }),
  last_name: line(NAME_MOST)
    .optional()
    .meta({ description: 'Last name.', examples: ['Cohen'] }),
  cellphone: line(PHONE_MOST)
    .optional()
    .meta({ description: 'Phone.', examples: ['0501234567'] }),
  fields: fields.meta({ description: 'Fields by their names; others stay.', examples: [{ city: 'Haifa' }] }),
  undelete: z
    .boolean('must be true or false')
    .optional()
    .meta({ description: 'Has him back, whatever he was.', examples: [false] }),
});
const newUsers = z.object({
  users: longArray(
    z.array(newUser, 'must be a list').min(1, 'missing').max(USERS_MOST, `more than ${USERS_MOST} entries`),
  ).meta({
    description: 'Whom to add.',
  }),
});
const statusBody = z.object({
  status: z
    .enum(['active', 'deleted', 'removed'], 'must be active, deleted or removed')
    .meta({ description: '`active` has him back, whatever he was.', examples: ['deleted'] }),
});

const userFields = {
  id: answered(z.string(), 'His id, `UserID` in the mailing-list API.', '1001'),
  email: answered(z.string(), 'The address, as it was given first.', 'dana@example.com'),
  first_name: answered(z.string(), 'May be empty.', 'Dana'),
  last_name: answered(z.string(), 'May be empty.', 'Cohen'),
  cellphone: answered(z.string(), 'May be empty.', '0501234567'),
  fields: answered(z.record(z.string(), z.string()), 'Fields for the mails to him.', { city: 'Haifa' }),
  system_fields: answered(z.record(z.string(), z.string()), 'Further fields.', {}),
  status: answered(z.enum(userStatuses), 'Who is not active gets no mails.', 'active'),
  status_by: answered(
    z.string(),
    'What changed the status last: `page`, `one-click`, `confirmation`, `complaint`, `bounce`, `account`; empty: nothing has.',
    '',
  ),
  status_reason: answered(z.string(), 'What the mail server said, or the like; may be empty.', ''),
  status_at: answered(z.string().nullable(), 'When, ISO 8601.', null),
  heard: answered(z.boolean(), 'Whether a mail is known to have reached him, or he made a choice.', true),
  created_at: answered(z.string(), 'ISO 8601.', '2026-03-24T07:31:00.000Z'),
};
const memberAnswer = z.object({
  ...userFields,
  waiting: answered(z.boolean(), 'He has not confirmed yet that he wants to be in the list.', false),
});
const userAnswer = z.object({
  ...userFields,
  lists: z
    .array(
      z.object({
        id: answered(z.string(), 'The id of the list.', '17'),
        waiting: answered(z.boolean(), 'He has not confirmed it yet.', false),
      }),
    )
    .describe('The lists that he is in.'),
});
const pathOfUser = 'The id of the user.';

type WithId = { Params: { id: string } };

/**
 * Users of mailing lists under /v1, a part of the door:
 * - `GET /mail/lists/:id/users?kind=&search=&after=&limit=`: the users of a list
 * - `POST /mail/lists/:id/users`: adds users
 * - `GET /mail/users?email=`, `GET /mail/users/:id`: one of them, with his lists
 * - `POST /mail/users/:id/status`: deletes him, has him back, notes that he asked for removal
 */
export function mailUsersPart(parts: {
  readonly lists: MailLists;
  readonly users: MailUsers;
  readonly additions: MailAdditions;
}): V1Part {
  const { lists, users, additions } = parts;

  async function withLists(accountId: number, user: MailUser | undefined) {
    if (!user) throw new NotFound('no such user');
    const found = await users.listsOf(accountId, user.id);
    return {
      ...show(user),
      lists: found.map(({ id, pending }) => ({ id: String(id), waiting: pending })),
    } satisfies z.output<typeof userAnswer>;
  }

  return (app, accountOf, _callerOf, once) => {
    app.post<WithId>(
      '/mail/lists/:id/users',
      {
        bodyLimit: BODY_MOST,
        ...withBody(
          described({
            chapter: 'mail',
            id: 'addMailUsers',
            title: 'Add users to a mailing list',
            description:
              'All or nothing. Of a user who is known only what is given changes. Who removed himself, was deleted, or has a wrong address stays that without `undelete`.',
            pathId: pathOfMailList,
            answer: z.object({
              ids: answered(z.array(z.string()), 'Their ids, in the order of the request.', ['1001']),
            }),
            refusals: ['not-found', 'unknown-list', 'too-large'],
          }),
          newUsers,
        ),
      },
      async (request, reply) => {
        const id = pathId(request.params.id, 'mailing list');
        const content = await readLong(newUsers, request.body);
        const { id: accountId } = accountOf(request);
        const show = (ids: readonly number[]) => ({ ids: ids.map(String) });
        return once(request, reply, { accountId, content }, async (use) => {
          const given = content.users.map(toGiven);
          return show(await additions.add(accountId, [id], given, use?.answering(show)));
        });
      },
    );

    app.post<WithId>(
      '/mail/users/:id/status',
      withBody(
        described({
          chapter: 'mail',
          id: 'changeMailUser',
          title: 'Delete a user, or have him back',
          description:
            'In all his lists. `removed`: he asked for it elsewhere. Who asked for removal stays that when he is deleted; only `active` ends it.',
          pathId: pathOfUser,
          answer: userAnswer,
          refusals: ['not-found'],
        }),
        statusBody,
      ),
      async (request) => {
        const { id: accountId } = accountOf(request);
        const id = pathId(request.params.id, 'user');
        const { status } = read(statusBody, request.body);
        await users.setStatus(accountId, [id], status, { cause: 'account' });
        return withLists(accountId, await users.find(accountId, id));
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);

      bodiless.get<WithId>(
        '/mail/lists/:id/users',
        described({
          chapter: 'mail',
          id: 'listMailUsers',
          title: 'Users of a mailing list',
          description: 'In the order of their ids. `all` has those who have not confirmed yet, too.',
          pathId: pathOfMailList,
          query: page,
          answer: z.object({
            users: z.array(memberAnswer),
            next: answered(
              z.string().nullable(),
              '`after` of the following page; null on the last one.',
              null,
            ),
          }),
          refusals: ['not-found', 'unknown-list'],
        }),
        async (request) => {
          const { after, limit, kind, search: prefix } = read(page, request.query);
          const { id: accountId } = accountOf(request);
          const { id } = await lists.get(accountId, pathId(request.params.id, 'mailing list'));
          // One more than is shown: whether there is a following page.
          const found = await users.members(accountId, id, kind, after, limit + 1, undefined, prefix);
          const shown = found.slice(0, limit);
          return {
            users: shown.map((member) => ({ ...show(member), waiting: member.pending })),
            next: found.length > limit ? String(shown.at(-1)!.id) : null,
          };
        },
      );

      bodiless.get(
        '/mail/users',
        described({
          chapter: 'mail',
          id: 'findMailUser',
          title: 'Find a user by address',
          description: 'Addresses are compared without case.',
          query: search,
          answer: z.object({ users: z.array(userAnswer).describe('One, or none.') }),
        }),
        async (request) => {
          const { id: accountId } = accountOf(request);
          const { key } = readMailAddress(read(search, request.query).email)!;
          const user = await users.byAddress(accountId, key);
          return { users: user ? [await withLists(accountId, user)] : [] };
        },
      );

      bodiless.get<WithId>(
        '/mail/users/:id',
        described({
          chapter: 'mail',
          id: 'showMailUser',
          title: 'A user of mailing lists',
          description: 'One user, with the lists that he is in.',
          pathId: pathOfUser,
          answer: userAnswer,
          refusals: ['not-found'],
        }),
        async (request) => {
          const { id: accountId } = accountOf(request);
          return withLists(accountId, await users.find(accountId, pathId(request.params.id, 'user')));
        },
      );
    });
  };
}

function toGiven(user: z.output<typeof newUser>, index: number): GivenUser {
  const address = readMailAddress(user.email);
  if (!address) throw new Refusal('bad-field', 'not an e-mail address', `users[${index}].email`);
  return {
    address,
    firstName: user.first_name,
    lastName: user.last_name,
    cellphone: user.cellphone,
    sendFields: Object.entries(user.fields ?? {}),
    status: user.undelete ? 'active' : undefined,
  };
}

const named = (fields: readonly MailField[]) => Object.fromEntries(fields);

function show(user: MailUser) {
  return {
    id: String(user.id),
    email: user.address,
    first_name: user.firstName,
    last_name: user.lastName,
    cellphone: user.cellphone,
    fields: named(user.sendFields),
    system_fields: named(user.systemFields),
    status: user.status,
    status_by: user.statusBy,
    status_reason: user.statusReason,
    status_at: user.statusAt === null ? null : new Date(user.statusAt).toISOString(),
    heard: user.heard,
    created_at: new Date(user.createdAt).toISOString(),
  };
}
