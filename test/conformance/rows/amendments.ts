import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const both = inBothForms('sms-api/amendments', (form) => `amendments, ${form}`);
const tokens = inBothForms('sms-api/tokens-and-balance');
const campaigns = inFile('chat-api/campaign');
const chatEvents = inFile('chat/events');
const bodies = inBothForms('security/request-bodies');
const spellings = inFile('mail-api/spellings');

/** Decisions, section 8: what clients in the wild send. */
export const amendments: Chapter = {
  title: 'Amendments after clients in the wild were tried',
  bothForms: false,
  rows: [
    row(
      'getApiToken',
      'the token in `token` and in `message`; signs in by `user.password` where that is on',
      tokens('getApiToken makes tokens that work, and tells the caller its own, in both fields'),
      tokens('getApiToken signs in by password where that is switched on'),
    ),
    row(
      'getApiToken.expiration_date',
      'always a date, `dd/mm/yyyy hh:mm:ss` in the account’s zone; 365 days after a token was made',
      tokens('getApiToken tells when a token expires, 365 days after it was made'),
    ),
    row(
      'getApiToken.sixth',
      'the sixth token retires the one of this operation that was unused the longest, with an entry in the audit log',
      tokens('the sixth token retires the one of getApiToken that was unused the longest'),
      tokens('a token that was retired leaves those that it made, which end with the first maker'),
      inFile('accounts/tokens')('of many that ask at once each gets a token, and five are valid at the end'),
    ),
    row(
      'rmNumCL',
      'takes what `addNumCL` takes; a request to a list in which no number is named: 2',
      both('rmNumCL takes what addNumCL takes'),
      both('operations that take lists refuse a request in which nothing is named'),
    ),
    row(
      'arrays',
      'an array of one is its element at every level; an empty one is left out; several: 2, of messages: 7',
      inFile('sms-api/amendments')(
        'arrays of one are their entry at every level, empty ones are empty, several are refused',
      ),
    ),
    row(
      'numeric sources',
      'every spelling of a number is one source, measured in the local one',
      both('a numeric source is the same in every spelling'),
      inFile('v1/sms')('a sender may be a number in any spelling, or an approved name with blanks'),
    ),
    row(
      'approved names',
      'with blanks, `_`, `-` and `.`, up to 11 characters; others: 992',
      both('an approved name may have blanks and signs, others follow the letter'),
      inFile('v1/sources')('a name with blanks and signs is asked for and approved'),
      inBothForms('sms-api/subscribers')('a subscriber gets the senders that its parent has, and no others'),
    ),
    row(
      'token header',
      'a token without `Bearer` at every API',
      both('the token is taken without Bearer'),
      inFile('chat-api/api')('a token is taken without Bearer'),
      inFile('v1/tokens')('a token is taken without Bearer'),
    ),
    row(
      'empty entry',
      'an empty entry among phones: 9 with its place, and nothing is sent',
      both('an empty entry among phones is told with its place, and nothing is sent'),
    ),
    row('515', 'the text of 515', both('515 says how to verify a number')),
    row(
      'errors',
      'entries of `errors` name the number beside its place',
      both('rmNumCL takes what addNumCL takes'),
      both('errors of the blacklist name the number'),
    ),
    row(
      'dynamicHeaders',
      'surplus ones are ignored; `df1` … and `שדה דינמי 1` … are known',
      campaigns('dynamic headers: surplus ones are ignored, and default names of columns are known'),
    ),
    row(
      'ids',
      'ids in webhooks are texts',
      inFile('events/push')(
        'a webhook is JSON that the Standard Webhooks library verifies, and only of the types it wants',
      ),
      chatEvents('chat.message: what a client writes, and what they quote'),
      chatEvents('campaign.finished: once, with its counts'),
      inFile('events/payloads')('ids of every event are texts, and null stays null'),
    ),
    row(
      'seconds',
      'times may have seconds, which are dropped',
      both('times may have seconds, and two digits of a year are of this century'),
      inFile('chat/fill')('the end of an offer is a time of the account that is to come'),
    ),
    row(
      'too large',
      '413 in the form of the request, which clients that are still writing see',
      bodies('without a token 64 KiB are read, and one byte more is 413 in the form and root of the request'),
      bodies('a client that writes all of a body that is too large before it reads sees the answer'),
    ),
    row(
      'mail API',
      'whole numbers may be text; fields and paths without case; `Message` in a failed sign-in; a user by `UserID` alone',
      spellings('names of fields are matched without case; of two spellings the documented one counts'),
      spellings('segments of paths are matched without case, also those of an alias'),
      spellings('AddUsersToLists takes a user by id alone; beside an address the address counts'),
      inFile(
        'mail-api/token',
        'POST token',
      )('what is wrong is told apart from what is missing, and gives no token'),
    ),
    row(
      'cl',
      '`destinations.cl` beside `phone` is not used, and `message` says so',
      both('destinations.cl beside phones is not used, and the answer says so'),
    ),
  ],
};
