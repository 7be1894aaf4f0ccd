import { z } from 'zod';
import { changes, dailyWork, reads } from '../../../api/access/rules.ts';
import { iso, out } from '../../../api/openapi/out.ts';
import { because } from '../../../api/schema-problems.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
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
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import { channelNames } from '../../../engine/messages/v1/fields.ts';
import { timeOfId } from '../../../kit/ids.ts';
import { displayRecipient } from '../../../kit/numbers/phone-numbers.ts';
import { folded } from '../../../kit/text/folded.ts';
import type { CoreContext } from '../../../run/services.ts';
import {
  type ConversationRule,
  MAX_RULES,
  type RuleInput,
  type RuleLogRow,
  type RuleRow,
  ruleMatches,
  ruleTimes,
} from '../rules.ts';
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
  channels: 'Channels of the messages; empty: all.',
  senders: 'Numbers or addresses of yours to which the client wrote; empty: all.',
  keywords:
    'Words of which the message has one, compared without case, vowel signs and surrounding punctuation; empty: all messages.',
  match:
    '`exact`: the whole message is a keyword; `contains`: the message contains one; `starts`: the message begins with one.',
  when: '`open-hours` or `closed-hours`: the rule applies only then, by the opening hours of the settings.',
  first: 'Whether the rule applies only to the message that started or reopened the conversation.',
  reply:
    'Text of an automatic reply; null: none. At most five automatic replies are sent to one client within an hour.',
  saved: 'Saved reply to send as an automatic reply, instead of `reply_text`; null: none.',
  labels: 'Labels to add to the conversation.',
  assignee: 'Person to whom an unassigned conversation is assigned; null: nobody.',
  turns: 'Whether an unassigned conversation is assigned to the next person in turn.',
  webhook: 'Whether webhooks with the event `conversation.rule_matched` are notified.',
  stop: 'Whether later rules are skipped.',
} as const;

const fields = {
  name: field(requiredText(MAX_NAME).pipe(storable(MAX_NAME)), 'Name of the rule.', 'Prices'),
  enabled: field(flag, 'Whether the rule is enabled.', true),
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
  id: out.id('Id of the rule.', ID),
  name: out.text('`name`.', 'Prices'),
  enabled: out.flag('Whether the rule is enabled.', true),
  stopped: out.maybeOneOf(
    ['author'],
    'Reason why the service disabled the rule. `author`: the token or person that created it was removed or lost the right. Enable the rule to become its author.',
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
  matches: out.count('Number of matches in the stored conversations; 10,000 at most.', 17),
  last_match_at: out.maybeTime('Time of the last match'),
});
const logAnswer = z.object({
  id: out.id('Id of the entry.', '1774337460000065'),
  at: out.time('Time of the match'),
  conversation_id: out.id('Id of the conversation.', '1774337460000061'),
  client: out.text('Client: a number, an email address, or an id of the chat platform.', '0501234567'),
  client_name: sensitive(out.text('Profile name; empty if unknown.', 'Noa Bar'), 'conversation-text'),
  message_id: out.maybeText(
    'Text of the message; null for a reply that could not be sent.',
    '1774337460000066',
  ),
  reply: out.maybeOneOf(
    ['sent', 'limited', 'failed'],
    '`sent`: a reply was sent; `limited`: the client had received five within the hour; `failed`: the reply could not be sent. null: the rule has no reply.',
    'sent',
  ),
  assigned: out.flag('Whether it assigned the conversation.', false),
  labelled: out.flag('Whether it added labels.', false),
  webhook: out.flag('Whether it notified webhooks.', false),
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

/** Converts senders for the domain: numbers in digits. */
const sendersOf = (senders: readonly string[], { numbers }: RulesDeps): string[] =>
  senders.map((sender) => numbers.parse(sender)?.digits ?? sender.toLowerCase());

/** Converts a new rule for the domain. */
const inputOf = (body: z.output<typeof newBody>, deps: RulesDeps): RuleInput => ({
  ...body,
  senders: sendersOf(body.senders, deps),
  saved_reply_id: idOrNull(body.saved_reply_id),
  label_ids: body.label_ids.map(Number),
  assignee_id: idOrNull(body.assignee_id),
});

/** Converts a change of a rule for the domain. */
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

/** Rules for messages of clients, applied without a person. */
export const conversationRuleRoutes = [
  route('GET /v1/conversation-rules', {
    access: reads('viewer', 'read'),
    operationId: 'listConversationRules',
    title: 'List conversation rules',
    description:
      'Lists the rules in the order in which they apply to a message of a client, with their matches. Removal requests trigger no rule.',
    answer: rowsAnswer('rules', ruleAnswer),
    handler: async ({ accountId }, { conversationRules }) => ({
      rules: (await conversationRules.list(accountId)).map(showRule),
    }),
  }),
  route('POST /v1/conversation-rules', {
    access: dailyWork(changes('owner', 'send')),
    operationId: 'createConversationRule',
    title: 'Create a conversation rule',
    description: `Creates a rule after the existing ones; an account has at most ${MAX_RULES}. All its conditions have to hold.`,
    refusals: ['not-now'],
    body: newBody,
    answer: ruleAnswer,
    handler: async ({ accountId, body }, deps) =>
      showRule(await deps.conversationRules.create(accountId, inputOf(body, deps))),
  }),
  route('GET /v1/conversation-rules/:id', {
    access: reads('viewer', 'read'),
    operationId: 'showConversationRule',
    title: 'Show a conversation rule',
    description: 'Returns a rule with its matches.',
    id,
    answer: ruleAnswer,
    handler: async ({ accountId, id }, { conversationRules }) =>
      showRule(found(await conversationRules.find(accountId, id), 'rule')),
  }),
  route('PATCH /v1/conversation-rules/:id', {
    access: dailyWork(changes('owner', 'send')),
    operationId: 'changeConversationRule',
    title: 'Change a conversation rule',
    description: 'Updates the given fields. Applies to new messages, in other processes within two seconds.',
    id,
    body: changeBody,
    answer: ruleAnswer,
    handler: async ({ accountId, id, body }, deps) =>
      showRule(found(await deps.conversationRules.change(accountId, id, changeOf(body, deps)), 'rule')),
  }),
  route('DELETE /v1/conversation-rules/:id', {
    access: dailyWork(changes('owner', 'send')),
    operationId: 'deleteConversationRule',
    title: 'Delete a conversation rule',
    description: 'Deletes the rule. Its earlier actions stay in the conversations.',
    id,
    handler: async ({ accountId, id }, { conversationRules }) => {
      if (!(await conversationRules.remove(accountId, id))) throw notFound('rule');
    },
  }),
  route('POST /v1/conversation-rules/order', {
    access: dailyWork(changes('owner', 'send')),
    operationId: 'orderConversationRules',
    title: 'Order conversation rules',
    description: 'Sets the order of the rules. The request lists each rule of the account once.',
    body: z.object({
      ids: field(listOf(idText('a rule'), MAX_RULES), 'Ids of the rules, in order.', [ID]),
    }),
    handler: async ({ accountId, body }, { conversationRules }) =>
      conversationRules.order(accountId, body.ids.map(Number)),
  }),
  route('GET /v1/conversation-rules/:id/log', {
    access: reads('viewer', 'read'),
    operationId: 'listConversationRuleLog',
    title: 'List matches of a conversation rule',
    description: 'Lists the messages that the rule matched with their results, newest first.',
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
