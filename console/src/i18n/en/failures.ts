import type { FailureKey, Fault } from '../../api/messages.ts';

interface Words {
  /** Why it failed. */
  readonly why: string;
  /** What to do about it. */
  readonly todo: string;
}

/** Why messages fail, in plain words; by the keys of the service (server/channels/failure-reasons.ts). */
export const failures = {
  whose: 'Whose matter it is',
  todo: 'What to do',
  faults: {
    customer: 'Yours, who send',
    recipient: 'The recipient’s',
    network: 'The recipient’s network’s',
    carrier: 'The carrier’s',
    us: 'Ours',
  } satisfies Record<Fault, string>,
  words: {
    'no-credit': {
      why: 'There was not enough credit for it.',
      todo: 'Top up the wallet, then send it again.',
    },
    blacklisted: {
      why: 'The recipient asked for no more messages and is on the blacklist.',
      todo: 'Leave them out. Take them off the blacklist only when they ask for it.',
    },
    cancelled: {
      why: 'It was cancelled before it was submitted.',
      todo: 'Nothing. Its price was given back.',
    },
    'bad-number': { why: 'The number is not one that can get messages.', todo: 'Correct the number.' },
    'bad-source': {
      why: 'The network does not let the account send under this sender.',
      todo: 'Send under an approved name or a verified number.',
    },
    'text-too-long': { why: 'The text is longer than can be sent.', todo: 'Shorten the text.' },
    composed: {
      why: 'With the fields of the contact the text was empty or too long.',
      todo: 'Correct the fields of the contact.',
    },
    content: {
      why: 'The network refused what the text says, or who sends it.',
      todo: 'Look for forbidden content, shortened addresses of others and an unapproved sender. Ask support when in doubt.',
    },
    'refused-hour': {
      why: 'The network takes no messages of this kind at this hour.',
      todo: 'Send it in the daytime.',
    },
    'refused-advertising': {
      why: 'The recipient takes no advertising.',
      todo: 'Leave them out of advertising.',
    },
    kosher: {
      why: 'The phone is a kosher one, which takes no SMS.',
      todo: 'Call, or leave the number out.',
    },
    'no-permission': {
      why: 'The account may not send to this destination.',
      todo: 'Ask support to open the destination.',
    },
    abroad: {
      why: 'The number is of another country, and the send was for home numbers.',
      todo: 'Send it again with international numbers allowed.',
    },
    unreachable: {
      why: 'The phone was off or out of reach for as long as delivery was tried.',
      todo: 'Send it again later, or by another channel.',
    },
    'out-of-coverage': {
      why: 'The recipient was outside the coverage of their network.',
      todo: 'Send it again later.',
    },
    undelivered: {
      why: 'The recipient’s network could not deliver it. Mostly the number is not in use any more, or its inbox is full.',
      todo: 'Check the number. When it is right, send it again later.',
    },
    'network-fault': {
      why: 'The recipient’s network had a fault.',
      todo: 'Send it again later. Tell support when it happens to many.',
    },
    'network-unknown': {
      why: 'The network does not say what became of it.',
      todo: 'Ask the recipient, or send it again.',
    },
    'carrier-refused': {
      why: 'The carrier did not take it, for a reason that is not in its text or number.',
      todo: 'Tell support the id of the message. Its price was given back.',
    },
    'waited-too-long': {
      why: 'It waited here for as long as delivery is tried, and no link to a carrier took it.',
      todo: 'Send it again. Its price was given back.',
    },
    'text-lost': {
      why: 'Its text carried a code or a link, and cannot be read any more since the secret key was lost.',
      todo: 'Send it again. Its price was given back.',
    },
    unknown: { why: 'It failed, and nobody said why.', todo: 'Tell support the id of the message.' },
    'two-unanswered': {
      why: 'The client had two template messages and has not answered.',
      todo: 'Wait until they write.',
    },
    'tier-reached': {
      why: 'The portfolio had written first to as many clients in 24 hours as its tier allows.',
      todo: 'Send the rest tomorrow, or ask for a higher tier.',
    },
    'window-closed': {
      why: 'More than 24 hours had passed since the client’s last message.',
      todo: 'Use a template.',
    },
    'no-chat': {
      why: 'Nobody who can get chat messages is behind the number.',
      todo: 'Send an SMS, or check the number.',
    },
    declined: {
      why: 'The recipient has asked for no more of this kind.',
      todo: 'Leave them out.',
    },
    'held-back': {
      why: 'The platform held it back: it limits how much advertising one person gets.',
      todo: 'Send it on another day. Within 24 hours it is held back again.',
    },
    template: {
      why: 'The template is not approved, is paused, or was removed.',
      todo: 'Look at the status of the template.',
    },
    variables: {
      why: 'The values do not fit the template: one is missing, too long, or has a line break.',
      todo: 'Correct the values, or the fields of the contact.',
    },
    media: {
      why: 'The picture, film or document could not be fetched, or is of the wrong type or size.',
      todo: 'Check the link: it has to be open to everybody.',
    },
    'chat-limits': {
      why: 'The platform limits how much the business number may send, since people report its messages or it sends too much at once.',
      todo: 'Send less for some days, and only to those who asked for it.',
    },
    'chat-account': {
      why: 'The platform has blocked the business account or number, or it is not paid for there.',
      todo: 'Look at the business account in the platform’s own manager.',
    },
    'chat-access': {
      why: 'The service’s access to the platform had ended.',
      todo: 'Tell support: the access token has to be renewed.',
    },
    'chat-request': {
      why: 'The platform could not use the request.',
      todo: 'Tell support the id of the message.',
    },
    'chat-platform': { why: 'The chat platform had a fault.', todo: 'Send it again later.' },
    'bad-mailbox': {
      why: 'The address takes no mails: mostly there is no such mailbox, or it is full.',
      todo: 'Check the address. One that bounced for good gets no more mails.',
    },
    'no-more-mails': {
      why: 'The recipient wants no more mails, called one spam, or was deleted while this one waited.',
      todo: 'Leave them out. Its price was given back.',
    },
    busy: {
      why: 'The line was busy each time it was called.',
      todo: 'Call again later, or send an SMS.',
    },
    'no-answer': {
      why: 'Nobody answered, or the phone was off, each time it was called.',
      todo: 'Call at another hour, or send an SMS.',
    },
    'hung-up': {
      why: 'The recipient answered, and hung up before the message was over.',
      todo: 'Say what matters in the first words, or send an SMS.',
    },
    'call-declined': {
      why: 'The recipient declined the call, or takes none of this kind.',
      todo: 'Leave them out of calls, or send an SMS.',
    },
    'no-such-number': { why: 'There is no such telephone number.', todo: 'Correct the number.' },
    'no-trunk': {
      why: 'No trunk takes calls to this number, or it is of another country and the send was for home numbers.',
      todo: 'Send an SMS, or ask support for calls to this destination.',
    },
    'trunk-refused': {
      why: 'The telephone carrier did not put the call through.',
      todo: 'Tell support the id of the message. Its price was given back.',
    },
    'no-speech': {
      why: 'The text could not be turned into speech.',
      todo: 'Tell support: what speaks has to be mended. The price was given back.',
    },
    suspended: { why: 'The account was suspended.', todo: 'Ask support.' },
  } satisfies Record<FailureKey, Words> as Readonly<Record<FailureKey, Words>>,
};
