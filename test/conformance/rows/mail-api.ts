import { type Chapter, inFile, row } from '../row.ts';

const create = inFile('mail-api/operations', 'CreateMalingList');
const add = inFile('mail-api/operations', 'AddUsersToLists');
const get = inFile('mail-api/operations', 'GetMailingListByID');
const names = inFile('mail-api/operations', 'GetMailingListNames');
const truncate = inFile('mail-api/operations', 'TruncateMailingLists');
const api = inFile('mail-api/operations', 'the API');
const accounts = inFile('mail-api/operations', 'between accounts');
const crowds = inFile('mail-api/crowds');
const token = inFile('mail-api/token', 'POST token');
const faults = inFile('mail-api/token', 'what is not the fault of the caller');
const described = inFile('docs/openapi', 'the document is one of OpenAPI 3.1');

/** The interface, part C; decisions, section 3. */
export const mailApi: Chapter = {
  title: 'C: the mailing-list API',
  bothForms: false,
  rows: [
    row(
      'Authorization',
      'a mail token on every call, with `Bearer` or without; else 401; it is of no use elsewhere',
      api('a token goes with every call, with Bearer or without'),
    ),
    row(
      'envelope',
      '`success`, `res` and `result` (`ResultID`, `ResultMessage`, `Tin` empty) on every answer, HTTP 200 for all that was understood',
      api('a token goes with every call, with Bearer or without'),
      api('what is not there, and bodies that are too large or not text'),
    ),
    row(
      'CreateMalingList',
      '`IsNewList` true, `NewListName`, `NewListDescription`; `data.users`, `data.mailingLists`',
      create('makes a list, with a description or without'),
    ),
    row(
      'AddUsersToLists',
      'users with every field into lists; `data.users`, `data.mailingLists`',
      add('adds users with every field, and shows them'),
      add('one list twice in a request counts once'),
    ),
    row(
      'AddUsersToLists.known',
      'an address is unique in an account, without case; nothing but the fields given changes',
      add('knows a user again without case, and changes nothing but the fields given'),
      add('one address twice in a request is one user, of whom the last fields hold'),
      accounts('one address is a user of each'),
    ),
    row(
      'AddUsersToLists.addresses',
      'internationalised addresses, plus variants; what is no address is refused',
      add('internationalised addresses, plus variants, and spellings of one domain'),
      add('refuses what is no address, the whole request with it'),
      inFile('mailing/users', 'addresses')('spellings of one are one'),
    ),
    row(
      'AddUsersToLists.many',
      '10,000 users in a request',
      crowds('ten thousand users in a request, and the same again'),
    ),
    row(
      'GetMailingListByID',
      '`users` with every field; `type` 0 all, 1 deleted, 2 unsubscribed, 3 wrong e-mails, 4 active',
      get('all five types'),
      get('an empty list'),
      crowds(
        'a million users: counted without counting, read as a stream, emptied at once, deleted in the background',
      ),
    ),
    row(
      'GetMailingListByID.slash',
      'the last slash before the query is optional',
      get('the last slash before the query is optional'),
    ),
    row(
      'StatusEmail',
      '`Active`, `Inactive`, `AskedRemoval`, `BadEmail`; null until the first delivery or choice',
      get('all five types'),
      get('a delivery makes it Active'),
    ),
    row(
      'UndeleteUserIfExists',
      'who removed themselves is activated by it, and by nothing else',
      get('who is not active is not activated by being added again, but with UndeleteUserIfExists'),
    ),
    row(
      'GetMailingListNames',
      '`listNames` with all six fields; the body is empty',
      names('has the lists of the account in the order of their ids, more than a page of them'),
      names('the body is empty'),
    ),
    row(
      'UserCount, ActiveUserCount',
      'right, whatever happens at once, and without counting',
      inFile('mailing/users')(
        'adding, removing, undeleting and emptying at once: the counts are right, and nobody waits for ever',
      ),
      crowds(
        'a million users: counted without counting, read as a stream, emptied at once, deleted in the background',
      ),
    ),
    row(
      'TruncateMailingLists',
      'an array of ids; `data` null; the lists are empty at once, a million users within a second',
      truncate('empties lists at once, all or none, and leaves the others'),
      inFile('mailing/users')('a list of a million is emptied within a second, and deleted afterwards'),
    ),
    row(
      'token',
      '`POST /api/Mailer/token` with `siteID` and `password`: `Token`, good for 12 hours',
      token('by the user name or the id of an account, with its password'),
      token('it is good for 12 hours'),
      token('what is wrong is told apart from what is missing, and gives no token'),
    ),
    row(
      'token.console',
      'tokens that last are made under `/v1`, and revoked',
      inFile('v1/mail-lists')('mail tokens are made, shown without themselves, and revoked'),
    ),
    row(
      'MAIL_API_ALIASES',
      'the middle segment has aliases',
      api('the middle segment has aliases, and every path may end with a slash'),
    ),
    row('200', 'done', create('makes a list, with a description or without')),
    row(
      '400',
      'a body that is not as documented: nothing is stored',
      add('refuses what is no address, the whole request with it'),
      get('what is not there or not readable'),
      names('the body is empty'),
    ),
    row('401', 'token missing, wrong or expired', token('it is good for 12 hours')),
    row(
      '410',
      'list not found, also that of another account',
      add('an unknown list is 410, and nobody is added to the others'),
      accounts('lists of another are not there'),
    ),
    row('500', 'fault of ours', faults('500 for a fault, with the request to quote')),
    row(
      '530',
      'try again later',
      faults('530 while the database takes nothing, and the same is done afterwards'),
      inFile('mail-api/token')('over the rate limit it is 530 and HTTP 429, with when to try again'),
    ),
    row(
      'OpenAPI',
      'described at `/docs` from the schemas that read the requests',
      described('each operation has a name of its own, and what an operation must have'),
    ),
  ],
};
