import { chapter, row } from '../row.ts';

/** What changes the status of users, and the lists under `/v1`. */
export const mailStates = chapter({
  key: 'mailingLists',
  title: 'Mailing lists: states and their causes',
  bothForms: false,
  rows: [
    row('page', 'removal by the user: a public page, one press'),
    row('page.look-up', 'one indexed look-up for a press'),
    row('one-click', '`List-Unsubscribe` and one POST (RFC 8058)'),
    row('bounce.hard', 'DSNs to a VERP address over SMTP: a hard bounce makes `BadEmail`'),
    row('bounce.soft', 'soft bounces are counted'),
    row('complaint', 'feedback reports (ARF)'),
    row('deletion, undelete', 'by the account, and back'),
    row('events', '`mail.unsubscribed`, `mail.bounced`'),
    row('confirmation', 'double opt-in, as a setting of a list'),
    row('lists', 'lists under `/v1` with search and pages'),
    row('import', 'CSV with progress, refused rows, columns as the caller says'),
    row('export', 'a list as a file, at once and in the background'),
  ],
});
