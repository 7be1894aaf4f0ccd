import { Refusal } from '../../../errors.ts';
import type { CancelResult } from '../../../messages/cancel.ts';
import { user } from '../fields.ts';
import { operation } from '../operation.ts';
import { done } from '../status-codes.ts';
import { element, optionalText, optionalWhole } from '../wire/fields.ts';

/** Cancels campaigns by id (the shipment's) or by name (interface, B11). */
export const cancel = operation({
  roots: ['cancel'],
  schema: element({ user, campaign_id: optionalWhole({ min: 1 }), campaign_name: optionalText }),
  async run(input, call) {
    const { canceller } = call.services;
    if (input.campaign_id !== undefined) {
      const result = await canceller.byId(call.account.id, input.campaign_id, call.dryRun);
      return { status: done.accepted, message: describe([result]) };
    }
    if (input.campaign_name === undefined) {
      throw new Refusal('bad-field', 'campaign_id: missing (or campaign_name in its place)');
    }
    const results = await canceller.byName(call.account.id, input.campaign_name, call.dryRun);
    return { status: done.accepted, message: describe(results), count: results.length };
  },
});

function describe(results: readonly CancelResult[]): string {
  const cancelled = results.reduce((sum, result) => sum + result.cancelled, 0);
  const sent = results.reduce((sum, result) => sum + result.handedOver, 0);
  return sent === 0
    ? `cancelled before it was sent, ${cancelled} messages`
    : `cancelled while it was being sent: ${cancelled} messages cancelled, ${sent} handed over before`;
}
