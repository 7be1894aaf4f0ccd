import { z } from 'zod';
import { formatAmount } from '../../accounts/money.ts';
import { alertKinds, type Thresholds, thresholdBounds } from '../../alerts/condition.ts';
import { CLEAR_MINUTES, PAUSE_MINUTES } from '../../alerts/defaults.ts';
import { alertProblems } from '../../alerts/means/means.ts';
import { alertMeans } from '../../alerts/notifications.ts';
import {
  type AlertRecipients,
  type AlertRule,
  type AlertRuleChange,
  alertLanguages,
  MAX_RECIPIENTS,
} from '../../alerts/rules.ts';
import { readMailAddress } from '../../channels/mail/addresses.ts';
import type { CoreContext } from '../../core.ts';
import { Refusal } from '../../errors.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { answered } from '../../interfaces/openapi/shown.ts';
import { because } from '../../interfaces/schema-problems.ts';
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
} from '../../interfaces/v1/kit/fields.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { storable } from '../../interfaces/v1/kit/text-fields.ts';
import { DELIVERY_PREFIX_DIGITS } from '../../messages/delivery-hours.ts';

/* What alert rules and alerts are made of under /v1: of accounts, and of the operator. */

const MAX_NAME = 60;
const MAX_ADDRESS = 254;
const DAY_MINUTES = 1_440;

const meanings = {
  kind: 'What the rule is about (docs/alerts.md).',
  thresholds: 'What is compared with; each kind has some of these.',
  below: 'Of `low-balance`: credits.',
  subscribers: 'Of `low-balance`: whether the balances of subscribers are looked at too.',
  active: 'Of `low-balance`: whether accounts are left out that have sent nothing for a week.',
  drop: 'Of `delivery-rate` and `connector-delivery-rate`: percentage points below the rate of the week before.',
  least: 'Of the same: messages of this hour and the one before that there must be at least.',
  prefix: 'Of `delivery-rate`: only numbers that begin with this, international digits; empty: all.',
  minutes:
    'Of `queue-age` and `event-backlog`: how long something waits; of `webhook`: how long an endpoint fails.',
  count: 'Of `code-fraud`: sends to a range of numbers that were stopped within the hour.',
  free: 'Of `disk`: percent of the disk.',
  hours: 'Of `backup-age`: hours since the last backup.',
  forMinutes: 'How long the condition holds before people are told.',
  clearMinutes: 'How long it is gone before people are told that it ended.',
  pauseMinutes:
    'For so long people are not told again of the same subject; then they are told how often it began.',
  recipients: 'Who is told. Without anybody, alerts are in the console alone.',
  owners:
    'By mail: the owners of the account, or all people of the operator, whose user name is a mail address.',
  mails: 'By mail, free of charge.',
  phones: 'By SMS, which the account pays.',
  webhook: 'By the events `alert.began` and `alert.ended`.',
  language: 'Of SMS, and of mails to addresses that are nobody’s user name.',
  account:
    'Of the operator’s rules: the account whose SMS and webhooks are used; null: none. Null for accounts.',
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
      // As many digits as deliveries are counted by.
      text.regex(/^\d{0,5}$/, `must be up to ${DELIVERY_PREFIX_DIGITS} digits`),
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
  name: field(requiredText(MAX_NAME).pipe(storable(MAX_NAME)), 'What it is called.', 'Low balance'),
  enabled: field(flag, 'Whether it is evaluated.', true),
  for_minutes: field(minutes, meanings.forMinutes, 0),
  clear_minutes: field(minutes, meanings.clearMinutes, 5),
  pause_minutes: field(minutes, meanings.pauseMinutes, 60),
};

/** The body of a new rule; `kind` is an example of those that it can have. */
export const newRuleBody = (kind: (typeof alertKinds)[number], example: object) =>
  z.object({
    name: fields.name,
    kind: field(oneOf(alertKinds), meanings.kind, kind),
    thresholds: field(thresholds.default({}), meanings.thresholds, example),
    enabled: fields.enabled.default(true),
    for_minutes: field(minutes.optional(), `${meanings.forMinutes} As its kind has it.`, 0),
    clear_minutes: fields.clear_minutes.default(CLEAR_MINUTES),
    pause_minutes: fields.pause_minutes.default(PAUSE_MINUTES),
    recipients: recipients.prefault({}).meta({
      description: meanings.recipients,
      examples: [{ owners: true, mails: ['dana@example.com'] }],
    }),
  });

/** What may be changed of a rule. */
export const ruleChangeBody = z
  .object({
    ...fields,
    thresholds: field(thresholds, meanings.thresholds, {}),
    recipients: recipients.meta({
      description: `${meanings.recipients} Given as a whole.`,
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

export const ruleAnswer = z.object({
  id: out.id('Its id.', '1774337460000071'),
  name: out.text('What it is called.', 'Low balance'),
  kind: out.oneOf(alertKinds, meanings.kind, 'low-balance'),
  thresholds: thresholdsAnswer.meta({
    description: meanings.thresholds,
    examples: [{ below: '100', subscribers: true, active_only: false }],
  }),
  enabled: out.flag('Whether it is evaluated.', true),
  stopped: out.maybeOneOf(
    ['author'],
    'Why the service switched the rule off. `author`: the token or person that made it was removed or lost the right. Enable the rule to become its author.',
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
      'Addresses and numbers among them that get no alerts before their owners confirm, by a link that they are sent. People of the account and its verified numbers need not confirm.',
      ['dana@example.com'],
    ),
  }),
});

/** A rule with its recipients that are not confirmed. */
export type ShownRule = AlertRule & { readonly unconfirmed: readonly string[] };

/** A rule as answers have it. */
export const showRule: (rule: ShownRule) => z.output<typeof ruleAnswer> = serializer(
  ruleAnswer,
  ({ thresholds: { below, ...others }, recipients: { accountId, ...to }, unconfirmed }: ShownRule) => ({
    thresholds: { ...others, ...(below !== undefined && { below: formatAmount(below) }) },
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
  phase: out.oneOf(phases, 'What it tells: that the alert began, that it ended, or a test.', 'began'),
  means: out.oneOf(alertMeans, 'By what.', 'mail'),
  recipient: out.text('To whom: an address, a number; empty for webhooks.', 'dana@example.com'),
  state: out.oneOf(
    notificationStates,
    '`waiting`: it is tried again, for a day; `sent`: the relay, the carrier’s queue or the webhook queue has it; `failed`: it is not tried any more.',
    'sent',
  ),
  attempts: out.count('How often it was tried.', 1),
  problem: out.maybeOneOf(alertProblems, 'Why it was not sent yet; null when it was.', null),
  message_id: out.maybeId('Of an SMS: the message.', null),
  created_at: out.time('When it was to be told'),
  settled_at: out.maybeInstant('When it was sent or given up, ISO 8601; null: it waits.', null),
});
export const showNotification = serializer(notificationAnswer);

export const alertAnswer = z.object({
  id: out.id('Its id.', '1774337460000072'),
  rule_id: out.id('Its rule, which may be deleted.', '1774337460000071'),
  rule: out.text('What the rule was called.', 'Low balance'),
  kind: out.oneOf(alertKinds, meanings.kind, 'low-balance'),
  subject: out.text(
    'What it is about: a prefix, a connector, a lane, the id of a webhook or subscriber; empty: the account itself.',
    '',
  ),
  measured: answered(
    z.record(z.string(), z.union([z.string(), z.number()])),
    'What was measured last, by its kind (docs/alerts.md).',
    { account: 'shop', balance: '42.5', below: '100' },
  ),
  began_at: out.maybeTime('When it began'),
  seen_at: out.time('When its condition held last'),
  ended_at: out.maybeInstant('When it ended, ISO 8601; null: it is open.', null),
  notifications: z.array(notificationAnswer).describe('Who was told of it, in the order of time.'),
});
export const testsAnswer = z.object({
  tests: z.array(notificationAnswer).describe('The latest first.'),
});

type Deps = Pick<CoreContext, 'numbers'>;

/** Amounts and numbers as the domain has them. Throws Refusal `bad-amount`. */
export function thresholdsOf({ below, ...others }: z.output<typeof thresholds>): Thresholds {
  if (below === undefined) return others as Thresholds;
  return { ...(others as Thresholds), below: readAmount(below, 'thresholds.below') };
}

/** Recipients as the domain has them. Throws Refusal `bad-field` for a number that is none. */
export function recipientsOf(
  { account_id, phones, ...others }: z.output<typeof recipients>,
  { numbers }: Deps,
): AlertRecipients {
  return {
    ...others,
    phones: phones.map((phone, index) => {
      const digits = numbers.parse(phone)?.digits;
      if (digits === undefined)
        throw new Refusal('bad-field', 'not a phone number', `recipients.phones[${index}]`, {
          reason: 'not-a-phone',
        });
      return digits;
    }),
    accountId: account_id === null ? null : Number(account_id),
  };
}

/** What is changed, as the domain has it. Throws as `thresholdsOf` and `recipientsOf`. */
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
