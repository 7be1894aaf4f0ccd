import { z } from 'zod';
import { findConversation } from '../../conversations/list.ts';
import { fillVariables } from '../../conversations/reply-variables.ts';
import { MAX_SAVED_REPLIES } from '../../conversations/saved-replies.ts';
import type { CoreContext } from '../../core.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { because } from '../../interfaces/schema-problems.ts';
import { personOf } from '../../interfaces/v1/caller.ts';
import {
  field,
  found,
  idOf,
  idText,
  notFound,
  queryText,
  requiredText,
  rowsAnswer,
  text,
} from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { storable } from '../../interfaces/v1/kit/text-fields.ts';

const MAX_SHORTCUT = 30;
const MAX_TITLE = 100;
/** Characters of a text that people or rules answer with. */
export const MAX_REPLY = 1_000;

const TEXT = 'Hello {{client_name|there}}, this is {{agent_name}}. How can I help?';

const shortcut = field(
  text
    .trim()
    .toLowerCase()
    .max(MAX_SHORTCUT, `over ${MAX_SHORTCUT} characters`)
    .refine(
      (given) => /^[\p{L}\p{N}_-]+$/u.test(given),
      because('must be letters, digits, - and _, at least one', 'not-a-shortcut'),
    ),
  `What people type after \`/\`: up to ${MAX_SHORTCUT} letters, digits, \`-\` and \`_\`, which no other saved reply has. Stored in small letters.`,
  'hello',
);
const title = field(
  requiredText(MAX_TITLE).pipe(storable(MAX_TITLE)),
  'What it is called in lists.',
  'Greeting',
);

/** A text of a reply, with its variables. */
export const replyText = field(
  requiredText(MAX_REPLY).pipe(storable(MAX_REPLY)),
  'The text. `{{client_name}}` and `{{agent_name}}` stand for the names of the client and of the person who answers, and `{{client_name|there}}` for `there` where the name is not known.',
  TEXT,
);

const savedReplyAnswer = z.object({
  id: out.id('Its id.', '1774337460000063'),
  shortcut: out.text('`shortcut`.', 'hello'),
  title: out.text('`title`.', 'Greeting'),
  text: out.text('`text`, with its variables.', TEXT),
  created_by: out.maybeText('The person who created it; null: a token.', 'Dana Levi'),
  uses: out.count('How often people took it.', 17),
  created_at: out.time('When it was created'),
  updated_at: out.time('When it was changed last'),
});
const usedAnswer = z.object({
  text: out.text(
    'The text with the names in the place of its variables.',
    'Hello Noa, this is Dana Levi. How can I help?',
  ),
});
const show = serializer(savedReplyAnswer);
const id = idOf('saved reply');

const route = resource<Pick<CoreContext, 'sql' | 'savedReplies'>>('conversations');

/** Texts that people answer with. */
export const savedReplyRoutes = [
  route('GET /v1/saved-replies', {
    operationId: 'listSavedReplies',
    title: 'List saved replies',
    description:
      'By shortcut. With `search` first those whose shortcut begins with it, then those that have it anywhere.',
    query: z.object({
      search: queryText(100).default('').describe('Those that have this in their shortcut, title or text.'),
    }),
    answer: rowsAnswer('saved_replies', savedReplyAnswer),
    handler: async ({ accountId, query }, { savedReplies }) => ({
      saved_replies: (await savedReplies.list(accountId, query.search.trim())).map(show),
    }),
  }),
  route('POST /v1/saved-replies', {
    operationId: 'createSavedReply',
    title: 'Create a saved reply',
    description: `An account has at most ${MAX_SAVED_REPLIES}.`,
    refusals: ['not-now'],
    body: z.object({ shortcut, title, text: replyText }),
    answer: savedReplyAnswer,
    handler: async ({ accountId, body, caller }, { savedReplies }) =>
      show(await savedReplies.create(accountId, body, personOf(caller))),
  }),
  route('PATCH /v1/saved-replies/:id', {
    operationId: 'changeSavedReply',
    title: 'Change a saved reply',
    description: 'What is given is changed. Rules that send it send it as it is then.',
    id,
    body: z.object({
      shortcut: shortcut.optional(),
      title: title.optional(),
      text: replyText.optional(),
    }),
    answer: savedReplyAnswer,
    handler: async ({ accountId, id, body }, { savedReplies }) =>
      show(found(await savedReplies.change(accountId, id, body), 'saved reply')),
  }),
  route('DELETE /v1/saved-replies/:id', {
    operationId: 'deleteSavedReply',
    title: 'Delete a saved reply',
    description: 'Refused with `not-now` while a rule sends it.',
    refusals: ['not-now'],
    id,
    handler: async ({ accountId, id }, { savedReplies }) => {
      if (!(await savedReplies.remove(accountId, id))) throw notFound('saved reply');
    },
  }),
  route('POST /v1/saved-replies/:id/use', {
    operationId: 'useSavedReply',
    title: 'Take a saved reply',
    description:
      'Gives its text for a conversation, with names in the place of the variables, and counts the use. Nothing is sent.',
    id,
    body: z.object({
      conversation_id: field(idText('a conversation'), 'The conversation to answer.', '1774337460000061'),
    }),
    answer: usedAnswer,
    handler: async ({ accountId, id, body, caller }, { sql, savedReplies }) => {
      const conversation = await findConversation(sql, accountId, Number(body.conversation_id));
      const { client_name } = found(conversation, 'conversation');
      const saved = found(await savedReplies.use(accountId, id), 'saved reply');
      return { text: fillVariables(saved.text, { client_name, agent_name: personOf(caller) ?? '' }) };
    },
  }),
];
