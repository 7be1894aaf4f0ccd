import { z } from 'zod';
import { changes, operatorChanges, operatorReads, proven, reads } from '../../api/access/rules.ts';
import { out } from '../../api/openapi/out.ts';
import { field, found, idOf, oneOf, whole } from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import type { CoreContext } from '../../run/services.ts';
import { textModes } from '../../secrets/text-storage.ts';
import { type Kept, type RetentionKind, retentionKinds, retentionMeanings } from './kinds.ts';

/* Retention periods of an account, for its owners and for the operator. */

const MAX_DAYS = 10_000;

const kindAnswer = z.object({
  days: out.count('Retention in days.', 30),
  asked: out.maybeCount('Retention that the account chose, in days; null: the maximum.', 30),
  limit: out.count('Maximum that the account can choose, in days.', 400),
  own_limit: out.maybeCount(
    'Limit that the operator set for this account, in days; null: the limit of the installation.',
    null,
  ),
  installation: out.count(
    'Maximum that the operator can allow, in days: the setting of the installation.',
    400,
  ),
  least: out.count('Minimum in days.', 1),
});
const retentionAnswer = z.object(
  Object.fromEntries(
    retentionKinds.map((kind) => [kind, kindAnswer.describe(retentionMeanings[kind])]),
  ) as Record<RetentionKind, typeof kindAnswer>,
);

const bodyOf = (none: string) =>
  z.object(
    Object.fromEntries(
      retentionKinds.map((kind) => [
        kind,
        field(
          whole(1, MAX_DAYS).nullable().optional(),
          `Days; null: ${none}. ${retentionMeanings[kind]}`,
          null,
        ),
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
  '`plain`: unencrypted; `sealed`: encrypted; `none`: encrypted until they are sent, and then removed.';
const modesAnswer = z.object({
  mode: out.oneOf(textModes, `Current storage of texts. ${modeMeaning}`, 'sealed'),
  asked: out.maybeOneOf(
    textModes,
    'Mode that the account chose; null: the mode of the installation.',
    'sealed',
  ),
  installation: out.oneOf(textModes, 'Least strict mode that the installation allows.', 'plain'),
});
const modeBody = z.object({
  mode: field(oneOf(textModes).nullable(), `${modeMeaning} null: the mode of the installation.`, 'sealed'),
});

const route = resource<Pick<CoreContext, 'retention' | 'accounts'>>('account');
const ofOperator = resource<Pick<CoreContext, 'retention' | 'accounts'>>('operator');

export const retentionRoutes = [
  route('GET /v1/data/retention', {
    access: reads('owner'),
    operationId: 'showRetention',
    title: 'Show the retention times',
    description: 'Returns the retention times of the account in days, with their limits.',
    answer: retentionAnswer,
    handler: async ({ accountId }, { retention }) => show(await retention.find(accountId)),
  }),
  route('PATCH /v1/data/retention', {
    access: proven(changes('owner')),
    operationId: 'changeRetention',
    title: 'Change the retention times',
    description:
      'Updates the given retention times. Older data is removed within an hour and cannot be restored. Waiting messages, and messages whose delivery receipt may still arrive, are kept complete.',
    body: bodyOf('the maximum'),
    answer: retentionAnswer,
    handler: async ({ accountId, body, note }, { retention }) =>
      show(await retention.ask(accountId, body, note)),
  }),
  route('GET /v1/data/texts', {
    access: reads('owner'),
    operationId: 'showTextStorage',
    title: 'Show how texts are stored',
    description:
      'Returns how texts of messages are stored in the database: the stricter of the modes of the account and the installation.',
    answer: modesAnswer,
    handler: async ({ accountId }, { retention }) => ({ ...(await retention.textModes(accountId)) }),
  }),
  route('PATCH /v1/data/texts', {
    access: proven(changes('owner')),
    operationId: 'changeTextStorage',
    title: 'Change how texts are stored',
    description:
      'Changes how new texts are stored, in every process within a second; stored texts stay unchanged until their retention time is over. With `none`, stored texts and events are removed as soon as no work waits for them.',
    body: modeBody,
    answer: modesAnswer,
    handler: async ({ accountId, body, note }, { retention }) => ({
      ...(await retention.changeTextMode(accountId, body.mode, note)),
    }),
  }),
  ofOperator('GET /v1/operator/accounts/:id/retention', {
    access: operatorReads,
    operationId: 'showAccountRetention',
    title: 'Show the retention limits of an account',
    description: 'Returns the limits that the operator set for the account, and the choices of the account.',
    id: idOf('account'),
    answer: retentionAnswer,
    handler: async ({ id }, { retention, accounts }) => {
      found(await accounts.byId(id), 'account');
      return show(await retention.find(id));
    },
  }),
  ofOperator('PATCH /v1/operator/accounts/:id/retention', {
    access: proven(operatorChanges),
    operationId: 'limitAccountRetention',
    title: 'Change the retention limits of an account',
    description:
      'Updates the retention limits of the account, within the settings of the installation. The choices of the account are kept and apply as far as the limits allow.',
    id: idOf('account'),
    body: bodyOf('the limit of the installation'),
    answer: retentionAnswer,
    handler: async ({ id, body, note }, { retention, accounts }) => {
      found(await accounts.byId(id), 'account');
      return show(await retention.limit(id, body, note));
    },
  }),
];
