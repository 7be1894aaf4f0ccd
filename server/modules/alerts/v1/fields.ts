import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { because } from '../../../api/schema-problems.ts';
import {
  amount,
  field,
  flag,
  idText,
  listOf,
  oneOf,
  readAmount,
  requiredText,
  text,
  whole,
} from '../../../api/v1/kit/fields.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import { readMailAddress } from '../../../channels/mail/addresses.ts';
import { QUALITY_DIGITS } from '../../../engine/carriers/quality.ts';
import { badField } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import { formatAmount } from '../../accounts/money.ts';
import { alertLanguages, type Condition, type Thresholds, thresholdBounds } from '../condition.ts';
import { type AlertKind, alertKinds } from '../conditions/index.ts';
import { CLEAR_MINUTES, PAUSE_MINUTES } from '../defaults.ts';
import { alertProblems } from '../means/means.ts';
import { alertMeans } from '../notifications.ts';
import { type AlertRecipients, type AlertRule, type AlertRuleChange, MAX_RECIPIENTS } from '../rules.ts';

/* Fields of alert rules and alerts under /v1, of accounts and of the operator. */

const MAX_NAME = 60;
const MAX_ADDRESS = 254;
const DAY_MINUTES = 1_440;

const meanings = {
  kind: 'Condition of the rule (docs/alerts.md).',
  thresholds: 'Thresholds of the condition; each kind has some of these.',
  below: '`low-balance`: balance in credits.',
  subscribers: '`low-balance`: whether the balances of subscribers are checked too.',
  active: '`low-balance`: whether accounts without messages in the last week are skipped.',
  drop: '`delivery-rate` and `connector-delivery-rate`: percentage points below the rate of the previous week.',
  least:
    '`delivery-rate` and `connector-delivery-rate`: minimum number of messages of this hour and the previous one.',
  prefix: '`delivery-rate`: prefix of the numbers, international digits; empty: all.',
  minutes:
    '`queue-age` and `event-backlog`: waiting time in minutes; `webhook`: minutes for which an endpoint fails.',
  count: '`code-fraud`: stopped sends to a range of numbers within the hour.',
  free: '`disk`: free space in percent.',
  hours: 'Of `backup-age`: hours since the last backup.',
  forMinutes: 'Minutes for which the condition must hold before the alert begins.',
  clearMinutes: 'Minutes for which the condition must be absent before the alert ends.',
  pauseMinutes:
    'Minimum minutes between two notifications of the same subject; the next one counts how often the alert began.',
  recipients: 'Recipients of the notifications. Without recipients, alerts are only shown in the console.',
  owners:
    'By email: the owners of the account, or all people of the operator, whose user name is an email address.',
  mails: 'By email, free of charge.',
  phones: 'By SMS, which the account pays for.',
  webhook: 'By the events `alert.began` and `alert.ended`.',
  language: 'Language of SMS, and of emails to addresses that are not a user name.',
  account: 'Operator rules: account whose SMS and webhooks are used; null: none. Null for rules of accounts.',
} as const;

const bounded = (name: keyof typeof thresholdBounds) =>
  whole(thresholdBounds[name].min, thresholdBounds[name].max);
const thresholds = z
  .object({
    below: field(amount, meanings.below, '100'),
    subscribers: field(flag, meanings.subscribers, true),
    active_only: field(flag, meanings.active, false),
    drop_percent: field(bounded('drop_percent'), meanings.drop, 20),
    min_messages: field(bounded('min_messages'), meanings.least, 50),
    prefix: field(
      // Deliveries are counted by this many digits.
      text.regex(/^\d{0,5}$/, `must be up to ${QUALITY_DIGITS} digits`),
      meanings.prefix,
      '97250',
    ),
    minutes: field(bounded('minutes'), meanings.minutes, 15),
    count: field(bounded('count'), meanings.count, 10),
    free_percent: field(bounded('free_percent'), meanings.free, 10),
    hours: field(bounded('hours'), meanings.hours, 26),
  })
  .partial();
const mail = storable(MAX_ADDRESS).refine(
  (given) => readMailAddress(given) !== undefined,
  because('not an e-mail address', 'not-an-address'),
);
const recipientFields = {
  owners: field(flag, meanings.owners, true),
  mails: field(listOf(mail, MAX_RECIPIENTS), meanings.mails, ['dana@example.com']),
  phones: field(listOf(storable(50), MAX_RECIPIENTS), meanings.phones, ['0501234567']),
  webhook: field(flag, meanings.webhook, false),
  language: field(oneOf(alertLanguages), meanings.language, 'en'),
  account_id: field(idText('an account').nullable(), meanings.account, null),
};
const recipients = z.object({
  owners: recipientFields.owners.default(false),
  mails: recipientFields.mails.default([]),
  phones: recipientFields.phones.default([]),
  webhook: recipientFields.webhook.default(false),
  language: recipientFields.language.default('en'),
  account_id: recipientFields.account_id.default(null),
});
const minutes = whole(0, DAY_MINUTES);
const fields = {
  name: field(requiredText(MAX_NAME).pipe(storable(MAX_NAME)), 'Name of the rule.', 'Low balance'),
  enabled: field(flag, 'Whether the rule is evaluated.', true),
  for_minutes: field(minutes, meanings.forMinutes, 0),
  clear_minutes: field(minutes, meanings.clearMinutes, 5),
  pause_minutes: field(minutes, meanings.pauseMinutes, 60),
};

/** The body of a new rule; `kind` is its example. */
export const newRuleBody = (kind: AlertKind, example: object) =>
  z.object({
    name: fields.name,
    kind: field(oneOf(alertKinds), meanings.kind, kind),
    thresholds: field(thresholds.default({}), meanings.thresholds, example),
    enabled: fields.enabled.default(true),
    for_minutes: field(minutes.optional(), `${meanings.forMinutes} Default: that of its kind.`, 0),
    clear_minutes: fields.clear_minutes.default(CLEAR_MINUTES),
    pause_minutes: fields.pause_minutes.default(PAUSE_MINUTES),
    recipients: recipients.prefault({}).meta({
      description: meanings.recipients,
      examples: [{ owners: true, mails: ['dana@example.com'] }],
    }),
  });

/** The body of a change of a rule. */
export const ruleChangeBody = z
  .object({
    ...fields,
    thresholds: field(thresholds, meanings.thresholds, {}),
    recipients: recipients.meta({
      description: `${meanings.recipients} Replaces all recipients.`,
      examples: [{ owners: true, mails: ['dana@example.com'] }],
    }),
  })
  .partial();

const thresholdsAnswer = z
  .object({
    below: out.text(meanings.below, '100'),
    subscribers: out.flag(meanings.subscribers, true),
    active_only: out.flag(meanings.active, false),
    drop_percent: out.count(meanings.drop, 20),
    min_messages: out.count(meanings.least, 50),
    prefix: out.text(meanings.prefix, '97250'),
    minutes: out.count(meanings.minutes, 15),
    count: out.count(meanings.count, 10),
    free_percent: out.count(meanings.free, 10),
    hours: out.count(meanings.hours, 26),
  })
  .partial();

const kindAnswer = z.object({
  kind: out.oneOf(alertKinds, 'Value for `kind` of a rule.', 'low-balance'),
  thresholds: thresholdsAnswer.meta({
    description: 'Thresholds of this kind, with the values of a rule that gives none.',
    examples: [{ below: '100', subscribers: true, active_only: false }],
  }),
  for_minutes: out.count('Default of `for_minutes` of a rule.', 0),
});
export const kindsAnswer = z.object({
  kinds: z.array(kindAnswer).describe('Kinds that rules can have.'),
  clear_minutes: out.count('Default of `clear_minutes` of a rule.', CLEAR_MINUTES),
  pause_minutes: out.count('Default of `pause_minutes` of a rule.', PAUSE_MINUTES),
});

const showThresholds = ({ below, ...others }: Thresholds) => ({
  ...others,
  ...(below !== undefined && { below: formatAmount(below) }),
});

/** Kinds of rules as answers have them. */
export const showKinds = (conditions: readonly Condition<AlertKind>[]): z.output<typeof kindsAnswer> => ({
  kinds: conditions.map(({ kind, thresholds, forMinutes }) => ({
    kind,
    thresholds: showThresholds(thresholds),
    for_minutes: forMinutes,
  })),
  clear_minutes: CLEAR_MINUTES,
  pause_minutes: PAUSE_MINUTES,
});

export const ruleAnswer = z.object({
  id: out.id('Id of the rule.', '1774337460000071'),
  name: out.text('Name of the rule.', 'Low balance'),
  kind: out.oneOf(alertKinds, meanings.kind, 'low-balance'),
  thresholds: thresholdsAnswer.meta({
    description: meanings.thresholds,
    examples: [{ below: '100', subscribers: true, active_only: false }],
  }),
  enabled: out.flag('Whether the rule is evaluated.', true),
  stopped: out.maybeOneOf(
    ['author'],
    'Reason why the service disabled the rule. `author`: the token or person that created it was removed or lost the right. Enable the rule to become its author.',
    null,
  ),
  for_minutes: out.count(meanings.forMinutes, 0),
  clear_minutes: out.count(meanings.clearMinutes, 5),
  pause_minutes: out.count(meanings.pauseMinutes, 60),
  recipients: z.object({
    owners: out.flag(meanings.owners, true),
    mails: out.texts(meanings.mails, ['dana@example.com']),
    phones: out.texts(`${meanings.phones} International digits.`, ['972501234567']),
    webhook: out.flag(meanings.webhook, false),
    language: out.oneOf(alertLanguages, meanings.language, 'en'),
    account_id: out.maybeText(meanings.account, null),
    unconfirmed: out.texts(
      'Addresses and numbers among them that receive no alerts until their owners confirm, with a link that the service sends them. People of the account and its verified numbers need not confirm.',
      ['dana@example.com'],
    ),
  }),
});

/** A rule with its unconfirmed recipients. */
export type ShownRule = AlertRule & { readonly unconfirmed: readonly string[] };

/** Formats a rule for responses. */
export const showRule: (rule: ShownRule) => z.output<typeof ruleAnswer> = serializer(
  ruleAnswer,
  ({ thresholds, recipients: { accountId, ...to }, unconfirmed }: ShownRule) => ({
    thresholds: showThresholds(thresholds),
    recipients: {
      ...to,
      mails: [...to.mails],
      phones: [...to.phones],
      account_id: accountId === null ? null : String(accountId),
      unconfirmed: [...unconfirmed],
    },
  }),
);

export const phases = ['began', 'ended', 'test'] as const;
export const notificationStates = ['waiting', 'sent', 'failed'] as const;

const notificationAnswer = z.object({
  phase: out.oneOf(phases, 'Event: the start or the end of the alert, or a test.', 'began'),
  means: out.oneOf(alertMeans, 'Medium of the notification.', 'mail'),
  recipient: out.text('Recipient: an address or a number; empty for webhooks.', 'dana@example.com'),
  state: out.oneOf(
    notificationStates,
    '`waiting`: it is retried for up to a day; `sent`: the relay, the carrier’s queue or the webhook queue has it; `failed`: no attempt follows.',
    'sent',
  ),
  attempts: out.count('Number of attempts.', 1),
  problem: out.maybeOneOf(alertProblems, 'Reason why it was not sent yet; null if it was sent.', null),
  message_id: out.maybeId('Id of the message, for an SMS.', null),
  created_at: out.time('Scheduled time of the notification'),
  settled_at: out.maybeInstant('Time at which it was sent or abandoned, ISO 8601; null: it waits.', null),
});
export const showNotification = serializer(notificationAnswer);

export const alertAnswer = z.object({
  id: out.id('Id of the alert.', '1774337460000072'),
  rule_id: out.id('Id of the rule, which may be deleted.', '1774337460000071'),
  rule: out.text('Name of the rule at that time.', 'Low balance'),
  kind: out.oneOf(alertKinds, meanings.kind, 'low-balance'),
  subject: out.text(
    'Subject: a prefix, a connector, a lane, the id of a webhook or subscriber; empty: the account itself.',
    '',
  ),
  measured: answered(
    z.record(z.string(), z.union([z.string(), z.number()])),
    'Last measured values, by kind (docs/alerts.md).',
    { account: 'shop', balance: '42.5', below: '100' },
  ),
  began_at: out.maybeTime('Time at which the alert began'),
  seen_at: out.time('Last time at which its condition held'),
  ended_at: out.maybeInstant('Time of the end, ISO 8601; null: it is open.', null),
  notifications: z.array(notificationAnswer).describe('Notifications, oldest first.'),
});
export const testsAnswer = z.object({
  tests: z.array(notificationAnswer).describe('Alerts, newest first.'),
});

type Deps = Pick<CoreContext, 'numbers'>;

/** Converts thresholds for the domain. Throws Refusal `bad-amount`. */
export function thresholdsOf({ below, ...others }: z.output<typeof thresholds>): Thresholds {
  if (below === undefined) return others as Thresholds;
  return { ...(others as Thresholds), below: readAmount(below, 'thresholds.below') };
}

/** Converts recipients for the domain. Throws Refusal `bad-field` for an invalid number. */
export function recipientsOf(
  { account_id, phones, ...others }: z.output<typeof recipients>,
  { numbers }: Deps,
): AlertRecipients {
  return {
    ...others,
    phones: phones.map((phone, index) => {
      const digits = numbers.parse(phone)?.digits;
      if (digits === undefined)
        throw badField(`recipients.phones[${index}]`, 'not a phone number', 'not-a-phone');
      return digits;
    }),
    accountId: account_id === null ? null : Number(account_id),
  };
}

/** Converts a change for the domain. Throws as `thresholdsOf` and `recipientsOf` do. */
export function changeOf(body: z.output<typeof ruleChangeBody>, deps: Deps): AlertRuleChange {
  return {
    name: body.name,
    enabled: body.enabled,
    forMinutes: body.for_minutes,
    clearMinutes: body.clear_minutes,
    pauseMinutes: body.pause_minutes,
    thresholds: body.thresholds && thresholdsOf(body.thresholds),
    recipients: body.recipients && recipientsOf(body.recipients, deps),
  };
}
