import { counter } from '../../kit/observability/metrics.ts';

export const mailRemovals = counter(
  'carillon_mail_removals_total',
  'Users of mailing lists who unsubscribed, on the page or with one click in a mail program.',
  'by',
);

export const incomingMails = counter(
  'carillon_mail_incoming_total',
  'Replies to email: from people (`person`), from programs by the detected kind, and unreadable ones.',
  'kind',
);

export const mailBounces = counter(
  'carillon_mail_returns_total',
  'Bounce reports and complaints of email: hard and soft bounces, complaints, and other reports.',
  'kind',
);
