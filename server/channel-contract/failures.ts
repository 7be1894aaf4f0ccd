import { status } from '../statuses.ts';

/*
 * Why messages fail, whose fault it is and what to do, in plain words: what is common to all channels. People who look at
 * one message read it, and failures are counted by it. The console translates by the key.
 */

/** Who can do something about it, or could have. */
export const faults = ['customer', 'recipient', 'network', 'carrier', 'us'] as const;
export type Fault = (typeof faults)[number];

/** Reasons by their keys: whose fault it is, why, and what to do. */
export type ReasonTable = Readonly<Record<string, readonly [fault: Fault, why: string, todo: string]>>;

/** What is known of a message that ended without being delivered. */
export interface Failure {
  /** Id of its channel. */
  readonly channel: number;
  /** A delivery status (server/statuses.ts). */
  readonly status: number;
  /** The network's own word, the carrier's answer, or the outcome of a call. */
  readonly code: string | null;
  /** Whether a carrier took it. */
  readonly submitted: boolean;
}

export const commonReasons = {
  'no-credit': ['customer', 'There was not enough credit for it.', 'Top up the wallet, then send it again.'],
  blacklisted: [
    'recipient',
    'The recipient asked for no more messages and is on the blacklist.',
    'Remove them from the recipients. Take them off the blacklist only at their request.',
  ],
  cancelled: ['customer', 'It was cancelled before it was submitted.', 'Nothing. Its price was given back.'],
  'bad-number': ['customer', 'The number is not one that can get messages.', 'Correct the number.'],
  'bad-source': [
    'customer',
    'The network does not let the account send under this sender.',
    'Send under an approved name or a verified number.',
  ],
  'text-too-long': ['customer', 'The text is longer than can be sent.', 'Shorten the text.'],
  composed: [
    'customer',
    'With the fields of the contact the text was empty or too long.',
    'Correct the fields of the contact.',
  ],
  content: [
    'customer',
    'The network refused what the text says, or who sends it.',
    'Look for forbidden content, shortened addresses of others and an unapproved sender. Ask support when in doubt.',
  ],
  'refused-hour': [
    'customer',
    'The network takes no messages of this kind at this hour.',
    'Send it in the daytime.',
  ],
  'sending-hours': [
    'customer',
    'The sending policy of the account did not permit it at that time.',
    'Send it within the hours of the policy, or let messages wait for them.',
  ],
  'frequency-cap': [
    'customer',
    'The recipient had as many messages as the sending policy of the account permits.',
    'Send it later. Its price was given back.',
  ],
  'no-consent': [
    'customer',
    'The recipient has not agreed to marketing messages on this channel, or has withdrawn it.',
    'Record their consent in the consent log, or leave them out. Nothing was charged.',
  ],
  'refused-advertising': [
    'recipient',
    'The recipient takes no advertising.',
    'Remove them from advertising.',
  ],
  kosher: ['recipient', 'The phone is a kosher phone, which takes no SMS.', 'Call, or remove the number.'],
  'no-permission': [
    'customer',
    'The account may not send to this destination.',
    'Ask support to open the destination.',
  ],
  'denied-range': [
    'customer',
    'The number is in a range that the account may not send to, for example a premium-rate or satellite number.',
    'Remove the number, or ask the operator to permit the range.',
  ],
  abroad: [
    'customer',
    'The number is of another country, and the send was for home numbers.',
    'Send it again with international numbers allowed.',
  ],
  unreachable: [
    'recipient',
    'The phone was off or out of reach for as long as delivery was tried.',
    'Send it again later, or by another channel.',
  ],
  'out-of-coverage': [
    'recipient',
    'The recipient was outside the coverage of their network.',
    'Send it again later.',
  ],
  undelivered: [
    'network',
    'The recipient’s network could not deliver it. Mostly the number is not in use any more, or its inbox is full.',
    'Check the number. When it is right, send it again later.',
  ],
  'network-fault': [
    'network',
    'The recipient’s network had a fault.',
    'Send it again later. Tell support when it happens to many.',
  ],
  'network-unknown': [
    'network',
    'The network does not say whether it was delivered.',
    'Ask the recipient, or send it again.',
  ],
  'carrier-refused': [
    'carrier',
    'The carrier did not take it, for a reason that is not in its text or number.',
    'Tell support the id of the message. Its price was given back.',
  ],
  'waited-too-long': [
    'us',
    'It expired in the queue: no carrier connection took it in time.',
    'Send it again. Its price was given back.',
  ],
  'text-lost': [
    'us',
    'Its text carried a code or a link, and cannot be read any more since the secret key was lost.',
    'Send it again. Its price was given back.',
  ],
  unknown: ['us', 'It failed, and no reason was given.', 'Tell support the id of the message.'],
} as const satisfies ReasonTable;

type CommonKey = keyof typeof commonReasons;

const byStatus: ReadonlyMap<number, CommonKey> = new Map([
  [status.timeout, 'unreachable'],
  [status.failedInNetwork, 'network-fault'],
  [status.noCredit, 'no-credit'],
  [14, 'network-fault'],
  [15, 'kosher'],
  [16, 'refused-hour'],
  [17, 'refused-advertising'],
  [status.notLegal, 'content'],
  [status.undelivered, 'undelivered'],
  [status.expired, 'unreachable'],
  [status.deleted, 'cancelled'],
  [status.unknown, 'network-unknown'],
  [status.rejected, 'content'],
  [status.blockedOnRequest, 'blacklisted'],
  [status.outOfCoverage, 'out-of-coverage'],
  [status.noPermission, 'no-permission'],
]);

/** The key of the reason that a status means on every channel; `unknown` when it says no more than that it failed. */
export const reasonOfStatus = (ended: number): CommonKey => byStatus.get(ended) ?? 'unknown';
