import { z } from 'zod';
import {
  answers,
  answersUnaudited,
  dailyWork,
  reads,
  readsConversations,
} from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import type { Caller } from '../../../api/v1/caller.ts';
import {
  field,
  flag,
  found,
  idOf,
  idText,
  listOf,
  oneOf,
  page,
  pageAnswer,
  pageInOrder,
  pageOf,
  queryText,
  readPage,
  rowsAnswer,
  yesNo,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import type { ContentReader } from '../../../engine/messages/message-content.ts';
import { channelField, channelName, channelNumber } from '../../../engine/messages/v1/fields.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import { displayRecipient, type NumberReader } from '../../../kit/numbers/phone-numbers.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { ConversationQuery } from '../list.ts';
import { countConversations, findConversation, listConversations, MAX_COUNTED } from '../list.ts';
import { replyKinds, replyProblems } from '../reply-channel.ts';
import { type Actor, conversationStates } from '../rows.ts';
import type { ReadReceived } from '../timeline.ts';
import { conversationAnswer, showConversation } from './fields.ts';
import { itemAnswer, showItem, timelinePage } from './timeline.ts';

const MAX_ROWS = 100;
const MAX_ITEMS = 100;
const MAX_NOTE = 4_000;
const MAX_CLIENT = 140;

const query = z.object({
  state: oneOf(conversationStates).optional().describe('Filters by state.'),
  unread: yesNo.describe('`true`: only conversations with unread messages.'),
  assignee: z
    .string()
    .regex(/^(me|none|\d{1,16})$/, 'must be me, none or the id of a person')
    .optional()
    .describe('Filters by assignee: `me` is the caller, `none` nobody, otherwise the id of a person.'),
  label: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of a label')
    .transform(Number)
    .optional()
    .describe('Filters by label.'),
  search: queryText(100).optional().describe('Filters by client: start of the number, address or name.'),
  ...pageInOrder(MAX_ROWS, 'the conversation with the last message is first'),
});

const countsAnswer = z.object({
  open: out.count(`Open conversations; ${MAX_COUNTED} means that many or more, here and below.`, 12),
  mine: out.count('Open conversations assigned to the caller; 0 for a token.', 3),
  unassigned: out.count('Open conversations without an assignee.', 4),
  unread: out.count('Conversations with unread messages.', 2),
});

const sendersAnswer = rowsAnswer(
  'senders',
  z.object({
    sender: out.text('Number or address.', '0550000001'),
    name: out.text('Display name; empty without one.', 'The shop'),
    channel: channelField,
  }),
);

const replyState = z
  .object({
    kinds: answered(z.array(z.enum(replyKinds)), 'Kinds of messages that can be sent.', ['text', 'template']),
    problem: out.maybeOneOf(
      replyProblems,
      'Reason for restrictions: the client has never written; wrote over 24 hours ago; has not answered a template; or the sender no longer belongs to the account.',
      null,
    ),
    closes_at: out.maybeInstant(
      'Time until which messages other than templates can be sent, ISO 8601; null: no end.',
      null,
    ),
  })
  .describe('Current possibilities to reply.');
const oneAnswer = conversationAnswer.extend({ replies: replyState });

const newBody = z.object({
  sender: field(storable(MAX_CLIENT), 'Your number.', '972550000001'),
  client: field(storable(MAX_CLIENT), 'Client, in any spelling.', '972501234567'),
  channel: field(oneOf(['sms', 'chat']), 'Channel.', 'chat'),
});
const changeBody = z.object({
  state: field(oneOf(conversationStates).optional(), 'State of the conversation.', 'closed'),
  assignee_id: field(
    idText('a person').nullish(),
    'Id of the assigned person (`GET /v1/conversation-agents`); null: nobody.',
    null,
  ),
  label_ids: field(
    listOf(idText('a label'), 20).optional(),
    'Labels of the conversation; replaces all labels.',
    [],
  ),
});
const readBody = z.object({
  up_to: field(
    idText('a message').nullable().default(null),
    'Id of the last message that was read; later ones stay unread. Null marks the conversation as unread.',
    '1774337460000063',
  ),
});
const writingBody = z.object({
  writing: field(flag, 'Whether the person is writing; repeat it every 10 seconds.', true),
  take_over: field(
    flag.default(false),
    'Takes the conversation over from another person who is writing.',
    false,
  ),
});
const noteBody = z.object({
  text: field(storable(MAX_NOTE), 'Text of the note. Clients never see it.', 'Call back at 9'),
});

export type ConversationDeps = Pick<
  CoreContext,
  'sql' | 'clock' | 'conversations' | 'conversationLabels' | 'replies' | 'numbers' | 'people'
> & { readonly contentOf: ContentReader; readonly received: readonly ReadReceived[] };

const route = resource<ConversationDeps>('conversations');
const id = idOf('conversation');

/** Conversations with clients. */
export const conversationRoutes = [
  route('GET /v1/conversations', {
    access: readsConversations,
    operationId: 'listConversations',
    title: 'List conversations',
    description:
      'Lists conversations, last message first. A conversation is between a client and a number or address of yours, over SMS, chat and email.',
    query,
    answer: pageAnswer('conversations', conversationAnswer),
    handler: async ({ accountId, caller, query: { after, limit, ...given } }, { sql, clock, numbers }) => {
      const wanted = wantedOf(given, caller, numbers);
      return pageOf(
        'conversations',
        (row) => showConversation(row, clock.now()),
        readPage(
          limit,
          (most) => listConversations(sql, accountId, wanted, after, most),
          ({ last_id }) => last_id,
        ),
      );
    },
  }),
  route('GET /v1/conversations/counts', {
    access: readsConversations,
    operationId: 'countConversations',
    title: 'Count conversations',
    description: 'Returns the numbers of waiting conversations.',
    answer: countsAnswer,
    handler: async ({ accountId, caller }, { sql }) => ({
      ...(await countConversations(sql, accountId, actorOf(caller).personId)),
    }),
  }),
  route('GET /v1/conversation-senders', {
    access: readsConversations,
    operationId: 'listConversationSenders',
    title: 'List senders of conversations',
    description:
      'Lists your numbers to which clients can write and from which a conversation can be started.',
    answer: sendersAnswer,
    handler: async ({ accountId }, { replies }) => ({
      senders: (await replies.senders(accountId)).map(({ sender, name, channel }) => ({
        sender: displayRecipient(sender),
        name,
        channel: channelName(channel),
      })),
    }),
  }),
  route('POST /v1/conversations', {
    access: dailyWork(answers),
    operationId: 'beginConversation',
    title: 'Start a conversation',
    description: 'Returns the conversation with a client, who need not have written before. Sends nothing.',
    refusals: ['bad-destination', 'not-now'],
    body: newBody,
    answer: oneAnswer,
    handler: async ({ accountId, caller, body }, deps) => {
      const { conversations, numbers, replies, clock } = deps;
      const sender = numbers.parse(body.sender)?.digits;
      const client = numbers.parse(body.client)?.digits;
      if (client === undefined) throw new Refusal('bad-destination', 'no phone number', 'client');
      const address = { channel: channelNumber(body.channel), sender: sender ?? body.sender, client };
      const state = await replies.state(accountId, address);
      if (state.problem === 'no-sender') {
        throw badField('sender', 'not a number of the account', 'unknown');
      }
      const row = await conversations.begin(accountId, address, actorOf(caller));
      return {
        ...showConversation(row, clock.now()),
        replies: showState(await replies.state(accountId, row)),
      };
    },
  }),
  route('GET /v1/conversations/:id', {
    access: readsConversations,
    operationId: 'getConversation',
    title: 'Show a conversation',
    description: 'Returns a conversation, and the current possibilities to reply.',
    id,
    answer: oneAnswer,
    handler: async ({ accountId, id }, { sql, clock, replies }) => {
      const row = found(await findConversation(sql, accountId, id), 'conversation');
      return {
        ...showConversation(row, clock.now()),
        replies: showState(await replies.state(accountId, row)),
      };
    },
  }),
  route('GET /v1/conversations/:id/timeline', {
    access: readsConversations,
    operationId: 'listConversationTimeline',
    title: 'Show the timeline of a conversation',
    description: 'Lists sent and received messages, notes, and actions of people and rules, newest first.',
    id,
    query: z.object(page(MAX_ITEMS)),
    answer: pageAnswer('items', itemAnswer),
    handler: async ({ accountId, id, query: { after, limit } }, deps) => {
      const row = found(await findConversation(deps.sql, accountId, id), 'conversation');
      return pageOf(
        'items',
        (item) => showItem(deps.contentOf, accountId, item),
        readPage(limit, (most) => timelinePage(deps, accountId, row, after, most)),
      );
    },
  }),
  route('PATCH /v1/conversations/:id', {
    access: dailyWork(answers),
    operationId: 'changeConversation',
    title: 'Change a conversation',
    description: 'Closes, opens, assigns or labels a conversation. Omitted fields keep their values.',
    id,
    body: changeBody,
    answer: conversationAnswer,
    handler: async ({ accountId, id, caller, body }, deps) => {
      const change = {
        state: body.state,
        assignee: await assigneeOf(accountId, body.assignee_id, deps),
        labelIds: await labelsOf(accountId, body.label_ids, deps),
      };
      const row = await deps.conversations.change(accountId, id, change, actorOf(caller));
      return showConversation(found(row, 'conversation'), deps.clock.now());
    },
  }),
  route('POST /v1/conversations/:id/read', {
    access: dailyWork(answersUnaudited),
    operationId: 'readConversation',
    title: 'Mark a conversation as read',
    description: 'Marks the messages as read for all people of the account. The client is not notified.',
    id,
    body: readBody,
    handler: async ({ accountId, id, body: { up_to: upTo } }, { conversations }) => {
      const isThere =
        upTo === null
          ? await conversations.markUnread(accountId, id)
          : await conversations.read(accountId, id, Number(upTo));
      found(isThere || undefined, 'conversation');
    },
  }),
  route('POST /v1/conversations/:id/writing', {
    // Of a person: a program is never in anybody's way.
    access: dailyWork(reads('agent')),
    operationId: 'writeConversation',
    title: 'Announce that you are writing a reply',
    description:
      'Shows other people that you are writing; they cannot reply until you have replied, or 15 seconds have passed. The response has the person who is writing: another person, unless you take over.',
    id,
    body: writingBody,
    answer: conversationAnswer,
    handler: async ({ accountId, id, caller, body }, { conversations, clock }) => {
      const writing = { writes: body.writing, takeOver: body.take_over };
      const row = await conversations.write(accountId, id, actorOf(caller), writing);
      return showConversation(found(row, 'conversation'), clock.now());
    },
  }),
  route('POST /v1/conversations/:id/notes', {
    access: dailyWork(answers),
    operationId: 'addConversationNote',
    title: 'Add a note to a conversation',
    description: 'Adds a note, which people of the account see in the timeline and the client never sees.',
    id,
    body: noteBody,
    answer: z.object({ id: out.id('Id of the note.', '1774337460000064') }),
    handler: async ({ accountId, id, caller, body: { text } }, { conversations }) => {
      if (text.trim() === '') throw badField('text', 'missing', 'missing');
      const noteId = found(await conversations.addNote(accountId, id, text, actorOf(caller)), 'conversation');
      return { id: String(noteId) };
    },
  }),
];

/** Returns the author of an action: the calling person, or a program. */
export const actorOf = ({ session }: Caller): Actor => ({
  personId: session?.person.id ?? null,
  name: session?.person.name ?? null,
});

function wantedOf(
  { state, unread, assignee, label, search }: Omit<z.output<typeof query>, 'after' | 'limit'>,
  caller: Caller,
  numbers: NumberReader,
): ConversationQuery {
  const wanted = { state, unread, labelId: label, ...searchOf(search?.trim() ?? '', numbers) };
  switch (assignee) {
    case undefined:
      return wanted;
    case 'none':
      return { ...wanted, assigneeId: null };
    case 'me': {
      const { personId } = actorOf(caller);
      if (personId !== null) return { ...wanted, assigneeId: personId };
      const values = { values: 'none' };
      throw badField('assignee', 'not for tokens, only for people', 'not-one-of', values);
    }
    default:
      return { ...wanted, assigneeId: Number(assignee) };
  }
}

/**
 * Returns search conditions for a text that may begin a number (local or international), an address or a
 * name.
 */
function searchOf(text: string, { homeCode }: NumberReader): Pick<ConversationQuery, 'name' | 'clients'> {
  if (text === '') return {};
  const digits = text.replaceAll(/[\s().+-]/g, '');
  if (!/^\d+$/.test(digits)) return { name: text, clients: [text] };
  const isLocal = digits.startsWith('0') && !digits.startsWith('00');
  return { name: text, clients: [isLocal ? homeCode + digits.slice(1) : digits.replace(/^00/, '')] };
}

async function assigneeOf(accountId: number, id: string | null | undefined, { people }: ConversationDeps) {
  if (id === null || id === undefined) return id;
  const agents = await people.people.listAgents(accountId);
  const agent = agents.find((one) => one.id === Number(id));
  if (agent) return { id: agent.id, name: agent.name };
  throw badField('assignee_id', 'not a person who answers conversations', 'unknown');
}

async function labelsOf(
  accountId: number,
  ids: readonly string[] | undefined,
  { conversationLabels }: ConversationDeps,
) {
  if (ids === undefined) return undefined;
  const known = new Set((await conversationLabels.list(accountId)).map(({ id }) => id));
  const wrong = ids.findIndex((id) => !known.has(Number(id)));
  if (wrong < 0) return ids.map(Number);
  throw badField(`label_ids[${wrong}]`, 'no such label', 'unknown');
}

export function showState(
  state: Awaited<ReturnType<CoreContext['replies']['state']>>,
): z.output<typeof replyState> {
  const { kinds, problem, closesAt } = state;
  return {
    kinds: [...kinds],
    problem,
    closes_at: closesAt === null ? null : new Date(closesAt).toISOString(),
  };
}
