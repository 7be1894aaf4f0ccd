import { z } from 'zod';
import { parseLong } from '../../../api/bodies/long-list.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { firstProblem } from '../../../api/schema-problems.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import { forEachInSlices, mapInSlices } from '../../../kit/time-slices.ts';
import type { MailList } from '../lists.ts';
import type { UserInput } from '../user-changes.ts';
import { MAX_DESCRIPTION, MAX_LIST_NAME } from '../user-input.ts';
import type { UserKind } from '../users.ts';
import { aboutMail } from './about.ts';
import { results } from './envelope.ts';
import {
  alwaysTrue,
  arrayOf,
  listId,
  name,
  namesInAnyCase,
  object,
  optionalText,
  spelled,
} from './fields.ts';
import { type MailCall, type MailOperation, Streamed } from './operation.ts';
import { showUser, toInput, userAnswer, userInput } from './users.ts';

/** Maximum entries of a request. */
const MAX_USERS = 100_000;
const MAX_LISTS = 1_000;
/** Users read per page. */
const PAGE = 2_000;

/** Parses a body by its schema. Throws Refusal `bad-field` that names the first field with a problem. */
export function read<T>(schema: z.ZodType<T, unknown>, content: unknown): T {
  return parsed(schema.safeParse(content));
}

/** As `read`, with long lists (bodies/long-list.ts) in slices. */
async function readLong<T>(schema: z.ZodType<T, unknown>, content: unknown): Promise<T> {
  return parsed(await parseLong(schema, content));
}

function parsed<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data;
  const { field, problem, detail } = firstProblem(result.error);
  throw new Refusal('bad-field', problem, field || 'the body', detail);
}

const ids = z
  .object({
    users: answered(z.array(z.int()), 'Ids of the users, in the order of the request.', [1_001, 1_002]),
    mailingLists: answered(z.array(z.int()), 'Ids of the lists.', [17]),
  })
  .describe('Users and lists of the request.');

const newList = object({
  IsNewList: alwaysTrue.describe('Always true.'),
  NewListName: name(MAX_LIST_NAME).describe('Name of the list.'),
  NewListDescription: optionalText(MAX_DESCRIPTION, { lines: true }).describe('Description of the list.'),
});

const createList: MailOperation = {
  method: 'POST',
  path: 'CreateMalingList',
  about: aboutMail({
    id: 'createMailingList',
    title: 'Create a mailing list',
    description: 'Creates a list without users. Names need not be unique.',
    body: {
      schema: newList,
      example: { IsNewList: true, NewListName: 'Newsletter', NewListDescription: 'News once a month' },
    },
    answer: { data: ids },
  }),
  async run(content, { services, account }) {
    const { NewListName, NewListDescription = '' } = read(newList, content);
    const list = await services.lists.create(account.id, {
      name: NewListName,
      description: NewListDescription,
    });
    return { data: { users: [], mailingLists: [list.id] } };
  },
};

const usersToLists = object({
  users: arrayOf(userInput, { min: 1, max: MAX_USERS }).describe('Users to add.'),
  mailingLists: arrayOf(object({ ExistingListID: listId.describe('Id of the list.') }), {
    min: 1,
    max: MAX_LISTS,
  }).describe('Lists that receive the users.'),
});

const addUsers: MailOperation = {
  method: 'POST',
  path: 'AddUsersToLists',
  about: aboutMail({
    id: 'addUsersToLists',
    title: 'Add users to lists',
    description:
      'Adds all users or none. An account has each address once, regardless of case; for an existing user, only the given fields change. A user who unsubscribed, was deleted, or has a bouncing address keeps that status unless `UndeleteUserIfExists` is true. If the list requires confirmation, new users stay `Inactive` until they confirm.',
    body: {
      schema: usersToLists,
      example: {
        users: [{ EmailAddress: 'dana@example.com', FirstName: 'Dana' }, { EmailAddress: 'avi@example.com' }],
        mailingLists: [{ ExistingListID: 17 }],
      },
    },
    answer: { data: ids },
    results: [results.noList],
  }),
  async run(content, { services, account, sendKey }) {
    const { users, mailingLists } = await readLong(usersToLists, content);
    const lists = mailingLists.map((list) => list.ExistingListID);
    const answer = (added: readonly number[]) => ({ data: { users: added, mailingLists: lists } });
    const input = await withAddresses(users, { services, account });
    return answer(await services.additions.add(account.id, lists, input, sendKey?.answering(answer)));
  },
};

/** Returns the users, with the addresses of those named by id. Throws Refusal `bad-field` for an unknown id. */
async function withAddresses(
  users: readonly z.output<typeof userInput>[],
  { services, account }: Pick<MailCall, 'services' | 'account'>,
): Promise<UserInput[]> {
  const ids: number[] = [];
  await forEachInSlices(users, ({ EmailAddress, UserID }) => {
    if (!EmailAddress) ids.push(UserID!);
  });
  const addresses = ids.length > 0 ? await services.users.addresses(account.id, ids) : undefined;
  return mapInSlices(users, (user, index) => {
    const address = user.EmailAddress ?? addresses!.get(user.UserID!);
    if (address) return toInput(user, address);
    throw badField(`users[${index}].UserID`, 'there is no such user', 'unknown');
  });
}

const kinds: readonly UserKind[] = ['all', 'deleted', 'unsubscribed', 'wrong', 'active'];

const usersQuery = z.object({
  listID: z
    .string('missing')
    .regex(/^\d{1,16}$/, 'must be the id of a list')
    .describe('Id of the list.'),
  type: z
    .enum(['0', '1', '2', '3', '4'], {
      error: ({ input }) => (input === undefined ? 'missing' : 'must be 0 to 4'),
    })
    .describe('Status of the users: `0` all, `1` deleted, `2` unsubscribed, `3` wrong emails, `4` active.'),
});

const queryNames = namesInAnyCase(Object.keys(usersQuery.shape));

const getList: MailOperation = {
  method: 'GET',
  path: 'GetMailingListByID',
  about: aboutMail({
    id: 'getMailingListById',
    title: 'List users of a list',
    description:
      'Streams the users of a list in the order of their ids. `0` includes users who have not confirmed their subscription.',
    query: usersQuery,
    answer: { users: z.array(userAnswer).describe('Users of the list.') },
    results: [results.noList],
  }),
  async run(content, { services, account }) {
    const { listID, type } = read(usersQuery, spelled(content, queryNames));
    const list = await services.lists.get(account.id, Number(listID));
    return new Streamed('users', usersOf(list.id, kinds[Number(type)]!, { services, account }));
  },
};

async function* usersOf(id: number, kind: UserKind, { services, account }: MailCall) {
  for (let after = 0; ; ) {
    const members = await services.users.members(account.id, id, kind, after, PAGE);
    if (members.length > 0) yield members.map(showUser);
    if (members.length < PAGE) return;
    after = members.at(-1)!.id;
  }
}

const listAnswer = z.object({
  ActiveUserCount: out.count('Users that receive email.', 950),
  ExistingListID: out.count('Id of the list.', 17),
  IsNewList: out.flag('Always false.', false),
  NewListDescription: out.text('Description of the list; may be empty.', 'News once a month'),
  NewListName: out.text('Name of the list.', 'Newsletter'),
  UserCount: out.count('Users of the list.', 1_000),
});

const showList = (list: MailList): z.output<typeof listAnswer> => ({
  ActiveUserCount: list.activeCount,
  ExistingListID: list.id,
  IsNewList: false,
  NewListDescription: list.description,
  NewListName: list.name,
  UserCount: list.userCount,
});

const getNames: MailOperation = {
  method: 'POST',
  path: 'GetMailingListNames',
  about: aboutMail({
    id: 'getMailingListNames',
    title: 'List all lists',
    description: 'Returns the lists of the account with their counts. The request body is empty.',
    answer: { listNames: z.array(listAnswer).describe('Lists of the account.') },
  }),
  async run(content, { services, account }) {
    const isEmpty = content === undefined || content === null || Object.keys(content).length === 0;
    if (!isEmpty) throw badField('the body', 'must be empty', 'wrong-format');
    async function* pages() {
      for await (const lists of services.lists.all(account.id)) yield lists.map(showList);
    }
    return new Streamed('listNames', pages());
  },
};

const listIds = arrayOf(listId, { min: 1, max: MAX_LISTS });

const truncate: MailOperation = {
  method: 'POST',
  path: 'TruncateMailingLists',
  about: aboutMail({
    id: 'truncateMailingLists',
    title: 'Empty lists',
    description:
      'Empties all of the lists or none, immediately and regardless of their size. Users who are in no other list are deleted; unsubscribes and bouncing addresses remain recorded.',
    body: { schema: listIds, example: [17, 18] },
    answer: { data: answered(z.null(), 'Always null.', null) },
    results: [results.noList],
  }),
  async run(content, { services, account }) {
    await services.lists.empty(account.id, read(listIds, content));
    return { data: null };
  },
};

/** The operations of the interface's part C. */
export const mailOperations: readonly MailOperation[] = [createList, addUsers, getList, getNames, truncate];
