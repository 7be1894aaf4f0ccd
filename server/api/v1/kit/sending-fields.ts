import type { z } from 'zod';
import type { SendingGate } from '../../../modules/sending-policy/gate.ts';
import type { OwnHours, SendingRule, Transactional } from '../../../modules/sending-policy/policy.ts';
import { field, flag } from './fields.ts';
import { hoursText } from './week-fields.ts';

/** Fields of a send for the sending policy of its account. */
export const sendingFields = {
  sending_hours: field(
    hoursText.nullable().default(null),
    'Hours of each day in which its messages are sent, as `10:00-18:00`, within those of the sending policy. Outside them messages wait, or fail, depending on the policy. null: the hours of the policy.',
    null,
  ),
  transactional: field(
    flag.default(false),
    'Whether it is exempt from the sending policy, such as a receipt or an alarm. Requires that the policy allows it.',
    false,
  ),
};

/** `without_consent` of estimates. */
export const withoutConsentMeaning =
  'Recipients without a standing consent to marketing messages on the channel: they are skipped and not charged. Exact for single recipients and lists of up to 5,000; estimated from the first 5,000 of longer lists. null: the sending policy does not require consent.';

interface GivenFields {
  readonly sending_hours: z.output<(typeof sendingFields)['sending_hours']>;
  readonly transactional: boolean;
}

/** Returns the rule of a send from its fields. Throws Refusal as `SendingGate.ruleOf` does. */
export const sendingRuleOf = (
  { sendingGate }: { readonly sendingGate: Pick<SendingGate, 'ruleOf'> },
  accountId: number,
  { sending_hours, transactional }: GivenFields,
): Promise<OwnHours | Transactional | null> =>
  sendingGate.ruleOf(accountId, { hours: sending_hours, transactional });

/** Returns the request fields that describe a stored rule. */
export function fieldsOfRule(rule: SendingRule | null) {
  if (rule === null) return {};
  if ('hours' in rule) return { sending_hours: rule.hours };
  return rule.exempt === true || 'transactional' in rule.exempt ? { transactional: true } : {};
}
