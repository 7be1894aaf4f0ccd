import { z } from 'zod';
import type { ConversationQuery } from '../../conversations/list.ts';
import {
  countConversations,
  findConversation,
  listConversations,
  MAX_COUNTED,
} from '../../conversations/list.ts';
import { replyKinds, replyProblems } from '../../conversations/reply-channel.ts';
import { type Actor, conversationStates } from '../../conversations/rows.ts';
import type { CoreContext } from '../../core.ts';
import { Refusal } from '../../errors.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { answered } from '../../interfaces/openapi/shown.ts';
import type { Caller } from '../../interfaces/v1/caller.ts';
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
} from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { storable } from '../../interfaces/v1/kit/text-fields.ts';
import type { ContentReader } from '../../messages/message-content.ts';
import { displayRecipient, type NumberReader } from '../../numbers/numbers.ts';
import { channelField, channelName, channelNumber } from '../messages/fields.ts';
import { conversationAnswer, showConversation } from './fields.ts';
import { itemAnswer, showItem, timelinePage } from './timeline.ts';

const MAX_ROWS = 100;
const MAX_ITEMS = 100;
const MAX_NOTE = 4_000;
const MAX_CLIENT = 140;

const query = z.object({
  state: oneOf(conversationStates).optional().describe('Only those in this state.'),
  unread: yesNo.describe('`true`: only those with messages that nobody has read.'),
  assignee: z
    .string()
    .regex(/^(me|none|\d{1,16})$/, 'must be me, none or the id of a person')
    .optional()
    .describe('`me`: those of the person who calls; `none`: those of nobody; or the id of a person.'),
  label: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of a label')
    .transform(Number)
    .optional()
    .describe('Only those with this label.'),
  search: queryText(100).optional().describe("How the client's number, address or name begins."),
  ...pageInOrder(MAX_ROWS, 'the last message first'),
});

const countsAnswer = z.object({
  open: out.count(`Open ones; ${MAX_COUNTED} stands for that many or more here and below.`, 12),
  mine: out.count('Open ones of the person who calls; 0 for a token.', 3),
  unassigned: out.count('Open ones of nobody.', 4),
  unread: out.count('Those with messages that nobody has read.', 2),
});

const sendersAnswer = rowsAnswer(
  'senders',
  z.object({
    sender: out.text('The number or address.', '0550000001'),
    name: out.text('What you call it; empty for nothing.', 'The shop'),
    channel: channelField,
  }),
);

const replyState = z
  .object({
    kinds: answered(z.array(z.enum(replyKinds)), 'What can be sent.', ['text', 'template']),
    problem: out.maybeOneOf(
      replyProblems,
      'Why not everything can be sent: the client has never written; wrote over 24 hours ago; has not answered a template; or you do not have the sender any more.',
      null,
    ),
    closes_at: out.maybeInstant(
      'Until when more than templates can be sent, ISO 8601; null: that does not end.',
      null,
    ),
  })
  .describe('How the client can be answered now.');
const oneAnswer = conversationAnswer.extend({ replies: replyState });

const newBody = z.object({
  sender: field(storable(MAX_CLIENT), 'Your number.', '972550000001'),
  client: field(storable(MAX_CLIENT), 'The client, in any spelling.', '972501234567'),
  channel: field(oneOf(['sms', 'chat']), 'The channel.', 'chat'),
});
const changeBody = z.object({
  state: field(oneOf(conversationStates).optional(), 'Opens or closes it.', 'closed'),
  assignee_id: field(
    idText('a person').nullish(),
    'Who answers it (`GET /v1/conversation-agents`); null: nobody.',
    null,
  ),
  label_ids: field(listOf(idText('a label'), 20).optional(), 'All labels that it is to have.', []),
});
const readBody = z.object({
  up_to: field(
    idText('a message').nullable().default(null),
    'The last message that was seen: a later one stays unread. Null marks the conversation as unread.',
    '1774337460000063',
  ),
});
const writingBody = z.object({
  writing: field(flag, 'Whether you write; say it again every 10 seconds.', true),
  take_over: field(flag.default(false), 'Takes the conversation over from another person who writes.', false),
});
const noteBody = z.object({
  text: field(storable(MAX_NOTE), 'The note. Clients never see it.', 'Call back at 9'),
});

export type ConversationDeps = Pick<
  CoreContext,
  'sql' | 'clock' | 'conversations' | 'conversationLabels' | 'replies' | 'numbers' | 'people'
> & { readonly contentOf: ContentReader };

const route = resource<ConversationDeps>('conversations');
const id = idOf('conversation');

/** Conversations with clients. */
export const conversationRoutes = [
  route('GET /v1/conversations', {
    operationId: 'listConversations',
    title: 'List conversations',
    description:
      'A conversation is a client and a number or address of yours, over SMS, chat and mail. The one with the last message comes first.',
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
    operationId: 'countConversations',
    title: 'Count conversations',
    description: 'How many conversations wait.',
    answer: countsAnswer,
    handler: async ({ accountId, caller }, { sql }) => ({
      ...(await countConversations(sql, accountId, actorOf(caller).personId)),
    }),
  }),
  route('GET /v1/conversation-senders', {
    operationId: 'listConversationSenders',
    title: 'List senders of conversations',
    description: 'Your numbers that clients can write to, from which conversations are begun.',
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
    operationId: 'beginConversation',
    title: 'Begin a conversation',
    description: 'The conversation with a client, also one who has never written. Nothing is sent.',
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
        throw new Refusal('bad-field', 'not a number of the account', 'sender', { reason: 'unknown' });
      }
      const row = await conversations.begin(accountId, address, actorOf(caller));
      return {
        ...showConversation(row, clock.now()),
        replies: showState(await replies.state(accountId, row)),
      };
    },
  }),
  route('GET /v1/conversations/:id', {
    operationId: 'getConversation',
    title: 'Show a conversation',
    description: 'A conversation, and how the client can be answered now.',
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
    operationId: 'listConversationTimeline',
    title: 'Show the timeline of a conversation',
    description:
      'Everything that was sent and received, with notes and what people and rules did, the newest first.',
    id,
    query: z.object(page(MAX_ITEMS)),
    answer: pageAnswer('items', itemAnswer),
    handler: async ({ accountId, id, query: { after, limit } }, deps) => {
      const row = found(await findConversation(deps.sql, accountId, id), 'conversation');
      return pageOf(
        'items',
        (item) => showItem(deps.contentOf, accountId, item),
        readPage(limit, (most) => timelinePage(deps.sql, accountId, row, after, most)),
      );
    },
  }),
  route('PATCH /v1/conversations/:id', {
    operationId: 'changeConversation',
    title: 'Change a conversation',
    description: 'Closes, opens, assigns or labels a conversation. What is left out stays.',
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
    operationId: 'readConversation',
    title: 'Mark a conversation as read',
    description: 'For everybody who answers, not for the person alone. The client learns nothing of it.',
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
    operationId: 'writeConversation',
    title: 'Say that you are writing an answer',
    description:
      'Others see it, and cannot reply until you have, or 15 seconds have passed. The answer tells who writes: another person, unless you take over.',
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
    operationId: 'addConversationNote',
    title: 'Add a note to a conversation',
    description: 'People of the account read it in the timeline; the client never does.',
    id,
    body: noteBody,
    answer: z.object({ id: out.id('The note.', '1774337460000064') }),
    handler: async ({ accountId, id, caller, body: { text } }, { conversations }) => {
      if (text.trim() === '') throw new Refusal('bad-field', 'missing', 'text', { reason: 'missing' });
      const noteId = found(await conversations.addNote(accountId, id, text, actorOf(caller)), 'conversation');
      return { id: String(noteId) };
    },
  }),
];

/** Who does it: the person who calls, or a program. */
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
      throw new Refusal('bad-field', 'a token is nobody', 'assignee', {
        reason: 'not-one-of',
        params: values,
      });
    }
    default:
      return { ...wanted, assigneeId: Number(assignee) };
  }
}

/** What a text may be the beginning of: a number as it is written at home or abroad, an address, a name. */
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
  throw new Refusal('bad-field', 'nobody who answers conversations', 'assignee_id', { reason: 'unknown' });
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
  throw new Refusal('bad-field', 'no such label', `label_ids[${wrong}]`, { reason: 'unknown' });
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
