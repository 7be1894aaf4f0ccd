import { z } from 'zod';
import { formatAmount, parseAmount } from '../../accounts/money.ts';
import type { CampaignFailure } from '../../campaigns/report.ts';
import { timeOfId } from '../../ids.ts';
import { iso, out } from '../../interfaces/openapi/out.ts';
import { sensitive } from '../../interfaces/v1/field-rights.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import type { Counted } from '../../messages/shipment-progress.ts';
import { costOf, netCostOf, type ShipmentRow, shipmentState } from '../../messages/shipments.ts';
import type { MessageState } from '../../messages/states.ts';
import { displayRecipient } from '../../numbers/numbers.ts';
import { channelField, channelName, failureAnswer, showFailure, textRemoved } from '../messages/fields.ts';

/* How shipments and campaigns are shown under /v1. */

const failuresAnswer = z
  .array(
    failureAnswer.extend({
      status: out.count('As in delivery reports.', 103),
      word: out.maybeText("The network's own word, or the reason of a chat message.", 'EXPIRED'),
      count: out.count('How many messages.', 7),
    }),
  )
  .describe('Messages that failed, by status and word, the most frequent first.');

/** Messages of a shipment by their outcome. */
const progressAnswer = z.object({
  waiting: out.count('Not submitted yet.', 120),
  handed_over: out.count('Submitted, without a delivery status yet.', 80),
  delivered: out.count('Delivered, and not known to be read.', 600),
  read: out.count('Read.', 390),
  failed: out.count('Failed.', 7),
  cancelled: out.count('Cancelled before they were submitted.', 3),
  failures: failuresAnswer,
  counted_at: out.time('When they were counted'),
});

type Progress = z.output<typeof progressAnswer>;

const states = ['scheduled', 'running', 'paused', 'cancelled', 'finished'] as const;

/** A shipment. */
export const shipmentAnswer = z.object({
  id: out.id('Its id.', '1774337460000001'),
  channel: channelField,
  campaign_name: out.maybeText('`campaign_name` of the send.', 'Spring'),
  source: out.maybeText(
    'The sender of its first message, the business number, or the address of mails.',
    'Shop',
  ),
  state: out.oneOf(
    states,
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished`: none of its messages waits.',
    'running',
  ),
  messages: out.count('Messages that are created.', 1_200),
  unmade: out.count(
    'Contacts of its lists that have no message yet, as far as known; of a cancelled one those that get none.',
    0,
  ),
  cost: out.text('Credits that it costs, with those held for `unmade`.', '300'),
  net_cost: out.text('`cost` without what was refunded of it.', '298'),
  refunded: out.text(
    'Credits that went back: for messages that were cancelled or not delivered, and what was held for `unmade` when it was cancelled.',
    '2',
  ),
  accepted_at: out.time('When it was accepted'),
  due_at: out.time('When it begins'),
  valid_until: out.time('How long delivery is tried'),
  progress: progressAnswer
    .nullable()
    .describe('Null for a large one that is just being counted for the first time: ask again.'),
});

export const detailAnswer = shipmentAnswer.extend({
  text_removed: textRemoved,
  text: sensitive(
    out.maybeText('What its messages have in common; null when each has its own.', 'Spring is here'),
    'message-text',
  ),
  held: out.flag('Whether what is left of it is held because the account is suspended.', false),
  waits_until: out.maybeInstant(
    'When it goes on, ISO 8601, while the sending policy of the account holds all that is left of it; null: it does not wait for that.',
    null,
  ),
});

export const cancelAnswer = z.object({
  id: out.text('Its id.', '1774337460000001'),
  cancelled: out.count('Recipients that get nothing, and whose credit went back.', 800),
  handed_over: out.count('Messages that were submitted before.', 400),
  refunded: out.text('Credits that went back.', '800'),
});

const show = serializer(shipmentAnswer, (row: ShipmentRow & { progress: Progress | null }) => ({
  channel: channelName(row.channel),
  state: shipmentState(row, row.progress?.waiting),
  messages: row.message_count,
  cost: formatAmount(costOf(row)),
  net_cost: formatAmount(netCostOf(row)),
  refunded: formatAmount(parseAmount(row.refunded)),
  accepted_at: iso(timeOfId(row.id)),
}));

/** Shows a shipment. */
export const showShipment = (row: ShipmentRow, counted: Counted | null) =>
  show({ ...row, progress: counted && showProgress(counted) });

export const failedAnswer = z.object({
  message_id: out.id('The message.', '1774337460000002'),
  recipient: out.text('The number or address; what was given, if it is neither.', '0501234567'),
  status: out.count('As in delivery reports.', 103),
  word: out.maybeText("The network's own word, or the reason of a chat message or mail.", 'EXPIRED'),
  failure: failureAnswer.describe('Why.'),
  at: out.time('When that was known'),
});

/** Shows a recipient that was not reached. */
export const showFailed = serializer(
  failedAnswer,
  ({ id, phone, channel, status, code, handed_at }: CampaignFailure) => ({
    message_id: String(id),
    recipient: displayRecipient(phone),
    word: code,
    failure: showFailure({ channel, status, code, submitted: handed_at !== null }),
  }),
);

function showProgress({ outcomes, countedAt }: Counted): Progress {
  const sums: Record<MessageState, number> = {
    waiting: 0,
    handed_over: 0,
    delivered: 0,
    read: 0,
    failed: 0,
    cancelled: 0,
  };
  for (const { state, count: more } of outcomes) sums[state] += more;
  const failures = outcomes
    .filter(({ state }) => state === 'failed')
    .map(({ channel, status, code, handed_over, count: howMany }) => ({
      ...showFailure({ channel: channel!, status: status!, code, submitted: handed_over! }),
      status: status!,
      word: code,
      count: howMany,
    }));
  return { ...sums, failures, counted_at: iso(countedAt) };
}
