import { z } from 'zod';
import { answersUnaudited, changes, dailyWork, readsConversations } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { because } from '../../../api/schema-problems.ts';
import { personOf } from '../../../api/v1/caller.ts';
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
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import type { CoreContext } from '../../../run/services.ts';
import { findConversation } from '../list.ts';
import { fillVariables } from '../reply-variables.ts';
import { MAX_SAVED_REPLIES } from '../saved-replies.ts';

const MAX_SHORTCUT = 30;
const MAX_TITLE = 100;
/** Maximum characters of a reply by people or rules. */
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
  `Shortcut to type after \`/\`: up to ${MAX_SHORTCUT} letters, digits, \`-\` and \`_\`, unique in the account. Stored in lower case.`,
  'hello',
);
const title = field(requiredText(MAX_TITLE).pipe(storable(MAX_TITLE)), 'Title in lists.', 'Greeting');

/** A text of a reply, with its variables. */
export const replyText = field(
  requiredText(MAX_REPLY).pipe(storable(MAX_REPLY)),
  'Text. `{{client_name}}` and `{{agent_name}}` are replaced with the names of the client and of the person who replies, `{{client_name|there}}` with `there` if the name is unknown.',
  TEXT,
);

const savedReplyAnswer = z.object({
  id: out.id('Id of the saved reply.', '1774337460000063'),
  shortcut: out.text('`shortcut`.', 'hello'),
  title: out.text('`title`.', 'Greeting'),
  text: out.text('`text`, with its variables.', TEXT),
  created_by: out.maybeText('Person who created it; null: a token.', 'Dana Levi'),
  uses: out.count('Number of uses by people.', 17),
  created_at: out.time('Time of creation'),
  updated_at: out.time('Time of the last change'),
});
const usedAnswer = z.object({
  text: out.text(
    'Text with names in place of the variables.',
    'Hello Noa, this is Dana Levi. How can I help?',
  ),
});
const show = serializer(savedReplyAnswer);
const id = idOf('saved reply');

const route = resource<Pick<CoreContext, 'sql' | 'savedReplies'>>('conversations');

/** Saved replies. */
export const savedReplyRoutes = [
  route('GET /v1/saved-replies', {
    access: readsConversations,
    operationId: 'listSavedReplies',
    title: 'List saved replies',
    description:
      'Lists saved replies by shortcut. With `search`, replies whose shortcut begins with the text are first, then replies that contain it.',
    query: z.object({
      search: queryText(100)
        .default('')
        .describe('Filters by text: replies with it in their shortcut, title or text.'),
    }),
    answer: rowsAnswer('saved_replies', savedReplyAnswer),
    handler: async ({ accountId, query }, { savedReplies }) => ({
      saved_replies: (await savedReplies.list(accountId, query.search.trim())).map(show),
    }),
  }),
  route('POST /v1/saved-replies', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'createSavedReply',
    title: 'Create a saved reply',
    description: `Creates a saved reply. An account has at most ${MAX_SAVED_REPLIES}.`,
    refusals: ['not-now'],
    body: z.object({ shortcut, title, text: replyText }),
    answer: savedReplyAnswer,
    handler: async ({ accountId, body, caller }, { savedReplies }) =>
      show(await savedReplies.create(accountId, body, personOf(caller))),
  }),
  route('PATCH /v1/saved-replies/:id', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'changeSavedReply',
    title: 'Change a saved reply',
    description: 'Updates the given fields. Rules that use it send the new text.',
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
    access: dailyWork(changes('sender', 'send')),
    operationId: 'deleteSavedReply',
    title: 'Delete a saved reply',
    description: 'Deletes the saved reply. Returns `not-now` while a rule uses it.',
    refusals: ['not-now'],
    id,
    handler: async ({ accountId, id }, { savedReplies }) => {
      if (!(await savedReplies.remove(accountId, id))) throw notFound('saved reply');
    },
  }),
  route('POST /v1/saved-replies/:id/use', {
    access: dailyWork(answersUnaudited),
    operationId: 'useSavedReply',
    title: 'Use a saved reply',
    description:
      'Returns the text for a conversation, with names in place of the variables, and counts the use. Sends nothing.',
    id,
    body: z.object({
      conversation_id: field(idText('a conversation'), 'Id of the conversation.', '1774337460000061'),
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
