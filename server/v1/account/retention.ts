import { z } from 'zod';
import type { CoreContext } from '../../core.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { field, found, idOf, oneOf, whole } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { type Kept, type RetentionKind, retentionKinds } from '../../retention/kinds.ts';
import { textModes } from '../../secrets/text-storage.ts';

/* How long an account keeps what, for its owners and for the operator. */

const meanings: Readonly<Record<RetentionKind, string>> = {
  texts: 'Texts of messages, sent and received: a message without its text still has its state and price.',
  messages: 'Messages, sent and received, with their campaigns, clicks and bounces.',
  conversations: 'Conversations after their last message, with notes.',
  events: 'Events, and their deliveries to webhooks and push addresses; never longer than texts.',
  requests: 'The request log.',
  audit: 'The audit log.',
  media: 'Files of chat messages.',
};

const MAX_DAYS = 10_000;

const kindAnswer = z.object({
  days: out.count('How many days it is kept.', 30),
  asked: out.maybeCount('What the account asked for; null: as long as it may.', 30),
  limit: out.count('The most that the account may ask for.', 400),
  own_limit: out.maybeCount(
    'What the operator has set for this account; null: the limit is that of the installation.',
    null,
  ),
  installation: out.count('The most that the operator may allow: the setting of the installation.', 400),
  least: out.count('The least that may be asked for.', 1),
});
const retentionAnswer = z.object(
  Object.fromEntries(retentionKinds.map((kind) => [kind, kindAnswer.describe(meanings[kind])])) as Record<
    RetentionKind,
    typeof kindAnswer
  >,
);

const bodyOf = (none: string) =>
  z.object(
    Object.fromEntries(
      retentionKinds.map((kind) => [
        kind,
        field(whole(1, MAX_DAYS).nullable().optional(), `Days; null: ${none}. ${meanings[kind]}`, null),
      ]),
    ) as Record<RetentionKind, z.ZodOptional<z.ZodNullable<z.ZodInt>>>,
  );

const show = (kept: Kept): z.output<typeof retentionAnswer> =>
  Object.fromEntries(
    retentionKinds.map((kind) => {
      const { ownLimit: own_limit, days, ...shown } = kept[kind];
      return [kind, { days: Math.ceil(days), ...shown, own_limit }];
    }),
  ) as z.output<typeof retentionAnswer>;

const modeMeaning =
  '`plain`: as they are; `sealed`: encrypted; `none`: encrypted until they are sent, and then removed.';
const modesAnswer = z.object({
  mode: out.oneOf(textModes, `How texts are stored now. ${modeMeaning}`, 'sealed'),
  asked: out.maybeOneOf(textModes, 'What the account asked for; null: as the installation does.', 'sealed'),
  installation: out.oneOf(textModes, 'The least strict one that the installation allows.', 'plain'),
});
const modeBody = z.object({
  mode: field(oneOf(textModes).nullable(), `${modeMeaning} null: as the installation does.`, 'sealed'),
});

const route = resource<Pick<CoreContext, 'retention' | 'accounts'>>('account');
const ofOperator = resource<Pick<CoreContext, 'retention' | 'accounts'>>('operator');

export const retentionRoutes = [
  route('GET /v1/data/retention', {
    operationId: 'showRetention',
    title: 'Show the retention times',
    description: 'How many days the account keeps what, and between what it may choose.',
    answer: retentionAnswer,
    handler: async ({ accountId }, { retention }) => show(await retention.find(accountId)),
  }),
  route('PATCH /v1/data/retention', {
    operationId: 'changeRetention',
    title: 'Change the retention times',
    description:
      'What is older is removed within an hour, and cannot be restored. Messages that wait, and those whose delivery receipt may still come, keep everything.',
    body: bodyOf('as long as it may'),
    answer: retentionAnswer,
    handler: async ({ accountId, body, note }, { retention }) =>
      show(await retention.ask(accountId, body, note)),
  }),
  route('GET /v1/data/texts', {
    operationId: 'showTextStorage',
    title: 'Show how texts are stored',
    description:
      'How the texts of messages stand in the database: the stricter of what the account asks for and the installation has.',
    answer: modesAnswer,
    handler: async ({ accountId }, { retention }) => ({ ...(await retention.textModes(accountId)) }),
  }),
  route('PATCH /v1/data/texts', {
    operationId: 'changeTextStorage',
    title: 'Change how texts are stored',
    description:
      'Holds for what comes from then on, in every process within a second; what is stored stays as it is until its retention time is over. With `none`, texts and events that are stored are removed as soon as nothing waits for them.',
    body: modeBody,
    answer: modesAnswer,
    handler: async ({ accountId, body, note }, { retention }) => ({
      ...(await retention.changeTextMode(accountId, body.mode, note)),
    }),
  }),
  ofOperator('GET /v1/operator/accounts/:id/retention', {
    operationId: 'showAccountRetention',
    title: 'Show the retention limits of an account',
    description: 'What the operator allows the account, and what it asked for.',
    id: idOf('account'),
    answer: retentionAnswer,
    handler: async ({ id }, { retention, accounts }) => {
      found(await accounts.byId(id), 'account');
      return show(await retention.find(id));
    },
  }),
  ofOperator('PATCH /v1/operator/accounts/:id/retention', {
    operationId: 'limitAccountRetention',
    title: 'Change the retention limits of an account',
    description:
      'How many days the account may keep what, within the settings of the installation. What it asked for stays, and counts as far as the limit allows.',
    id: idOf('account'),
    body: bodyOf('the limit of the installation'),
    answer: retentionAnswer,
    handler: async ({ id, body, note }, { retention, accounts }) => {
      found(await accounts.byId(id), 'account');
      return show(await retention.limit(id, body, note));
    },
  }),
];
