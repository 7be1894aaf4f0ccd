import { z } from 'zod';
import { formatAmount, parseAmount } from '../../accounts/money.ts';
import { type Failure, faults } from '../../channel-contract/failures.ts';
import { failureKeys, failureReasonOf } from '../../channels/failure-reasons.ts';
import { channels } from '../../channels/index.ts';
import { readMailAddress } from '../../channels/mail/addresses.ts';
import { Refusal } from '../../errors.ts';
import { timeOfId } from '../../ids.ts';
import { iso, maybeIso, out } from '../../interfaces/openapi/out.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import type { FoundMessage } from '../../messages/search.ts';
import { type MessageState, messageStates, stateOf } from '../../messages/states.ts';
import { displayRecipient, type NumberReader } from '../../numbers/numbers.ts';
import { statusTexts } from '../../statuses.ts';

/* How messages are shown under /v1. */

/** The name of a channel. */
export type ChannelName = string;
export const channelNames = Array.from(channels, ({ name }) => name) as [ChannelName, ...ChannelName[]];

export const channelName = (channel: number): ChannelName => channels.of(channel).name;
export const channelNumber = (name: ChannelName): number => channels.named(name).id;

export const channelMeaning = `One of ${channelNames.map((name) => `\`${name}\``).join(', ')}.`;
export const channelField = out.oneOf(channelNames, channelMeaning, 'sms');

export const stateMeanings = [
  '`waiting`: accepted and not submitted yet',
  '`handed_over`: submitted to a carrier, without a delivery status yet',
  '`delivered`',
  '`read`, where the network tells',
  '`failed`',
  '`cancelled`',
].join('; ');

/** Why a message failed; the console has it in its own languages, by the key. */
export const failureAnswer = z.object({
  key: out.oneOf(failureKeys as readonly [string, ...string[]], 'A word for programs.', 'unreachable'),
  fault: out.oneOf(
    faults,
    'Who is responsible: the `customer` who sends, the `recipient`, their `network`, the `carrier`, or `us`.',
    'recipient',
  ),
  why: out.text('Why, in words.', 'The phone was off or out of reach for as long as delivery was tried.'),
  todo: out.text('What to do about it.', 'Send it again later, or by another channel.'),
});

/** Of a message, campaign or incoming message. */
export const textRemoved = out.flag('Whether it had a text that is kept no longer.', false);

export const messageFields = {
  id: out.id('Its id.', '1774337460000002'),
  shipment_id: out.id('The shipment that it is part of.', '1774337460000001'),
  channel: channelField,
  phone: out.text('The recipient; of a mail the address.', '0501234567'),
  source: out.text('The sender, the business number, or of a mail the address that it comes from.', 'Shop'),
  external_id: out.maybeText('Your own id of it.', 'order-17'),
  parts: out.count('How many parts it has.', 1),
  price: out.text('What it costs, in credits.', '0.25'),
  state: out.oneOf(messageStates, `${stateMeanings}.`, 'delivered'),
  status: out.count('As in delivery reports.', 102),
  status_text: out.text('The status in words.', 'Delivered'),
  word: out.maybeText(
    "The network's own word for what happened last, the carrier's answer, or the reason of a chat message.",
    'DELIVRD/000',
  ),
  link: out.maybeText('The carrier connection that it went over.', 'carrier-1'),
  accepted_at: out.time('When it was accepted'),
  handed_over_at: out.maybeTime('When it was submitted'),
  ended_at: out.maybeTime('When it was delivered, failed or was cancelled'),
  read_at: out.maybeTime('When it was read'),
  failure: failureAnswer.nullable().describe('Of one that failed: why.'),
};

const messageAnswer = z.object(messageFields);

const ended: ReadonlySet<MessageState> = new Set<MessageState>(['failed', 'cancelled']);

/** Shows a message without its text. */
export const showMessage = serializer(messageAnswer, (row: FoundMessage) => {
  const state = stateOf(row);
  const { status, code, channel } = row;
  return {
    channel: channelName(channel),
    phone: displayRecipient(row.recipient),
    price: formatAmount(parseAmount(row.price)),
    state,
    status_text: statusTexts(status).en,
    word: code,
    accepted_at: iso(timeOfId(row.id)),
    handed_over_at: maybeIso(row.handed_at),
    ended_at: maybeIso(row.final_at),
    failure: ended.has(state)
      ? showFailure({ channel, status, code, submitted: row.handed_at !== null })
      : null,
  };
});

export function showFailure(failure: Failure): z.output<typeof failureAnswer> {
  return { ...failureReasonOf(failure) };
}

/** What people read of a message, by the codec of its channel. */
export function shownText(channel: number, stored: string | null): string | null {
  return channels.of(channel).codec.summary(stored);
}

/**
 * A recipient in the form in which messages have it. Throws Refusal `bad-field` for what is no number and no address.
 *
 * @param field its name in the request
 */
export function readRecipient(given: string, field: string, numbers: Pick<NumberReader, 'parse'>): string {
  const phone = given.includes('@') ? readMailAddress(given)?.address : numbers.parse(given)?.digits;
  if (phone !== undefined) return phone;
  throw new Refusal('bad-field', 'too short, too long or not a phone number, and no address', field, {
    reason: 'not-a-phone-or-address',
  });
}
