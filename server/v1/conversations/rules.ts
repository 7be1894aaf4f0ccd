import { z } from 'zod';
import {
  type ConversationRule,
  MAX_RULES,
  type RuleInput,
  type RuleLogRow,
  type RuleRow,
  ruleMatches,
  ruleTimes,
} from '../../conversations/rules.ts';
import type { CoreContext } from '../../core.ts';
import { timeOfId } from '../../ids.ts';
import { iso, out } from '../../interfaces/openapi/out.ts';
import { because } from '../../interfaces/schema-problems.ts';
import { sensitive } from '../../interfaces/v1/field-rights.ts';
import {
  field,
  flag,
  found,
  idOf,
  idText,
  listOf,
  notFound,
  oneOf,
  page,
  pageAnswer,
  pageOf,
  readPage,
  requiredText,
  rowsAnswer,
} from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { storable } from '../../interfaces/v1/kit/text-fields.ts';
import { displayRecipient } from '../../numbers/numbers.ts';
import { folded } from '../../text/folded.ts';
import { channelNames } from '../messages/fields.ts';
import { replyText } from './saved-replies.ts';

const MAX_NAME = 60;
const MAX_KEYWORDS = 50;
const MAX_KEYWORD = 100;
const MAX_SENDERS = 50;
const MAX_LABELS = 20;
const MAX_LOG = 100;

const ID = '1774337460000064';
const keyword = requiredText(MAX_KEYWORD)
  .pipe(storable(MAX_KEYWORD))
  .refine((given) => folded(given) !== '', because('has no letter or digit', 'not-a-keyword'));
const idOrNone = (what: string) => idText(what).nullable();

const meanings = {
  channels: 'Only messages over one of these channels; empty: all.',
  senders: 'Only messages to one of these numbers or addresses of yours; empty: all.',
  keywords:
    'Only messages that have one of these words, compared without case, vowel signs and punctuation around; empty: all.',
  match:
    '`exact`: the whole message is a keyword; `contains`: it is in the message; `starts`: the message begins with it.',
  when: '`open-hours` or `closed-hours`: only then, by the opening hours of the settings.',
  first: 'Only the message that began the conversation, or opened it again.',
  reply:
    'Sent as an automatic reply; null: none. At most five automatic replies go to one client within an hour.',
  saved: 'A saved reply that is sent as an automatic reply, in place of `reply_text`; null: none.',
  labels: 'Labels that the conversation gets.',
  assignee: 'Whom the conversation is assigned to when nobody has it; null: nobody.',
  turns: 'Assigns it to the next person by turns, when nobody has it.',
  webhook: 'Tells webhooks that want the event `conversation.rule_matched`.',
  stop: 'Later rules do not look at the message.',
} as const;

const fields = {
  name: field(requiredText(MAX_NAME).pipe(storable(MAX_NAME)), 'What it is called.', 'Prices'),
  enabled: field(flag, 'Whether it looks at messages.', true),
  channels: field(listOf(oneOf(channelNames), channelNames.length), meanings.channels, ['sms', 'chat']),
  senders: field(listOf(requiredText(100), MAX_SENDERS), meanings.senders, []),
  keywords: field(listOf(keyword, MAX_KEYWORDS), meanings.keywords, ['price', 'how much']),
  match: field(oneOf(ruleMatches), meanings.match, 'contains'),
  when: field(oneOf(ruleTimes), meanings.when, 'always'),
  first_only: field(flag, meanings.first, false),
  saved_reply_id: field(idOrNone('a saved reply'), meanings.saved, null),
  reply_text: field(replyText.nullable(), meanings.reply, 'Our prices: https://shop.example/prices'),
  label_ids: field(listOf(idText('a label'), MAX_LABELS), meanings.labels, []),
  assignee_id: field(idOrNone('a person'), meanings.assignee, null),
  assign_by_turns: field(flag, meanings.turns, false),
  webhook: field(flag, meanings.webhook, false),
  stop: field(flag, meanings.stop, true),
};
const newBody = z.object({
  ...fields,
  enabled: fields.enabled.default(true),
  channels: fields.channels.default([]),
  senders: fields.senders.default([]),
  keywords: fields.keywords.default([]),
  match: fields.match.default('contains'),
  when: fields.when.default('always'),
  first_only: fields.first_only.default(false),
  saved_reply_id: fields.saved_reply_id.default(null),
  reply_text: fields.reply_text.default(null),
  label_ids: fields.label_ids.default([]),
  assignee_id: fields.assignee_id.default(null),
  assign_by_turns: fields.assign_by_turns.default(false),
  webhook: fields.webhook.default(false),
  stop: fields.stop.default(false),
});
const changeBody = z.object(fields).partial();

const ruleAnswer = z.object({
  id: out.id('Its id.', ID),
  name: out.text('`name`.', 'Prices'),
  enabled: out.flag('Whether it looks at messages.', true),
  stopped: out.maybeOneOf(
    ['author'],
    'Why the service switched the rule off. `author`: the token or person that made it was removed or lost the right. Enable the rule to become its author.',
    null,
  ),
  channels: out.texts(meanings.channels, ['sms', 'chat']),
  senders: out.texts(meanings.senders, []),
  keywords: out.texts(meanings.keywords, ['price', 'how much']),
  match: out.oneOf(ruleMatches, meanings.match, 'contains'),
  when: out.oneOf(ruleTimes, meanings.when, 'always'),
  first_only: out.flag(meanings.first, false),
  saved_reply_id: out.maybeId(meanings.saved, null),
  reply_text: out.maybeText(meanings.reply, 'Our prices: https://shop.example/prices'),
  label_ids: out.texts(meanings.labels, []),
  assignee_id: out.maybeId(meanings.assignee, null),
  assign_by_turns: out.flag(meanings.turns, false),
  webhook: out.flag(meanings.webhook, false),
  stop: out.flag(meanings.stop, true),
  matches: out.count('How often it has matched, as far as conversations are kept; 10,000 at most.', 17),
  last_match_at: out.maybeTime('When it matched last'),
});
const logAnswer = z.object({
  id: out.id('The id of the entry.', '1774337460000065'),
  at: out.time('When it matched'),
  conversation_id: out.id('The conversation.', '1774337460000061'),
  client: out.text('The client: a number, a mail address, or an id of the chat platform.', '0501234567'),
  client_name: sensitive(
    out.text('The name of their profile; empty where it is not known.', 'Noa Bar'),
    'conversation-text',
  ),
  message_id: out.maybeText('The message; null for a reply that could not be sent.', '1774337460000066'),
  reply: out.maybeOneOf(
    ['sent', 'limited', 'failed'],
    '`sent`: a reply was sent; `limited`: the client had five within the hour; `failed`: it could not be sent. null: the rule has none.',
    'sent',
  ),
  assigned: out.flag('Whether it assigned the conversation.', false),
  labelled: out.flag('Whether it has labels to set.', false),
  webhook: out.flag('Whether it told webhooks.', false),
});

const show = serializer(ruleAnswer, ({ channels, senders, keywords, label_ids }: ConversationRule) => ({
  channels: [...channels],
  senders: senders.map(displayRecipient),
  keywords: [...keywords],
  label_ids: label_ids.map(String),
}));
const showRule: (row: RuleRow) => z.output<typeof ruleAnswer> = show;

function showLog({
  id,
  conversation_id,
  client,
  client_name,
  details,
}: RuleLogRow): z.output<typeof logAnswer> {
  const { message_id = null, reply = null, failed, assigned, labels, webhook } = details ?? {};
  return {
    id: String(id),
    at: iso(timeOfId(id)),
    conversation_id: String(conversation_id),
    client: displayRecipient(client),
    client_name,
    message_id: message_id as string | null,
    reply: failed === undefined ? (reply as 'sent' | 'limited' | null) : 'failed',
    assigned: assigned === true,
    labelled: labels !== undefined,
    webhook: webhook === true,
  };
}

type RulesDeps = Pick<CoreContext, 'conversationRules' | 'numbers'>;

const idOrNull = (id: string | null) => (id === null ? null : Number(id));

/** Senders as the domain has them: numbers in digits. */
const sendersOf = (senders: readonly string[], { numbers }: RulesDeps): string[] =>
  senders.map((sender) => numbers.parse(sender)?.digits ?? sender.toLowerCase());

/** A new rule as the domain has it. */
const inputOf = (body: z.output<typeof newBody>, deps: RulesDeps): RuleInput => ({
  ...body,
  senders: sendersOf(body.senders, deps),
  saved_reply_id: idOrNull(body.saved_reply_id),
  label_ids: body.label_ids.map(Number),
  assignee_id: idOrNull(body.assignee_id),
});

/** What is changed, as the domain has it. */
function changeOf(
  { senders, saved_reply_id, label_ids, assignee_id, ...same }: z.output<typeof changeBody>,
  deps: RulesDeps,
) {
  return {
    ...same,
    senders: senders && sendersOf(senders, deps),
    saved_reply_id: saved_reply_id === undefined ? undefined : idOrNull(saved_reply_id),
    label_ids: label_ids?.map(Number),
    assignee_id: assignee_id === undefined ? undefined : idOrNull(assignee_id),
  };
}

const id = idOf('rule');
const route = resource<RulesDeps>('conversations');

/** What is done with messages of clients without a person. */
export const conversationRuleRoutes = [
  route('GET /v1/conversation-rules', {
    operationId: 'listConversationRules',
    title: 'List conversation rules',
    description:
      'In the order in which they look at a message of a client, with what they did. A message that asks for removal triggers none.',
    answer: rowsAnswer('rules', ruleAnswer),
    handler: async ({ accountId }, { conversationRules }) => ({
      rules: (await conversationRules.list(accountId)).map(showRule),
    }),
  }),
  route('POST /v1/conversation-rules', {
    operationId: 'createConversationRule',
    title: 'Create a conversation rule',
    description: `Comes after the others; an account has at most ${MAX_RULES}. All its conditions have to hold.`,
    refusals: ['not-now'],
    body: newBody,
    answer: ruleAnswer,
    handler: async ({ accountId, body }, deps) =>
      showRule(await deps.conversationRules.create(accountId, inputOf(body, deps))),
  }),
  route('GET /v1/conversation-rules/:id', {
    operationId: 'showConversationRule',
    title: 'Show a conversation rule',
    description: 'A rule with what it did.',
    id,
    answer: ruleAnswer,
    handler: async ({ accountId, id }, { conversationRules }) =>
      showRule(found(await conversationRules.find(accountId, id), 'rule')),
  }),
  route('PATCH /v1/conversation-rules/:id', {
    operationId: 'changeConversationRule',
    title: 'Change a conversation rule',
    description:
      'What is given is changed; it holds for messages from then on, in other processes within two seconds.',
    id,
    body: changeBody,
    answer: ruleAnswer,
    handler: async ({ accountId, id, body }, deps) =>
      showRule(found(await deps.conversationRules.change(accountId, id, changeOf(body, deps)), 'rule')),
  }),
  route('DELETE /v1/conversation-rules/:id', {
    operationId: 'deleteConversationRule',
    title: 'Delete a conversation rule',
    description: 'What it did stays in the conversations.',
    id,
    handler: async ({ accountId, id }, { conversationRules }) => {
      if (!(await conversationRules.remove(accountId, id))) throw notFound('rule');
    },
  }),
  route('POST /v1/conversation-rules/order', {
    operationId: 'orderConversationRules',
    title: 'Order conversation rules',
    description: 'Sets the order in which rules look at a message. Each rule of the account is given once.',
    body: z.object({
      ids: field(listOf(idText('a rule'), MAX_RULES), 'The rules in their order.', [ID]),
    }),
    handler: async ({ accountId, body }, { conversationRules }) =>
      conversationRules.order(accountId, body.ids.map(Number)),
  }),
  route('GET /v1/conversation-rules/:id/log', {
    operationId: 'listConversationRuleLog',
    title: 'List what a conversation rule did',
    description: 'The messages that it matched and what came of it, the newest first.',
    id,
    query: z.object(page(MAX_LOG)),
    answer: pageAnswer('entries', logAnswer),
    handler: async ({ accountId, id, query: { after, limit } }, { conversationRules }) =>
      pageOf(
        'entries',
        showLog,
        readPage(limit, async (most) =>
          found(await conversationRules.log(accountId, id, after, most), 'rule'),
        ),
      ),
  }),
];
