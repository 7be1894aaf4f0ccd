import { chapter, row } from '../row.ts';

/** Decisions, section 8: what clients in the wild send. */
export const amendments = chapter({
  key: 'amendments',
  title: 'Amendments after clients in the wild were tried',
  bothForms: false,
  rows: [
    row('getApiToken', 'the token in `token` and in `message`; signs in by `user.password` where that is on'),
    row(
      'getApiToken.expiration_date',
      'always a date, `dd/mm/yyyy hh:mm:ss` in the account’s zone; 365 days after a token was made',
    ),
    row(
      'getApiToken.sixth',
      'the sixth token retires the one of this operation that was unused the longest, with an entry in the audit log',
    ),
    row('rmNumCL', 'takes what `addNumCL` takes; a request to a list in which no number is named: 2'),
    row(
      'arrays',
      'an array of one is its element at every level; an empty one is left out; several: 2, of messages: 7',
    ),
    row('numeric sources', 'every spelling of a number is one source, measured in the local one'),
    row('approved names', 'with blanks, `_`, `-` and `.`, up to 11 characters; others: 992'),
    row('token header', 'a token without `Bearer` at every API'),
    row('empty entry', 'an empty entry among phones: 9 with its place, and nothing is sent'),
    row('515', 'the text of 515'),
    row('errors', 'entries of `errors` name the number beside its place'),
    row('dynamicHeaders', 'surplus ones are ignored; `df1` … and `שדה דינמי 1` … are known'),
    row('ids', 'ids in webhooks are texts'),
    row('seconds', 'times may have seconds, which are dropped'),
    row('too large', '413 in the form of the request, which clients that are still writing see'),
    row(
      'mail API',
      'whole numbers may be text; fields and paths without case; `Message` in a failed sign-in; a user by `UserID` alone',
    ),
    row('cl', '`destinations.cl` beside `phone` is not used, and `message` says so'),
  ],
});
