import { z } from 'zod';
import { iso, maybeIso, out } from '../../../api/openapi/out.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { type Failure, faults } from '../../../channels/contract/failures.ts';
import { failureKeys, failureReasonOf } from '../../../channels/failure-reasons.ts';
import { channels } from '../../../channels/index.ts';
import { readMailAddress } from '../../../channels/mail/addresses.ts';
import { badField } from '../../../kit/errors.ts';
import { timeOfId } from '../../../kit/ids.ts';
import { displayRecipient, type NumberReader } from '../../../kit/numbers/phone-numbers.ts';
import { statusTexts } from '../../../kit/statuses.ts';
import { formatAmount, parseAmount } from '../../../modules/accounts/money.ts';
import type { FoundMessage } from '../search.ts';
import { type MessageState, messageStates, stateOf } from '../states.ts';

/* Fields of messages under /v1. */

/** The name of a channel. */
export type ChannelName = string;
export const channelNames = Array.from(channels, ({ name }) => name) as [ChannelName, ...ChannelName[]];

export const channelName = (channel: number): ChannelName => channels.of(channel).name;
export const channelNumber = (name: ChannelName): number => channels.named(name).id;

export const channelMeaning = `Channel: one of ${channelNames.map((name) => `\`${name}\``).join(', ')}.`;
export const channelField = out.oneOf(channelNames, channelMeaning, 'sms');

export const stateMeanings = [
  '`waiting`: accepted and not submitted yet',
  '`submitted`: submitted to a carrier, without a delivery status yet',
  '`delivered`',
  '`read`, if the network reports it',
  '`failed`',
  '`cancelled`',
].join('; ');

/** Reason of a failed message. The console has texts by the key in its languages. */
export const failureAnswer = z.object({
  key: out.oneOf(failureKeys as readonly [string, ...string[]], 'Reason code, for programs.', 'unreachable'),
  fault: out.oneOf(
    faults,
    'Responsible party: the `customer` who sends, the `recipient`, their `network`, the `carrier`, or `us`.',
    'recipient',
  ),
  why: out.text('Reason of the failure.', 'The phone was off or out of reach until the message expired.'),
  todo: out.text('Recommended action.', 'Send it again later, or use another channel.'),
});

/** Field of a message, campaign or incoming message. */
export const textRemoved = out.flag('Whether its text is no longer stored.', false);

export const messageFields = {
  id: out.id('Id of the message.', '1774337460000002'),
  shipment_id: out.id('Id of the shipment.', '1774337460000001'),
  channel: channelField,
  phone: out.text('Recipient; for email the address.', '0501234567'),
  source: out.text('Sender: number or name, business number, or email address.', 'Shop'),
  external_id: out.maybeText('Your own id of the message.', 'order-17'),
  parts: out.count('Number of parts.', 1),
  price: out.text('Price in credits.', '0.25'),
  state: out.oneOf(messageStates, `${stateMeanings}.`, 'delivered'),
  status: out.count('Delivery status, as in delivery reports.', 102),
  status_text: out.text('Text of the status.', 'Delivered'),
  carrier_status: out.maybeText(
    'Status code of the carrier for the last event, or the reason of a chat message.',
    'DELIVRD/000',
  ),
  link: out.maybeText('Connector over which it was sent.', 'carrier-1'),
  accepted_at: out.time('Time of acceptance'),
  submitted_at: out.maybeTime('Time of submission'),
  ended_at: out.maybeTime('Time of delivery, failure or cancellation'),
  read_at: out.maybeTime('Time at which it was read'),
  failure: failureAnswer.nullable().describe('Reason of a failed message.'),
};

const messageAnswer = z.object(messageFields);

const ended: ReadonlySet<MessageState> = new Set<MessageState>(['failed', 'cancelled']);

/** Formats a message without its text. */
export const showMessage = serializer(messageAnswer, (row: FoundMessage) => {
  const state = stateOf(row);
  const { status, code, channel } = row;
  return {
    channel: channelName(channel),
    phone: displayRecipient(row.recipient),
    price: formatAmount(parseAmount(row.price)),
    state,
    status_text: statusTexts(status).en,
    carrier_status: code,
    link: row.connector,
    accepted_at: iso(timeOfId(row.id)),
    submitted_at: maybeIso(row.handed_at),
    ended_at: maybeIso(row.final_at),
    failure: ended.has(state)
      ? showFailure({ channel, status, code, submitted: row.handed_at !== null })
      : null,
  };
});

export function showFailure(failure: Failure): z.output<typeof failureAnswer> {
  return { ...failureReasonOf(failure) };
}

/** Returns the readable text of a message, by the codec of its channel. */
export function shownText(channel: number, stored: string | null): string | null {
  return channels.of(channel).codec.summary(stored);
}

/**
 * Parses a recipient into the form that messages store. Throws Refusal `bad-field` for a text that is neither a number
 * nor an address.
 *
 * @param field its name in the request
 */
export function readRecipient(given: string, field: string, numbers: Pick<NumberReader, 'parse'>): string {
  const phone = given.includes('@') ? readMailAddress(given)?.address : numbers.parse(given)?.digits;
  if (phone !== undefined) return phone;
  throw badField(
    field,
    'too short, too long or not a phone number, and no address',
    'not-a-phone-or-address',
  );
}
