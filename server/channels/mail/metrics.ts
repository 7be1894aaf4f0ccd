import { counter } from '../../observability/metrics.ts';

export const mailRemovals = counter(
  'carillon_mail_removals_total',
  'Users of mailing lists who asked to be removed, by page or by one click in a mail program.',
  'by',
);

export const incomingMails = counter(
  'carillon_mail_incoming_total',
  'Answers to mails: of people (`person`), of programs by what they are known by, and those that could not be read.',
  'kind',
);

export const mailBounces = counter(
  'carillon_mail_returns_total',
  'What came back of mails: hard and soft bounces, complaints, and what was neither.',
  'kind',
);
