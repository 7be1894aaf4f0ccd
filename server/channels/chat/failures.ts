import type { FailureReasons } from '../../channel-contract/channel.ts';
import type { commonReasons, ReasonTable } from '../../channel-contract/failures.ts';

const reasons = {
  'two-unanswered': [
    'customer',
    'The client had two template messages and has not answered.',
    'Wait until they write.',
  ],
  'tier-reached': [
    'customer',
    'The portfolio had reached its messaging limit: so many clients in 24 hours may be written to first.',
    'Send the rest tomorrow, or ask for a higher limit.',
  ],
  'window-closed': [
    'customer',
    'More than 24 hours had passed since the client’s last message.',
    'Use a template.',
  ],
  'no-chat': ['recipient', 'The number cannot get chat messages.', 'Send an SMS, or check the number.'],
  declined: [
    'recipient',
    'The recipient has asked for no more messages of this kind.',
    'Remove them from the recipients.',
  ],
  'held-back': [
    'carrier',
    'The platform held it back: it limits how much advertising a person gets.',
    'Send it on another day. Within 24 hours it is held back again.',
  ],
  template: [
    'customer',
    'The template is not approved, is paused, or was removed.',
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
    'Look at the business account in the platform’s own manager.',
  ],
  'chat-access': [
    'us',
    'The service’s access to the platform had ended.',
    'Tell support: the access token has to be renewed.',
  ],
  'chat-request': ['us', 'The platform could not use the request.', 'Tell support the id of the message.'],
  'chat-platform': ['carrier', 'The chat platform had a fault.', 'Send it again later.'],
  suspended: ['customer', 'The account was suspended.', 'Ask support.'],
} as const satisfies ReasonTable;

type Key = keyof typeof commonReasons | keyof typeof reasons;

/** By its reason (server/errors.ts, carriers/chat-platform/errors.ts, or `blacklisted`). */
const byReason: ReadonlyMap<string, Key> = new Map([
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

/** Why a chat message failed: by its reason. */
export const chatFailures: FailureReasons = {
  reasons,
  keyOf: ({ code }, known) => byReason.get(code ?? '') ?? known,
};
