import { counter } from '../../observability/metrics.ts';

export const mailRemovals = counter(
  'carillon_mail_removals_total',
  'Users of mailing lists who asked to be removed, by page or by one click in a mail program.',
  'by',
);

export const mailBounces = counter(
  'carillon_mail_returns_total',
  'What came back of mails: hard and soft bounces, complaints, and what was neither.',
  'kind',
);
