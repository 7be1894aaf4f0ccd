import { chapter, row } from '../row.ts';

/** The interface, part C; decisions, section 3. */
export const mailApi = chapter({
  key: 'C',
  title: 'C: the mailing-list API',
  bothForms: false,
  rows: [
    row(
      'Authorization',
      'a mail token on every call, with `Bearer` or without; else 401; it is of no use elsewhere',
    ),
    row(
      'envelope',
      '`success`, `res` and `result` (`ResultID`, `ResultMessage`, `Tin` empty) on every answer, HTTP 200 for all that was understood',
    ),
    row(
      'CreateMalingList',
      '`IsNewList` true, `NewListName`, `NewListDescription`; `data.users`, `data.mailingLists`',
    ),
    row('AddUsersToLists', 'users with every field into lists; `data.users`, `data.mailingLists`'),
    row(
      'AddUsersToLists.known',
      'an address is unique in an account, without case; nothing but the fields given changes',
    ),
    row(
      'AddUsersToLists.addresses',
      'internationalised addresses, plus variants; what is no address is refused',
    ),
    row('AddUsersToLists.many', '10,000 users in a request'),
    row(
      'GetMailingListByID',
      '`users` with every field; `type` 0 all, 1 deleted, 2 unsubscribed, 3 wrong e-mails, 4 active',
    ),
    row('GetMailingListByID.slash', 'the last slash before the query is optional'),
    row(
      'StatusEmail',
      '`Active`, `Inactive`, `AskedRemoval`, `BadEmail`; null until the first delivery or choice',
    ),
    row('UndeleteUserIfExists', 'who removed themselves is activated by it, and by nothing else'),
    row('GetMailingListNames', '`listNames` with all six fields; the body is empty'),
    row('UserCount, ActiveUserCount', 'right, whatever happens at once, and without counting'),
    row(
      'TruncateMailingLists',
      'an array of ids; `data` null; the lists are empty at once, a million users within a second',
    ),
    row('token', '`POST /api/Mailer/token` with `siteID` and `password`: `Token`, good for 12 hours'),
    row('token.console', 'tokens that last are made under `/v1`, and revoked'),
    row('MAIL_API_ALIASES', 'the middle segment has aliases'),
    row('200', 'done'),
    row('400', 'a body that is not as documented: nothing is stored'),
    row('401', 'token missing, wrong or expired'),
    row('410', 'list not found, also that of another account'),
    row('500', 'fault of ours'),
    row('530', 'try again later'),
    row('OpenAPI', 'described at `/docs` from the schemas that read the requests'),
  ],
});
