import { z } from 'zod';
import { iso, out } from '../../../api/openapi/out.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { timeOfId } from '../../../kit/ids.ts';
import { displayRecipient } from '../../../kit/numbers/phone-numbers.ts';
import { formatAmount, parseAmount } from '../../../modules/accounts/money.ts';
import type { ShownFallback } from '../../fallback/views.ts';
import type { Counted } from '../../messages/shipment-progress.ts';
import { costOf, netCostOf, type ShipmentRow, shipmentState } from '../../messages/shipments.ts';
import type { MessageState } from '../../messages/states.ts';
import {
  channelField,
  channelName,
  failureAnswer,
  showFailure,
  textRemoved,
} from '../../messages/v1/fields.ts';
import type { CampaignFailure } from '../report.ts';

/* Fields of shipments and campaigns under /v1. */

const MINUTE_MS = 60_000;

const failuresAnswer = z
  .array(
    failureAnswer.extend({
      status: out.count('Delivery status, as in delivery reports.', 103),
      carrier_status: out.maybeText(
        'Status code of the carrier, or the reason of a chat message.',
        'EXPIRED',
      ),
      count: out.count('Number of messages.', 7),
    }),
  )
  .describe('Failed messages by status and carrier status, most frequent first.');

/** Counts of a shipment's messages by outcome. */
const progressAnswer = z.object({
  waiting: out.count('Messages that are not submitted yet.', 120),
  submitted: out.count('Submitted messages without a delivery status.', 80),
  delivered: out.count('Messages that are delivered and not reported as read.', 600),
  read: out.count('Read.', 390),
  failed: out.count('Failed.', 7),
  cancelled: out.count('Messages cancelled before submission.', 3),
  failures: failuresAnswer,
  counted_at: out.time('Time of the count'),
});

type Progress = z.output<typeof progressAnswer>;

const states = ['scheduled', 'running', 'paused', 'cancelled', 'finished'] as const;

/** A shipment. */
export const shipmentAnswer = z.object({
  id: out.id('Id of the campaign.', '1774337460000001'),
  channel: channelField,
  campaign_name: out.maybeText('`campaign_name` of the send.', 'Spring'),
  source: out.maybeText(
    'Sender of the first message: number or name, business number, or email address.',
    'Shop',
  ),
  state: out.oneOf(
    states,
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished` (no message waits).',
    'running',
  ),
  messages: out.count('Messages created so far.', 1_200),
  unmade: out.count(
    'Contacts of its lists without a message yet, as far as known; for a cancelled campaign, the contacts that receive none.',
    0,
  ),
  cost: out.text('Price in credits, with the credits held for `unmade`.', '300'),
  net_cost: out.text('`cost` less refunds.', '298'),
  refunded: out.text(
    'Refunded credits: for messages that were cancelled or not delivered, and the rest held for `unmade` at the cancellation.',
    '2',
  ),
  accepted_at: out.time('Time of acceptance'),
  due_at: out.time('Start time'),
  valid_until: out.time('Expiry of undelivered messages'),
  fallback_for: out.maybeText(
    'Id of the shipment whose failed or late messages it replaces by another channel; null for other shipments.',
    null,
  ),
  progress: progressAnswer
    .nullable()
    .describe(
      'Messages by state; null for a large send that is being counted for the first time: ask again.',
    ),
});

/** A shipment of a list. */
export const listedAnswer = shipmentAnswer.extend({
  starts_at: out.maybeInstant(
    'Time at which a scheduled campaign begins to send, ISO 8601: `due_at`, or the first later time that the sending policy of the account and `sending_hours` permit, for recipients in the time zone of the account. null: not scheduled, or never permitted.',
    null,
  ),
});

const fallbackAnswer = z.object({
  channel: channelField,
  after_minutes: out.count('Minutes after the submission of a message without a delivery.', 30),
  state: out.oneOf(
    ['open', 'ended'],
    '`open` until each message is delivered, or has failed or been replaced.',
    'open',
  ),
  reason: out.maybeText(
    'Reason why it waits, or ended early: `paused`, `cancelled`, `text-removed`, or the code or reason of a refused send, such as `no-credit`. null without such a reason.',
    null,
  ),
  sent: out.count('Messages that were sent by the other channel.', 48),
});

/** Formats the fallback of a shipment for responses. */
export const showFallback = (shown: ShownFallback | null): z.output<typeof fallbackAnswer> | null =>
  shown && {
    channel: channelName(shown.channel),
    after_minutes: shown.afterMs / MINUTE_MS,
    state: shown.state,
    reason: shown.reason,
    sent: shown.sent,
  };

export const detailAnswer = listedAnswer.extend({
  sending_hours: out.maybeText(
    '`sending_hours` of the send: hours of each day in which its messages are sent. null: the hours of the policy.',
    '10:00-18:00',
  ),
  lists: z
    .array(
      z.object({ id: out.id('Id of the list.', '17'), name: out.text('Name of the list.', 'Customers') }),
    )
    .describe('Contact lists, or for email mailing lists, to which it is sent. Removed lists are missing.'),
  text_removed: textRemoved,
  text: sensitive(
    out.maybeText('Text that its messages have in common; null if each has its own.', 'Spring is here'),
    'message-text',
  ),
  fallback: fallbackAnswer
    .nullable()
    .describe('Second messages by another channel; null without `fallback`.'),
  held: out.flag('Whether its remaining messages are held because the account is suspended.', false),
  waits_until: out.maybeInstant(
    'Time of the continuation, ISO 8601, while the sending policy of the account holds all remaining messages; null: no such pause.',
    null,
  ),
});

export const cancelAnswer = z.object({
  id: out.text('Id of the campaign.', '1774337460000001'),
  cancelled: out.count('Recipients whose message was cancelled and refunded.', 800),
  submitted: out.count('Messages submitted before.', 400),
  refunded: out.text('Refunded credits.', '800'),
});

const show = serializer(shipmentAnswer, (row: ShipmentRow & { progress: Progress | null }) => ({
  channel: channelName(row.channel),
  state: shipmentState(row, row.progress?.waiting),
  messages: row.message_count,
  cost: formatAmount(costOf(row)),
  net_cost: formatAmount(netCostOf(row)),
  refunded: formatAmount(parseAmount(row.refunded)),
  accepted_at: iso(timeOfId(row.id)),
  fallback_for: row.fallback_of === null ? null : String(row.fallback_of),
}));

/** Formats a shipment for responses. */
export const showShipment = (row: ShipmentRow, counted: Counted | null) =>
  show({ ...row, progress: counted && showProgress(counted) });

export const failedAnswer = z.object({
  message_id: out.id('Id of the message.', '1774337460000002'),
  recipient: out.text('Number or address; the original text if it is neither.', '0501234567'),
  status: out.count('Delivery status, as in delivery reports.', 103),
  carrier_status: out.maybeText(
    'Status code of the carrier, or the reason of a chat message or email.',
    'EXPIRED',
  ),
  failure: failureAnswer.describe('Reason of the failure.'),
  at: out.time('Time at which the failure was recorded'),
});

/** Formats a failed recipient for responses. */
export const showFailed = serializer(
  failedAnswer,
  ({ id, phone, channel, status, code, handed_at }: CampaignFailure) => ({
    message_id: String(id),
    recipient: displayRecipient(phone),
    carrier_status: code,
    failure: showFailure({ channel, status, code, submitted: handed_at !== null }),
  }),
);

function showProgress({ outcomes, countedAt }: Counted): Progress {
  const sums: Record<MessageState, number> = {
    waiting: 0,
    submitted: 0,
    delivered: 0,
    read: 0,
    failed: 0,
    cancelled: 0,
  };
  for (const { state, count: more } of outcomes) sums[state] += more;
  const failures = outcomes
    .filter(({ state }) => state === 'failed')
    .map(({ channel, status, code, submitted, count: howMany }) => ({
      ...showFailure({ channel: channel!, status: status!, code, submitted: submitted! }),
      status: status!,
      carrier_status: code,
      count: howMany,
    }));
  return { ...sums, failures, counted_at: iso(countedAt) };
}
