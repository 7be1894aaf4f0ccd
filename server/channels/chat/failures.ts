import type { FailureReasons } from '../contract/channel.ts';
import type { commonReasons, ReasonTable } from '../contract/failures.ts';

const reasons = {
  'two-unanswered': [
    'customer',
    'The client received two template messages and has not replied.',
    'Wait until the client writes.',
  ],
  'tier-reached': [
    'customer',
    'The portfolio had reached its messaging limit, the number of clients to whom it may write first within 24 hours.',
    'Send the rest tomorrow, or ask for a higher limit.',
  ],
  'window-closed': [
    'customer',
    'More than 24 hours had passed since the client’s last message.',
    'Use a template.',
  ],
  'no-chat': ['recipient', 'The number cannot receive chat messages.', 'Send an SMS, or check the number.'],
  declined: [
    'recipient',
    'The recipient has opted out of messages of this kind.',
    'Remove them from the recipients.',
  ],
  'held-back': [
    'carrier',
    'The platform withheld the message: it limits how much advertising a person receives.',
    'Send it on another day. Within 24 hours the platform withholds it again.',
  ],
  template: [
    'customer',
    'The template is not approved, is paused, or was removed.',
    'Check the status of the template.',
  ],
  variables: [
    'customer',
    'The values do not match the template: a value is missing, too long, or has a line break.',
    'Correct the values, or the fields of the contact.',
  ],
  media: [
    'customer',
    'The image, video or document could not be fetched, or has the wrong type or size.',
    'Check the link: it must be publicly accessible.',
  ],
  'chat-limits': [
    'customer',
    'The platform limits how much the business number may send, because people report its messages or it sends too many in a short time.',
    'Send fewer messages for some days, and only to people who asked for them.',
  ],
  'chat-account': [
    'customer',
    'The platform has blocked the business account or number, or its bill there is not paid.',
    'Check the business account in the platform’s own manager.',
  ],
  'chat-access': [
    'us',
    'The access token of the business number is no longer valid.',
    'Tell support that the access token has to be renewed.',
  ],
  'chat-request': [
    'us',
    'The platform rejected the request as invalid.',
    'Give support the id of the message.',
  ],
  'chat-platform': ['carrier', 'The chat platform had a fault.', 'Send it again later.'],
  suspended: ['customer', 'The account was suspended.', 'Ask support.'],
} as const satisfies ReasonTable;

type Key = keyof typeof commonReasons | keyof typeof reasons;

/** By its reason (server/kit/errors.ts, protocols/chat-platform/errors.ts, or `blacklisted`). */
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

/** Reasons of failed chat messages. */
export const chatFailures: FailureReasons = {
  reasons,
  keyOf: ({ code }, known) => byReason.get(code ?? '') ?? known,
};
