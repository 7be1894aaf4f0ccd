import { z } from 'zod';
import { changes, dailyWork, reads, sends, withoutProof } from '../../../api/access/rules.ts';
import { longArray } from '../../../api/bodies/long-list.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { because } from '../../../api/schema-problems.ts';
import {
  field,
  flag,
  found,
  idOf,
  page,
  pageAnswer,
  pageOf,
  queryText,
  readPage,
  text,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { badField } from '../../../kit/errors.ts';
import type { MailAdditions } from '../additions.ts';
import { readMailAddress } from '../addresses.ts';
import type { MailLists } from '../lists.ts';
import { userStatuses } from '../statuses.ts';
import type { UserInput } from '../user-changes.ts';
import { isOneLine, MAX_FIELDS, MAX_KEY, MAX_NAME, MAX_PHONE, MAX_VALUE } from '../user-input.ts';
import type { MailMember, MailUser, MailUsers } from '../users.ts';
import { idOfMailList } from './lists.ts';

const MAX_PAGE = 1_000;
const MAX_USERS = 10_000;
const MAX_BODY = 20 * 1024 * 1024;

const kinds = ['all', 'deleted', 'unsubscribed', 'wrong', 'active'] as const;
const usersPage = z.object({
  ...page(MAX_PAGE),
  search: queryText(MAX_NAME)
    .default('')
    .transform((text) => text.trim().normalize('NFC').toLowerCase())
    .describe('Filters by address: addresses that contain this text, regardless of case.'),
  kind: z
    .enum(kinds, 'must be all, deleted, unsubscribed, wrong or active')
    .default('all')
    .describe('Status of the users.'),
});
const search = z.object({
  email: field(
    z
      .string('missing')
      .refine(
        (text) => readMailAddress(text) !== undefined,
        because('not an e-mail address', 'not-an-address'),
      ),
    'Email address.',
    'dana@example.com',
  ),
});

const line = (most: number) =>
  text
    .trim()
    .max(most, `over ${most} characters`)
    .refine(isOneLine, because('must be one line', 'not-one-line'));
const fields = z
  .record(line(MAX_KEY).min(1, 'a name is missing'), line(MAX_VALUE))
  .refine(
    (given) => Object.keys(given).length <= MAX_FIELDS,
    because(`more than ${MAX_FIELDS} fields`, 'too-many', { max: MAX_FIELDS }),
  )
  .optional();
const newUser = z.object({
  email: field(z.string('missing'), 'Email address.', 'dana@example.com'),
  first_name: field(line(MAX_NAME).optional(), 'First name.', 'Dana'),
  last_name: field(line(MAX_NAME).optional(), 'Last name.', 'Cohen'),
  cellphone: field(line(MAX_PHONE).optional(), 'Phone.', '0501234567'),
  fields: field(fields, 'Values of fields by their names; omitted fields keep their values.', {
    city: 'Haifa',
  }),
  undelete: field(flag.optional(), 'Restores a user who unsubscribed, complained or bounced.', false),
});
const newUsers = z.object({
  users: longArray(
    z.array(newUser, 'must be a list').min(1, 'missing').max(MAX_USERS, `more than ${MAX_USERS} entries`),
  ).meta({
    description: 'Users to add.',
  }),
});
const statusBody = z.object({
  status: field(
    z.enum(['active', 'deleted', 'removed'], 'must be active, deleted or removed'),
    '`active` restores a user who unsubscribed, complained or bounced.',
    'deleted',
  ),
});

const userFields = {
  id: out.id('Id of the user, `UserID` in the mailing-list API.', '1001'),
  email: out.text('Email address, as it was added first.', 'dana@example.com'),
  first_name: out.text('May be empty.', 'Dana'),
  last_name: out.text('May be empty.', 'Cohen'),
  cellphone: out.text('May be empty.', '0501234567'),
  fields: answered(z.record(z.string(), z.string()), 'Values for the fields of emails.', { city: 'Haifa' }),
  system_fields: answered(z.record(z.string(), z.string()), 'Additional fields.', {}),
  status: out.oneOf(userStatuses, 'Status; only `active` users receive email.', 'active'),
  status_by: out.text(
    'Source of the last change of status: `page`, `one-click`, `confirmation`, `complaint`, `bounce`, `account`; empty if it never changed.',
    '',
  ),
  status_reason: out.text(
    'Detail of that change, for example the reply of the mail server; may be empty.',
    '',
  ),
  status_at: out.maybeInstant('Time of that change, ISO 8601.', null),
  heard: out.flag('Whether an email has reached the user, or the user has made a choice.', true),
  created_at: out.instant('Time of creation, ISO 8601.'),
};
const memberAnswer = z.object({
  ...userFields,
  waiting: out.flag('Whether the user has not confirmed the subscription yet.', false),
});
const userAnswer = z.object({
  ...userFields,
  lists: z
    .array(
      z.object({
        id: out.text('Id of the list.', '17'),
        name: out.text('Name of the list.', 'Newsletter'),
        waiting: out.flag('Whether the user has not confirmed this list yet.', false),
      }),
    )
    .describe('Lists of the user.'),
});

const show = serializer(z.object(userFields), (user: MailUser) => ({
  email: user.address,
  fields: Object.fromEntries(user.sendFields),
  system_fields: Object.fromEntries(user.systemFields),
}));

interface MailUsersDeps {
  readonly lists: MailLists;
  readonly users: MailUsers;
  readonly additions: MailAdditions;
}

const route = resource<MailUsersDeps>('mail');

/** Users of mailing lists. */
export const mailUserRoutes = [
  route('POST /v1/mail/lists/:id/users', {
    access: withoutProof(sends(changes('sender', 'contacts'))),
    operationId: 'addMailUsers',
    title: 'Add users to a mailing list',
    description:
      'Adds all users or none. For an existing user, only the given fields change. A user who unsubscribed, was deleted or bounced keeps that status without `undelete`.',
    id: idOfMailList,
    body: newUsers,
    bodyLimit: MAX_BODY,
    answer: z.object({
      ids: out.texts('Ids of the users, in the order of the request.', ['1001']),
    }),
    handler: async ({ accountId, id, body: content, once }, { additions }) => {
      const show = (ids: readonly number[]) => ({ ids: ids.map(String) });
      return once(async (use) =>
        show(await additions.add(accountId, [id], content.users.map(toInput), use?.answering(show))),
      );
    },
  }),
  route('POST /v1/mail/users/:id/status', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'changeMailUser',
    title: 'Change the status of a user',
    description:
      'Changes the status in all lists of the user. `removed`: the user unsubscribed elsewhere. A user who unsubscribed stays unsubscribed when deleted; only `active` ends it.',
    id: idOf('user'),
    body: statusBody,
    answer: userAnswer,
    handler: async ({ accountId, id, body: { status } }, deps) => {
      await deps.users.setStatus(accountId, [id], status, { cause: 'account' });
      return withLists(deps, accountId, await deps.users.find(accountId, id));
    },
  }),
  route('GET /v1/mail/lists/:id/users', {
    access: reads('viewer', 'contacts'),
    operationId: 'listMailUsers',
    title: 'List users of a mailing list',
    description: 'Lists the users in the order of their ids. `all` includes users who have not confirmed.',
    id: idOfMailList,
    query: usersPage,
    answer: pageAnswer('users', memberAnswer),
    handler: async ({ accountId, id, query: { after = 0, limit, kind, search: part } }, { lists, users }) => {
      await lists.get(accountId, id);
      const showMember = (member: MailMember) => ({ ...show(member), waiting: member.pending });
      return pageOf(
        'users',
        showMember,
        readPage(limit, (most) => users.members(accountId, id, kind, after, most, undefined, part)),
      );
    },
  }),
  route('GET /v1/mail/users', {
    access: reads('viewer', 'contacts'),
    operationId: 'findMailUser',
    title: 'Find a user by address',
    description: 'Returns the user with this address, compared regardless of case.',
    query: search,
    answer: z.object({
      users: z.array(userAnswer).describe('Users with the address: one, or an empty list.'),
    }),
    handler: async ({ accountId, query }, deps) => {
      const { key } = readMailAddress(query.email)!;
      const user = await deps.users.byAddress(accountId, key);
      return { users: user ? [await withLists(deps, accountId, user)] : [] };
    },
  }),
  route('GET /v1/mail/users/:id', {
    access: reads('viewer', 'contacts'),
    operationId: 'showMailUser',
    title: 'Show a user of mailing lists',
    description: 'Returns one user with their lists.',
    id: idOf('user'),
    answer: userAnswer,
    handler: async ({ accountId, id }, deps) =>
      withLists(deps, accountId, await deps.users.find(accountId, id)),
  }),
];

async function withLists({ users }: MailUsersDeps, accountId: number, given: MailUser | undefined) {
  const user = found(given, 'user');
  const lists = (await users.listsOf(accountId, [user.id])).get(user.id) ?? [];
  return {
    ...show(user),
    lists: lists.map(({ id, name, pending }) => ({ id: String(id), name, waiting: pending })),
  };
}

function toInput(user: z.output<typeof newUser>, index: number): UserInput {
  const address = readMailAddress(user.email);
  if (!address) throw badField(`users[${index}].email`, 'not an e-mail address', 'not-an-address');
  return {
    address,
    firstName: user.first_name,
    lastName: user.last_name,
    cellphone: user.cellphone,
    sendFields: Object.entries(user.fields ?? {}),
    status: user.undelete ? 'active' : undefined,
  };
}
