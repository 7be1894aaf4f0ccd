import { z } from 'zod';
import { Refusal } from '../../../errors.ts';
import { parseLong } from '../../../interfaces/bodies/long-list.ts';
import { out } from '../../../interfaces/openapi/out.ts';
import { answered } from '../../../interfaces/openapi/shown.ts';
import { firstProblem } from '../../../interfaces/schema-problems.ts';
import { forEachInSlices, mapInSlices } from '../../../time-slices.ts';
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

/** Entries of a request, at most. */
const MAX_USERS = 100_000;
const MAX_LISTS = 1_000;
/** Users that are read from the database at a time. */
const PAGE = 2_000;

/** Reads a body by its schema. Throws Refusal `bad-field` that names the first field with a problem. */
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
  .describe('What it was about.');

const newList = object({
  IsNewList: alwaysTrue.describe('Always true.'),
  NewListName: name(MAX_LIST_NAME).describe('Its name.'),
  NewListDescription: optionalText(MAX_DESCRIPTION, { lines: true }).describe('What it is for.'),
});

const createList: MailOperation = {
  method: 'POST',
  path: 'CreateMalingList',
  about: aboutMail({
    id: 'createMailingList',
    title: 'Create a mailing list',
    description: 'A list without users. Names need not be unique.',
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
  users: arrayOf(userInput, { min: 1, max: MAX_USERS }).describe('The users to add.'),
  mailingLists: arrayOf(object({ ExistingListID: listId.describe('The id of the list.') }), {
    min: 1,
    max: MAX_LISTS,
  }).describe('The lists to add them to.'),
});

const addUsers: MailOperation = {
  method: 'POST',
  path: 'AddUsersToLists',
  about: aboutMail({
    id: 'addUsersToLists',
    title: 'Add users to lists',
    description:
      'All or nothing. An address is known once in an account, without regard to case: of a user who is known only the fields that are given change. Who removed himself, was deleted, or has a wrong address stays that, unless `UndeleteUserIfExists` is true. A list may ask those who are added to confirm it: until then they are `Inactive`.',
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

/** The users with the addresses of those who are named by id. Throws Refusal `bad-field` for an id of nobody. */
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
    throw new Refusal('bad-field', 'there is no such user', `users[${index}].UserID`, { reason: 'unknown' });
  });
}

const kinds: readonly UserKind[] = ['all', 'deleted', 'unsubscribed', 'wrong', 'active'];

const usersQuery = z.object({
  listID: z
    .string('missing')
    .regex(/^\d{1,16}$/, 'must be the id of a list')
    .describe('The id of the list.'),
  type: z
    .enum(['0', '1', '2', '3', '4'], {
      error: ({ input }) => (input === undefined ? 'missing' : 'must be 0 to 4'),
    })
    .describe('Which users: `0` all, `1` deleted, `2` unsubscribed, `3` wrong e-mails, `4` active.'),
});

const queryNames = namesInAnyCase(Object.keys(usersQuery.shape));

const getList: MailOperation = {
  method: 'GET',
  path: 'GetMailingListByID',
  about: aboutMail({
    id: 'getMailingListById',
    title: 'List users of a list',
    description:
      'The users in the order of their ids, streamed. `0` has those, too, who have not confirmed yet that they want to be in it.',
    query: usersQuery,
    answer: { users: z.array(userAnswer).describe('The users.') },
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
  ActiveUserCount: out.count('How many of its users get mails.', 950),
  ExistingListID: out.count('Its id.', 17),
  IsNewList: out.flag('Always false.', false),
  NewListDescription: out.text('What it is for; may be empty.', 'News once a month'),
  NewListName: out.text('Its name.', 'Newsletter'),
  UserCount: out.count('How many users it has.', 1_000),
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
    description: 'The lists of the account with their counts. The body is empty.',
    answer: { listNames: z.array(listAnswer).describe('The lists.') },
  }),
  async run(content, { services, account }) {
    const isEmpty = content === undefined || content === null || Object.keys(content).length === 0;
    if (!isEmpty) throw new Refusal('bad-field', 'must be empty', 'the body', { reason: 'wrong-format' });
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
      'All of them or none. They have no users at once, however many they had. Users who are in no other list are deleted; who asked for removal or has a wrong address is remembered as that.',
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
