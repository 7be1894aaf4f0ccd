import { status } from '../../kit/statuses.ts';

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
  /** A delivery status (server/kit/statuses.ts). */
  readonly status: number;
  /** The network's own word, the carrier's answer, or the outcome of a call. */
  readonly code: string | null;
  /** Whether a carrier took it. */
  readonly submitted: boolean;
}

export const commonReasons = {
  'no-credit': [
    'customer',
    'The account did not have enough credit for the message.',
    'Top up the wallet, then send it again.',
  ],
  blacklisted: [
    'recipient',
    'The recipient asked for no more messages and is on the blacklist.',
    'Remove them from the recipients. Take them off the blacklist only at their request.',
  ],
  cancelled: [
    'customer',
    'The message was cancelled before it was submitted.',
    'No action is needed. The price was refunded.',
  ],
  'bad-number': ['customer', 'The number cannot receive messages.', 'Correct the number.'],
  'bad-source': [
    'customer',
    'The carrier does not let the account send from this sender.',
    'Send from an approved name or a verified number.',
  ],
  'text-too-long': ['customer', 'The text is longer than the maximum.', 'Shorten the text.'],
  composed: [
    'customer',
    'With the fields of the contact, the text was empty or too long.',
    'Correct the fields of the contact.',
  ],
  content: [
    'customer',
    'The carrier rejected the text or the sender.',
    'Check for forbidden content, short links of other services and an unapproved sender. Ask support when in doubt.',
  ],
  'refused-hour': [
    'customer',
    'The carrier does not accept messages of this kind at this hour.',
    'Send it during the day.',
  ],
  'sending-hours': [
    'customer',
    'The sending policy of the account did not permit the message at that time.',
    'Send it within the hours of the policy, or let messages wait for these hours.',
  ],
  'frequency-cap': [
    'customer',
    'The recipient had already received as many messages as the sending policy of the account permits.',
    'Send it later. The price was refunded.',
  ],
  'no-consent': [
    'customer',
    'The recipient has not agreed to marketing messages on this channel, or has withdrawn consent.',
    'Record their consent in the consent log, or remove them from the recipients. Nothing was charged.',
  ],
  'refused-advertising': [
    'recipient',
    'The recipient does not accept advertising.',
    'Remove them from advertising.',
  ],
  kosher: ['recipient', 'Kosher phone: it cannot receive SMS.', 'Call, or remove the number.'],
  'no-permission': [
    'customer',
    'The account is not allowed to send to this destination.',
    'Ask support to open the destination.',
  ],
  'denied-range': [
    'customer',
    'The number is in a range that is blocked for the account, for example a premium-rate or satellite number.',
    'Remove the number, or ask the operator to permit the range.',
  ],
  abroad: [
    'customer',
    'The number belongs to another country, and the send allowed domestic numbers only.',
    'Send it again with international numbers allowed.',
  ],
  unreachable: [
    'recipient',
    'The phone was off or out of reach until the message expired.',
    'Send it again later, or use another channel.',
  ],
  'out-of-coverage': [
    'recipient',
    'The recipient was outside the coverage of their network.',
    'Send it again later.',
  ],
  undelivered: [
    'network',
    'The recipient’s network could not deliver it. Usually the number is no longer in use, or its inbox is full.',
    'Check the number. If it is correct, send the message again later.',
  ],
  'network-fault': [
    'network',
    'The recipient’s network had a fault.',
    'Send it again later. Contact support if it happens to many recipients.',
  ],
  'network-unknown': [
    'network',
    'The network does not report whether the message was delivered.',
    'Ask the recipient, or send it again.',
  ],
  'carrier-refused': [
    'carrier',
    'The carrier rejected the message for a reason other than its text or number.',
    'Give support the id of the message. The price was refunded.',
  ],
  'waited-too-long': [
    'us',
    'The message expired in the queue: no carrier connection accepted it in time.',
    'Send it again. The price was refunded.',
  ],
  'text-lost': [
    'us',
    'The text carried a code or a link and cannot be decrypted since the secret key was lost.',
    'Send it again. The price was refunded.',
  ],
  unknown: ['us', 'The message failed, and no reason was reported.', 'Give support the id of the message.'],
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
