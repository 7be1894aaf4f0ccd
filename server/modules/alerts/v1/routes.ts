import { z } from 'zod';
import {
  changes,
  dailyWork,
  operatorChanges,
  operatorReads,
  reads,
  sends,
  withoutProof,
} from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import {
  field,
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
  rowsAnswer,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { AlertRow, Alerts } from '../alerts.ts';
import { OPERATOR } from '../condition.ts';
import { conditionsOf } from '../conditions/index.ts';
import { alertMeans } from '../notifications.ts';
import { type AlertRule, MAX_ALERT_RULES } from '../rules.ts';
import {
  alertAnswer,
  changeOf,
  kindsAnswer,
  newRuleBody,
  recipientsOf,
  ruleAnswer,
  ruleChangeBody,
  showKinds,
  showNotification,
  showRule,
  testsAnswer,
  thresholdsOf,
} from './fields.ts';

const MAX_PAGE = 100;

type AlertsDeps = Pick<CoreContext, 'alerts' | 'numbers'>;
type NewRule = z.output<ReturnType<typeof newRuleBody>>;

const alertsQuery = z.object({
  ...page(MAX_PAGE),
  state: oneOf(['open', 'ended']).optional().describe('Filters by state: open or ended.'),
  rule_id: idText('a rule').optional().describe('Filters by rule.'),
});
const openAnswer = z.object({ open: out.count('Number of open alerts.', 0) });
const testBody = z.object({
  means: field(listOf(oneOf(alertMeans), alertMeans.length).default([...alertMeans]), 'Filters by medium.', [
    'mail',
  ]),
});
const tellingAnswer = z.object({
  recipients: out.count('Number of messages to be sent. `tests` of the rule has their results.', 2),
});

const showAlert: (row: AlertRow) => z.output<typeof alertAnswer> = serializer(
  alertAnswer,
  ({ ruleName, measured, notifications }: AlertRow) => ({
    rule: ruleName,
    measured: { ...measured },
    notifications: notifications.map((one) => showNotification(one)),
  }),
);

/** Converts a new rule for the domain. Throws Refusal for invalid amounts and numbers. */
const inputOf = (body: NewRule, deps: AlertsDeps) => ({
  name: body.name,
  kind: body.kind,
  enabled: body.enabled,
  thresholds: thresholdsOf(body.thresholds),
  forMinutes: body.for_minutes,
  clearMinutes: body.clear_minutes,
  pauseMinutes: body.pause_minutes,
  recipients: recipientsOf(body.recipients, deps),
});

const listAlerts = (
  accountId: number,
  { after, limit, state, rule_id }: z.output<typeof alertsQuery>,
  { alerts }: AlertsDeps,
) => {
  const ruleId = rule_id === undefined ? undefined : Number(rule_id);
  return pageOf(
    'alerts',
    showAlert,
    readPage(limit, (most) => alerts.list(accountId, { state, ruleId, before: after, limit: most })),
  );
};

/** Formats a rule for responses, with its unconfirmed recipients. */
const shown = async (rule: AlertRule, { rules }: Alerts) =>
  showRule({ ...rule, unconfirmed: await rules.unconfirmed(rule) });

const ruleId = idOf('rule');
/** Names of the domain's fields in bodies. */
const fieldNames = { accountId: 'recipients.account_id' };
const rulesAnswer = rowsAnswer('rules', ruleAnswer);
const alertsAnswer = pageAnswer('alerts', alertAnswer);
const created = `Omitted thresholds have the defaults of the kind. An account has at most ${MAX_ALERT_RULES} rules. Recipients outside the account are asked for confirmation first.`;

const ofAccount = resource<AlertsDeps>('account');

/** Alert rules and alerts of an account. */
export const alertRoutes = [
  ofAccount('GET /v1/alert-kinds', {
    access: reads('viewer', 'read'),
    operationId: 'listAlertKinds',
    title: 'List kinds of alert rules',
    description: 'Returns the kinds that rules of accounts can have, with their thresholds and defaults.',
    answer: kindsAnswer,
    handler: async ({ accountId }) => showKinds(conditionsOf(accountId === OPERATOR)),
  }),
  ofAccount('GET /v1/alert-rules', {
    access: reads('viewer', 'read'),
    operationId: 'listAlertRules',
    title: 'List alert rules',
    description: 'Lists the alert rules of the account, oldest first.',
    answer: rulesAnswer,
    handler: async ({ accountId }, { alerts }) => ({
      rules: await Promise.all((await alerts.rules.list(accountId)).map((rule) => shown(rule, alerts))),
    }),
  }),
  ofAccount('POST /v1/alert-rules', {
    access: dailyWork(changes('owner', 'send')),
    operationId: 'createAlertRule',
    title: 'Create an alert rule',
    description: created,
    refusals: ['not-now', 'bad-amount', 'over-budget'],
    body: newRuleBody('low-balance', { below: '100', subscribers: true }),
    answer: ruleAnswer,
    fieldNames,
    handler: async ({ accountId, body }, deps) =>
      shown(await deps.alerts.rules.create(accountId, inputOf(body, deps)), deps.alerts),
  }),
  ofAccount('GET /v1/alert-rules/:id', {
    access: reads('viewer', 'read'),
    operationId: 'showAlertRule',
    title: 'Show an alert rule',
    description: 'Returns one rule.',
    id: ruleId,
    answer: ruleAnswer,
    handler: async ({ accountId, id }, { alerts }) =>
      shown(found(await alerts.rules.find(accountId, id), 'rule'), alerts),
  }),
  ofAccount('PATCH /v1/alert-rules/:id', {
    access: dailyWork(changes('owner', 'send')),
    operationId: 'changeAlertRule',
    title: 'Change an alert rule',
    description: 'Updates the given fields. Switching a rule off ends its alerts without a notification.',
    refusals: ['bad-amount', 'over-budget'],
    id: ruleId,
    body: ruleChangeBody,
    answer: ruleAnswer,
    fieldNames,
    handler: async ({ accountId, id, body }, deps) =>
      shown(found(await deps.alerts.rules.change(accountId, id, changeOf(body, deps)), 'rule'), deps.alerts),
  }),
  ofAccount('DELETE /v1/alert-rules/:id', {
    access: dailyWork(changes('owner', 'send')),
    operationId: 'deleteAlertRule',
    title: 'Delete an alert rule',
    description: 'Deletes the rule. Its alerts end and stay in the history; no notification is sent.',
    id: ruleId,
    handler: async ({ accountId, id }, { alerts }) => {
      if (!(await alerts.rules.remove(accountId, id))) throw notFound('rule');
    },
  }),
  ofAccount('POST /v1/alert-rules/:id/test', {
    access: withoutProof(sends(changes('owner', 'send'), 'plain')),
    operationId: 'testAlertRule',
    title: 'Send a test alert',
    description:
      'Sends an example to the recipients of the rule. Recipients who have not confirmed receive nothing. The account pays for SMS, and each recipient counts in the budget `tests`.',
    refusals: ['over-budget'],
    id: ruleId,
    body: testBody,
    isBodyOptional: true,
    answer: tellingAnswer,
    handler: async ({ accountId, id, body, once }, { alerts }) =>
      once(async (use) => {
        const told = await alerts.test(accountId, id, body.means, use?.answering(asIs));
        return found(told, 'rule');
      }),
  }),
  ofAccount('GET /v1/alert-rules/:id/tests', {
    access: reads('viewer', 'read'),
    operationId: 'listAlertTests',
    title: 'List tests of an alert rule',
    description: 'Returns the results of the last test alerts, for each recipient.',
    id: ruleId,
    answer: testsAnswer,
    handler: async ({ accountId, id }, { alerts }) => {
      found(await alerts.rules.find(accountId, id), 'rule');
      return { tests: (await alerts.tests(accountId, id)).map((one) => showNotification(one)) };
    },
  }),
  ofAccount('GET /v1/alerts', {
    access: reads('viewer', 'read'),
    operationId: 'listAlerts',
    title: 'List alerts',
    description: 'Lists alerts, newest first, with their notifications.',
    query: alertsQuery,
    answer: alertsAnswer,
    handler: async ({ accountId, query }, deps) => listAlerts(accountId, query, deps),
  }),
  ofAccount('GET /v1/alerts/open', {
    access: reads('viewer', 'read'),
    operationId: 'countOpenAlerts',
    title: 'Count open alerts',
    description: 'Returns the number of open alerts.',
    answer: openAnswer,
    handler: async ({ accountId }, { alerts }) => ({ open: await alerts.countOpen(accountId) }),
  }),
];

const asIs = (told: { readonly recipients: number }) => told;

const ofOperator = resource<AlertsDeps>('operator');

/** Alert rules and alerts of the operator. */
export const operatorAlertRoutes = [
  ofOperator('GET /v1/operator/alert-kinds', {
    access: operatorReads,
    operationId: 'listOperatorAlertKinds',
    title: 'List kinds of alert rules of the operator',
    description: 'Returns the kinds that rules of the operator can have, with their thresholds and defaults.',
    answer: kindsAnswer,
    handler: async () => showKinds(conditionsOf(true)),
  }),
  ofOperator('GET /v1/operator/alert-rules', {
    access: operatorReads,
    operationId: 'listOperatorAlertRules',
    title: 'List alert rules of the operator',
    description: 'Lists the rules that alert the operator’s people, oldest first.',
    answer: rulesAnswer,
    handler: async (_call, { alerts }) => ({
      rules: await Promise.all((await alerts.rules.list(OPERATOR)).map((rule) => shown(rule, alerts))),
    }),
  }),
  ofOperator('POST /v1/operator/alert-rules', {
    access: dailyWork(operatorChanges),
    operationId: 'createOperatorAlertRule',
    title: 'Create an alert rule of the operator',
    description: created,
    refusals: ['not-now', 'bad-amount', 'over-budget'],
    body: newRuleBody('connector-down', {}),
    answer: ruleAnswer,
    fieldNames,
    handler: async ({ body }, deps) =>
      shown(await deps.alerts.rules.create(OPERATOR, inputOf(body, deps)), deps.alerts),
  }),
  ofOperator('GET /v1/operator/alert-rules/:id', {
    access: operatorReads,
    operationId: 'showOperatorAlertRule',
    title: 'Show an alert rule of the operator',
    description: 'Returns one rule.',
    id: ruleId,
    answer: ruleAnswer,
    handler: async ({ id }, { alerts }) =>
      shown(found(await alerts.rules.find(OPERATOR, id), 'rule'), alerts),
  }),
  ofOperator('PATCH /v1/operator/alert-rules/:id', {
    access: dailyWork(operatorChanges),
    operationId: 'changeOperatorAlertRule',
    title: 'Change an alert rule of the operator',
    description: 'Updates the given fields. Switching a rule off ends its alerts without a notification.',
    refusals: ['bad-amount', 'over-budget'],
    id: ruleId,
    body: ruleChangeBody,
    answer: ruleAnswer,
    fieldNames,
    handler: async ({ id, body }, deps) =>
      shown(found(await deps.alerts.rules.change(OPERATOR, id, changeOf(body, deps)), 'rule'), deps.alerts),
  }),
  ofOperator('DELETE /v1/operator/alert-rules/:id', {
    access: dailyWork(operatorChanges),
    operationId: 'deleteOperatorAlertRule',
    title: 'Delete an alert rule of the operator',
    description: 'Deletes the rule. Its alerts end and stay in the history; no notification is sent.',
    id: ruleId,
    handler: async ({ id }, { alerts }) => {
      if (!(await alerts.rules.remove(OPERATOR, id))) throw notFound('rule');
    },
  }),
  ofOperator('POST /v1/operator/alert-rules/:id/test', {
    access: withoutProof(sends(operatorChanges, 'plain')),
    operationId: 'testOperatorAlertRule',
    title: 'Send a test alert of the operator',
    description:
      'Sends an example to the recipients of the rule. The account of the rule pays for SMS; without an account no SMS is sent, and a send key is ignored.',
    id: ruleId,
    body: testBody,
    isBodyOptional: true,
    answer: tellingAnswer,
    handler: async ({ id, body, once }, { alerts }) => {
      const { recipients } = found(await alerts.rules.find(OPERATOR, id), 'rule');
      // The send key is stored with the account that pays.
      if (recipients.accountId === null)
        return found(await alerts.test(OPERATOR, id, body.means, undefined), 'rule');
      return once(
        async (use) => {
          const told = await alerts.test(OPERATOR, id, body.means, use?.answering(asIs));
          return found(told, 'rule');
        },
        { accountId: recipients.accountId },
      );
    },
  }),
  ofOperator('GET /v1/operator/alert-rules/:id/tests', {
    access: operatorReads,
    operationId: 'listOperatorAlertTests',
    title: 'List tests of an alert rule of the operator',
    description: 'Returns the results of the last test alerts, for each recipient.',
    id: ruleId,
    answer: testsAnswer,
    handler: async ({ id }, { alerts }) => {
      found(await alerts.rules.find(OPERATOR, id), 'rule');
      return { tests: (await alerts.tests(OPERATOR, id)).map((one) => showNotification(one)) };
    },
  }),
  ofOperator('GET /v1/operator/alerts', {
    access: operatorReads,
    operationId: 'listOperatorAlerts',
    title: 'List alerts of the operator',
    description: 'Lists alerts, newest first, with their notifications.',
    query: alertsQuery,
    answer: alertsAnswer,
    handler: async ({ query }, deps) => listAlerts(OPERATOR, query, deps),
  }),
  ofOperator('GET /v1/operator/alerts/open', {
    access: operatorReads,
    operationId: 'countOpenOperatorAlerts',
    title: 'Count open alerts of the operator',
    description: 'Returns the number of open alerts.',
    answer: openAnswer,
    handler: async (_call, { alerts }) => ({ open: await alerts.countOpen(OPERATOR) }),
  }),
];
