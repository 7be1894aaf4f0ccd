import { status } from '../../kit/statuses.ts';
import type { FailureReasons } from '../contract/channel.ts';
import type { commonReasons, ReasonTable } from '../contract/failures.ts';

const reasons = {
  'bad-mailbox': [
    'recipient',
    'The address does not accept email. Usually the mailbox does not exist, or it is full.',
    'Check the address. An address with a hard bounce receives no more email.',
  ],
  'no-more-mails': [
    'recipient',
    'The recipient unsubscribed, marked an email as spam, or was deleted while the email waited.',
    'Remove them from the recipients. The price was refunded.',
  ],
} as const satisfies ReasonTable;

type Key = keyof typeof commonReasons | keyof typeof reasons;

/** Statuses that mean something else for an address than for a phone. */
const byStatus: ReadonlyMap<number, Key> = new Map([
  [status.undelivered, 'bad-mailbox'],
  [status.expired, 'waited-too-long'],
  [status.blockedOnRequest, 'no-more-mails'],
]);

/** Reasons of failed emails: by their status, and the status of their user. */
export const mailFailures: FailureReasons = {
  reasons,
  keyOf: ({ status: ended, code }, known) =>
    code === 'bounced' ? 'bad-mailbox' : (byStatus.get(ended) ?? known),
};
