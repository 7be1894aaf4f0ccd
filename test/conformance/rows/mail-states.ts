import { type Chapter, inFile, row } from '../row.ts';

const removal = inFile('mailing/removal', 'removal');
const confirmation = inFile('mailing/removal', 'confirmation');
const returns = inFile('mailing/bounce-handling');
const reports = inFile('mailing/bounce-reports');
const users = inFile('mailing/users');
const lists = inFile('v1/mail-lists');

/** What changes the status of users, and the lists under `/v1`. */
export const mailStates: Chapter = {
  title: 'Mailing lists: states and their causes',
  bothForms: false,
  rows: [
    row(
      'page',
      'removal by the user: a public page, one press',
      removal('looking at the page changes nothing, the press of its button removes, once'),
      removal('presses at once are one removal'),
      removal('codes that are not ours, cut, changed, or for something else'),
      removal('a removal is from one account and not from another'),
    ),
    row(
      'page.look-up',
      'one indexed look-up for a press',
      inFile('mailing/press')('whether somebody is removed is one look-up by an index'),
      inFile('mailing/press')('a press reads users and members by indexes alone'),
    ),
    row(
      'one-click',
      '`List-Unsubscribe` and one POST (RFC 8058)',
      removal('one click in a mail program (RFC 8058), as a form of either sort'),
      inFile('mailing/campaigns')(
        'Every mail has the headers of removal, and one POST to the link in them removes its user',
      ),
    ),
    row(
      'bounce.hard',
      'DSNs to a VERP address over SMTP: a hard bounce makes `BadEmail`',
      returns('The return path of a mail names it: a hard bounce to it makes its user a bad address, once'),
      reports('A report of a failure is a hard bounce when the address is wrong, and a soft one else'),
      returns('Mail to addresses that are not ours is refused, and forged tokens are not ours'),
    ),
    row(
      'bounce.soft',
      'soft bounces are counted',
      returns('Soft bounces count until there are too many, and a sign of life begins the count anew'),
      users('soft bounces are counted until a mail gets through'),
    ),
    row(
      'complaint',
      'feedback reports (ARF)',
      returns(
        'A complaint is found by whatever of the mail the report has kept, and ends the mails to its user',
      ),
      reports('A feedback report is a complaint with the texts that may name the mail; "not spam" is none'),
    ),
    row(
      'deletion, undelete',
      'by the account, and back',
      users('changes of status: counts of every list, events, and what may follow on what'),
      lists('users come in pages, by kind, and by what their address begins with'),
    ),
    row(
      'events',
      '`mail.unsubscribed`, `mail.bounced`',
      users('changes of status: counts of every list, events, and what may follow on what'),
      returns('The return path of a mail names it: a hard bounce to it makes its user a bad address, once'),
    ),
    row(
      'confirmation',
      'double opt-in, as a setting of a list',
      confirmation('who is added waits, gets one mail, and is active after the press'),
      confirmation('links end after 30 days, and with the list; who is added again later is asked again'),
    ),
    row(
      'lists',
      'lists under `/v1` with search and pages',
      lists('a list is made, changed, shown among the others, and removed'),
      lists('users come in pages, by kind, and by what their address begins with'),
      lists('a user is found by their address, with their lists; those of another account are not there'),
    ),
    row(
      'import',
      'CSV with progress, refused rows, columns as the caller says',
      lists('a file with names of columns: users, fields, refused rows with their lines, progress'),
      lists('the caller may say what the columns are'),
      lists('a file that is none, or for a list that is not there'),
    ),
    row(
      'export',
      'a list as a file, at once and in the background',
      lists('a list as a file, at once and in the background, which imports as the same list'),
    ),
  ],
};
