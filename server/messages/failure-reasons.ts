import type { ErrorName } from '../carriers/smpp/errors.ts';
import { status } from '../statuses.ts';
import { channels } from './channels.ts';
import { TEXT_LOST } from './secret-text.ts';

/*
 * Why a message failed, whose fault it is and what to do, in plain words: for people who look at one message, and for
 * counts of failures. The console translates by the key.
 */

/** Who can do something about it, or could have. */
export const faults = ['customer', 'recipient', 'network', 'carrier', 'us'] as const;
export type Fault = (typeof faults)[number];

export interface FailureReason {
  readonly key: FailureKey;
  readonly fault: Fault;
  readonly why: string;
  readonly todo: string;
}

const table = {
  'no-credit': ['customer', 'There was not enough credit for it.', 'Top up the wallet and send it again.'],
  blacklisted: [
    'recipient',
    'The recipient asked for no more messages and is on the blacklist.',
    'Leave him out. Take him off the blacklist only when he asks for it.',
  ],
  cancelled: [
    'customer',
    'It was cancelled before it was handed over.',
    'Nothing; its price was given back.',
  ],
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
    'The network refused what the text says or who sends it.',
    'Look for forbidden content, shortened addresses of others and an unapproved sender; ask support when in doubt.',
  ],
  'refused-hour': [
    'customer',
    'The network takes no messages of this kind at this hour.',
    'Send it in the daytime.',
  ],
  'refused-advertising': [
    'recipient',
    'The recipient takes no advertising.',
    'Leave him out of advertising.',
  ],
  kosher: ['recipient', 'The phone is a kosher one, which takes no SMS.', 'Call, or leave the number out.'],
  'no-permission': [
    'customer',
    'The account may not send to this destination.',
    'Ask support to open the destination.',
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
    'The recipient was outside the coverage of his network.',
    'Send it again later.',
  ],
  undelivered: [
    'network',
    'The network of the recipient could not deliver it: mostly the number is not in use any more, or its inbox is full.',
    'Check the number. When it is right, send it again later.',
  ],
  'network-fault': [
    'network',
    'The network of the recipient had a fault.',
    'Send it again later; tell support when it happens to many.',
  ],
  'network-unknown': [
    'network',
    'The network does not say what became of it.',
    'Ask the recipient, or send it again.',
  ],
  'carrier-refused': [
    'carrier',
    'The carrier did not take it, for a reason that is not in its text or number.',
    'Tell support the id of the message. Its price was given back.',
  ],
  'waited-too-long': [
    'us',
    'It waited here for as long as delivery is tried, and no link to a carrier took it.',
    'Send it again. Its price was given back.',
  ],
  'text-lost': [
    'us',
    'Its text carried a code or a link, and cannot be read any more since the secret key was lost.',
    'Send it again. Its price was given back.',
  ],
  unknown: ['us', 'It failed, and nobody said why.', 'Tell support the id of the message.'],
  'two-unanswered': [
    'customer',
    'The client had two template messages and has not answered.',
    'Wait until he writes.',
  ],
  'tier-reached': [
    'customer',
    'The portfolio had written first to as many clients in 24 hours as its tier allows.',
    'Send the rest tomorrow, or ask for a higher tier.',
  ],
  'window-closed': [
    'customer',
    'More than 24 hours had passed since the last message of the client.',
    'Use a template.',
  ],
  'no-chat': [
    'recipient',
    'Nobody who can get chat messages is behind the number.',
    'Send an SMS, or check the number.',
  ],
  declined: ['recipient', 'The recipient has asked for no more of this kind.', 'Leave him out.'],
  'held-back': [
    'carrier',
    'The platform held it back: it limits how much advertising one person gets.',
    'Send it on another day. Sent again within 24 hours it is held back again.',
  ],
  template: [
    'customer',
    'The template is not approved, paused, or was removed.',
    'Look at the status of the template.',
  ],
  variables: [
    'customer',
    'The values do not fit the template: one is missing, too long, or has a line break.',
    'Correct the values, or the fields of the contact.',
  ],
  media: [
    'customer',
    'The picture, film or document could not be fetched, or is of the wrong type or size.',
    'Check the link: it has to be open to everybody.',
  ],
  'chat-limits': [
    'customer',
    'The platform limits how much the business number may send, since people report its messages or it sends too much at once.',
    'Send less for some days, and only to those who asked for it.',
  ],
  'chat-account': [
    'customer',
    'The platform has blocked the business account or number, or it is not paid for there.',
    "Look at the business account in the platform's own manager.",
  ],
  'chat-access': [
    'us',
    "The service's access to the platform had ended.",
    'Tell support: the access token has to be renewed.',
  ],
  'chat-request': ['us', 'The platform could not use the request.', 'Tell support the id of the message.'],
  'chat-platform': ['carrier', 'The chat platform had a fault.', 'Send it again later.'],
  'bad-mailbox': [
    'recipient',
    'The address takes no mails: mostly there is no such mailbox, or it is full.',
    'Check the address. One that bounced for good gets no more mails.',
  ],
  'no-more-mails': [
    'recipient',
    'The recipient wants no more mails, called one spam, or was deleted while this one waited.',
    'Leave him out. Its price was given back.',
  ],
  busy: ['recipient', 'The line was busy each time it was called.', 'Call again later, or send an SMS.'],
  'no-answer': [
    'recipient',
    'Nobody answered, or the phone was off, each time it was called.',
    'Call at another hour, or send an SMS.',
  ],
  'hung-up': [
    'recipient',
    'The recipient answered, and hung up before the message was over.',
    'Say what matters in the first words, or send an SMS.',
  ],
  'call-declined': [
    'recipient',
    'The recipient declined the call, or takes none of this kind.',
    'Leave him out of calls, or send an SMS.',
  ],
  'no-such-number': ['customer', 'There is no such telephone number.', 'Correct the number.'],
  'no-trunk': [
    'us',
    'No trunk takes calls to this number, or it is of another country and the send was for home numbers.',
    'Send an SMS, or ask support for calls to this destination.',
  ],
  'trunk-refused': [
    'carrier',
    'The telephone carrier did not put the call through.',
    'Tell support the id of the message. Its price was given back.',
  ],
  'no-speech': [
    'us',
    'The text could not be turned into speech.',
    'Tell support: what speaks has to be mended. The price was given back.',
  ],
  suspended: ['customer', 'The account was suspended.', 'Ask support.'],
} as const satisfies Record<string, readonly [Fault, string, string]>;

export type FailureKey = keyof typeof table;

export const failureKeys = Object.keys(table) as FailureKey[];

/** Every reason, in the order in which they are documented. */
export const failureReasons: ReadonlyMap<FailureKey, FailureReason> = new Map(
  failureKeys.map((key) => {
    const [fault, why, todo] = table[key];
    return [key, { key, fault, why, todo }];
  }),
);

const byStatus: ReadonlyMap<number, FailureKey> = new Map([
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

/** Of messages that no carrier took: its answer, or a word of ours. Other answers are the carrier's own matter. */
const byAnswer: ReadonlyMap<string, FailureKey> = new Map<
  ErrorName | 'TOO_LONG' | 'EXPIRED' | 'VALIDITY_OVER',
  FailureKey
>([
  ['TOO_LONG', 'text-too-long'],
  ['EXPIRED', 'waited-too-long'],
  ['VALIDITY_OVER', 'waited-too-long'],
  ['ESME_RINVDSTADR', 'bad-number'],
  ['ESME_RINVDSTTON', 'bad-number'],
  ['ESME_RINVDSTNPI', 'bad-number'],
  ['ESME_RINVDSTADDRSUBUNIT', 'bad-number'],
  ['ESME_RINVSRCADR', 'bad-source'],
  ['ESME_RINVSRCTON', 'bad-source'],
  ['ESME_RINVSRCNPI', 'bad-source'],
  ['ESME_RINVSRCADDRSUBUNIT', 'bad-source'],
  ['ESME_RX_R_APPN', 'content'],
  ['ESME_RPROHIBITED', 'content'],
  ['ESME_RINVMSGLEN', 'text-too-long'],
]);

/** By the reason of a chat message (errors.ts, carriers/chat-platform/errors.ts, or `blacklisted`). */
const byChatReason: ReadonlyMap<string, FailureKey> = new Map([
  ['blacklisted', 'blacklisted'],
  ['unknown-source', 'bad-source'],
  ['bad-destination', 'bad-number'],
  ['unknown-template', 'template'],
  ['template-not-usable', 'template'],
  ['two-unanswered', 'two-unanswered'],
  ['tier-reached', 'tier-reached'],
  ['window-closed', 'window-closed'],
  ['never-written', 'window-closed'],
  ['bad-variables', 'variables'],
  ['bad-variable-text', 'variables'],
  ['bad-header', 'media'],
  ['bad-header-type', 'media'],
  ['bad-website-variable', 'variables'],
  ['too-long', 'text-too-long'],
  ['bad-coupon', 'variables'],
  ['bad-otp', 'variables'],
  ['bad-reply', 'chat-request'],
  ['no-credit', 'no-credit'],
  ['suspended', 'suspended'],
  ['no-such-number', 'no-chat'],
  ['recipient-declined', 'declined'],
  ['not-delivered', 'held-back'],
  ['template-unknown', 'template'],
  ['template-rejected', 'template'],
  ['template-structure', 'variables'],
  ['body-variables', 'variables'],
  ['media', 'media'],
  ['volume', 'chat-limits'],
  ['rate', 'chat-limits'],
  ['request', 'chat-request'],
  ['access', 'chat-access'],
  ['account', 'chat-account'],
  ['platform', 'chat-platform'],
]);

/** Of mails, where a status says something else than of a phone. */
const byMailStatus: ReadonlyMap<number, FailureKey> = new Map([
  [status.undelivered, 'bad-mailbox'],
  [status.expired, 'waited-too-long'],
  [status.blockedOnRequest, 'no-more-mails'],
]);

/** Of calls: by the code of the trunk without what follows it (carriers/sip/outcomes.ts). */
const byCallCode: ReadonlyMap<string, FailureKey> = new Map([
  ['BUSY', 'busy'],
  ['NO_ANSWER', 'no-answer'],
  ['UNAVAILABLE', 'no-answer'],
  ['ENDED_EARLY', 'hung-up'],
  ['DECLINED', 'call-declined'],
  ['FORBIDDEN', 'call-declined'],
  ['UNWANTED', 'call-declined'],
  ['NO_SUCH_NUMBER', 'no-such-number'],
  ['EXPIRED', 'waited-too-long'],
  ['VALIDITY_OVER', 'waited-too-long'],
  ['speech', 'no-speech'],
]);

/** What is known of a message that ended without being delivered. */
export interface Failed {
  /** As in channels.ts. */
  readonly channel: number;
  /** A delivery status (server/statuses.ts). */
  readonly status: number;
  /** The network's own word, the carrier's answer, the reason of a chat message, or the outcome of a call. */
  readonly code: string | null;
  /** Whether a carrier took it. */
  readonly handedOver: boolean;
}

/** Why a message failed. One that nobody explains is `unknown`. */
export function failureReasonOf({ channel, status: ended, code, handedOver }: Failed): FailureReason {
  return failureReasons.get(keyOf())!;

  function keyOf(): FailureKey {
    if (code === TEXT_LOST) return 'text-lost';
    const known = byStatus.get(ended) ?? 'unknown';
    if (channel === channels.mail)
      return code === 'bounced' ? 'bad-mailbox' : (byMailStatus.get(ended) ?? known);
    if (channel === channels.chat) return byChatReason.get(code ?? '') ?? known;
    if (ended === status.notLegal && !handedOver) return 'composed';
    if (channel === channels.voice) {
      if (ended === status.noPermission) return 'no-trunk';
      if (code === null || ended === status.deleted || ended === status.unknown) return known;
      return byCallCode.get(code.split('/', 1)[0]!) ?? 'trunk-refused';
    }
    if (ended === status.noPermission && !handedOver) return 'abroad';
    // A status that says what it is comes before a carrier's answer.
    const isOpen = ended === status.undelivered || ended === status.rejected || ended === status.expired;
    if (handedOver || !isOpen || code === null) return known;
    return byAnswer.get(code) ?? 'carrier-refused';
  }
}
