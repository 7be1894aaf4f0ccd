import type { CancelResult } from '../../../engine/messages/cancel.ts';
import { badField } from '../../../kit/errors.ts';
import { programs } from '../../access/rules.ts';
import { out } from '../../openapi/out.ts';
import { accepted, answerOf } from '../about.ts';
import { user } from '../fields.ts';
import { operation } from '../operation.ts';
import { element, optionalText, optionalWhole } from '../wire/fields.ts';

/** Cancels campaigns by id (of the shipment) or by name (interface, B11). */
export const cancel = operation({
  roots: ['cancel'],
  access: programs('send'),
  chapter: 'cancelling',
  title: 'Cancel a campaign',
  description:
    'Cancels one campaign by its id, or all campaigns with a name. Waiting messages are cancelled and their credit is refunded; for a running campaign these are the remaining ones. Either `campaign_id` or `campaign_name` is required.',
  example: { campaign_name: 'Spring' },
  answer: answerOf(
    {
      count: out.count('Number of cancelled campaigns; only by name.', 1).optional(),
    },
    { message: 'cancelled before it was sent, 2 messages' },
  ),
  refusals: ['already-cancelled', 'already-sent', 'not-cancelled', 'unknown-campaign'],
  schema: element({
    user,
    campaign_id: optionalWhole({ min: 1 }).describe('`shipment_id` of the send.'),
    campaign_name: optionalText.describe('Name of the campaign, as in the send.'),
  }),
  async run(input, call) {
    const { canceller } = call.services;
    if (input.campaign_id !== undefined) {
      const result = await canceller.byId(call.account.id, input.campaign_id, call.dryRun);
      return accepted({}, describe([result]));
    }
    if (input.campaign_name === undefined) {
      throw badField('campaign_id', 'missing (or campaign_name in its place)', 'missing');
    }
    const results = await canceller.byName(call.account.id, input.campaign_name, call.dryRun);
    return accepted({ count: results.length }, describe(results));
  },
});

function describe(results: readonly CancelResult[]): string {
  const cancelled = results.reduce((sum, result) => sum + result.cancelled, 0);
  const sent = results.reduce((sum, result) => sum + result.submitted, 0);
  return sent === 0
    ? `cancelled before it was sent, ${cancelled} messages`
    : `cancelled while it was being sent: ${cancelled} messages cancelled, ${sent} handed over before`;
}
