import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const sms = inBothForms('sms-api/sms');
const signIn = inBothForms('sms-api/sign-in');
const tokens = inBothForms('sms-api/tokens-and-balance');
const cancelled = inBothForms('sms-api/cancel');
const blacklist = inBothForms('sms-api/blacklist');
const phones = inBothForms('sms-api/verified-phones');
const subs = inBothForms('sms-api/subscribers');
const fields = subs('lengths, characters and required fields');
const amounts = subs('amounts: none, all there is, one more, not whole, negative, absent');

/** Decisions, "Request status codes": an id of the chapter is the status. */
export const requestStatuses: Chapter = {
  title: 'Request statuses',
  bothForms: true,
  rows: [
    row('0', 'accepted', sms('a message reaches the phone, is charged, and dlr reports it delivered')),
    row(
      '1',
      'the body could not be parsed',
      inBothForms('sms-api/envelope')('a body of 10 MiB is read, one byte more is 413 with status 1'),
      inFile('sms-api/bad-input')('half a body, cut anywhere'),
    ),
    row(
      '2',
      'a required field is missing or unusable; the message names it',
      inBothForms('sms-api/bad-input')('every required field: missing, it is refused and the field is named'),
    ),
    row(
      '3',
      'user name, password or token is wrong',
      signIn('a token that is missing, unknown, revoked or no bearer token is 3'),
      signIn('a password is taken only where that is switched on'),
    ),
    row('4', 'not enough credit', sms('without enough credit nothing is stored, also in a dry run')),
    row(
      '5',
      'not at this time: suspended, or over the limits of one-time codes',
      signIn('a suspended account may look and not send'),
      inBothForms('sms-api/otp')('five codes an hour to a phone, in a window that moves'),
    ),
    row(
      '6',
      'try again: over the rate limit, or the database is away',
      inBothForms('sms-api/rate-limit')(
        "over an account's limit it is 429 with Retry-After and status 6, and passes again",
      ),
      inFile('faults/database')(
        'no database: requests get 6, the program is alive and not ready, and goes on when it is back',
      ),
    ),
    row('7', 'several messages where one is taken', sms('message: empty, missing, 1005 and 1006 characters')),
    row(
      '8',
      'every destination is blocked',
      sms('blacklisted destinations are skipped, not charged, and 201 in dlr'),
    ),
    row(
      '9',
      'a destination is no number, or abroad without `includes_international`',
      sms('destinations: missing, empty, not a number, too short, too long'),
      sms('international destinations only with includes_international'),
    ),
    row('10', 'the token has expired', signIn("an expired token is 10, by the sandbox's clock")),
    row(
      '11',
      'the token is for another user name',
      signIn('a token is good for its account and its subscribers, for all others 11'),
    ),
    row(
      '12',
      'the one-time code is not verified',
      inBothForms('sms-api/otp')(
        'wrong, used, expired, out of tries, never sent and of another account: one answer',
      ),
    ),
    ...(
      [
        ['502', '`action` is neither `new` nor `current`'],
        ['503', 'the user name does not exist, or is not under this account'],
        ['504', 'there is no current token'],
      ] as const
    ).map(([id, says]) =>
      row(id, says, tokens("getApiToken: action, unknown names, other people's accounts")),
    ),
    row('510', '`verify_phone` without phones', phones('what is refused leaves nothing behind')),
    row(
      '511',
      'no permission for this operation',
      tokens('the sixth token retires the one of getApiToken that was unused the longest'),
      subs('one level: a subscriber has none, called by its parent or by itself'),
      sms('what this service does not offer is refused and not passed over'),
    ),
    row(
      '515',
      'the source is not verified',
      signIn('a source must be verified or approved, in any of its spellings'),
    ),
    row(
      '517',
      'the push URL is registered already',
      inBothForms('sms-api/push-url')(
        'an address that is registered already is 517, for its type and its account',
      ),
    ),
    row(
      '714',
      '`temp_bl` is not 1 to 14',
      sms('temp_bl passes over those who got a message lately, and does not charge for them'),
    ),
    row('715', '`temp_bl` filters every destination out', sms('temp_bl looks back as many days as it says')),
    row(
      '933',
      'phone or reason is not valid (blacklist)',
      blacklist('entries that are no numbers come in errors beside the others; when all are, it is 933'),
      blacklist('required fields'),
    ),
    row(
      '944',
      '`rmNumBL` done, with how many were removed and not present',
      blacklist('removed numbers are gone, and the reason is kept'),
    ),
    row(
      '946',
      '`addNumBL` done',
      blacklist('added numbers are listed with their date, once each, in any spelling'),
    ),
    row(
      '955',
      'the campaign is cancelled already',
      cancelled('a scheduled campaign is cancelled whole, once, and its price comes back'),
    ),
    row('966', 'the campaign is sent already', cancelled('a campaign that was sent cannot be cancelled')),
    row(
      '970',
      'the campaign could not be cancelled: nothing of it was sent, and nothing is left',
      cancelled('a campaign that went to nobody, since all of its list are blocked, is 970'),
    ),
    row(
      '977',
      "the campaign does not exist, or is another account's",
      cancelled("an unknown campaign, and another account's, are 977"),
    ),
    row(
      '980',
      'a link is not valid, or does not match the message',
      inBothForms('sms-api/links')('links that do not match their text, or are no addresses, are refused'),
    ),
    row(
      '987',
      'dynamic fields with phones, or with several lists',
      inBothForms('sms-api/lists')('dynamic fields take one list and no phones'),
    ),
    row(
      '988',
      'the contact list does not exist',
      inBothForms('sms-api/lists')("unknown lists, another account's and empty ones are refused"),
    ),
    row(
      '989',
      'message empty or over 1005 characters, campaign name over 50',
      sms('message: empty, missing, 1005 and 1006 characters'),
      sms('campaign_name up to 50 characters'),
    ),
    row('990', "the amount is more than the parent's credit", amounts),
    row('991', 'the amount is not a whole number', amounts),
    row(
      '992',
      'the source is empty, too long, or has other characters',
      sms('source: 1 to 11 digits and English letters'),
    ),
    row('993', 'password length', fields),
    row('994', 'user name taken', fields),
    row('995', 'user name length', fields),
    row('996', 'name length', fields),
    row(
      '997',
      'not a valid command',
      inBothForms('sms-api/envelope')('unknown and several operations are 997'),
    ),
    row(
      '998',
      'unknown error in the request: never given, since each has a status of its own',
      inBothForms('sms-api/bad-input')('wrong types in every field'),
      inFile('sms-api/fuzz')(
        'fuzz: good requests that were broken never make a fault, and store something only when they say so',
      ),
    ),
    row(
      '999',
      'a fault of the service',
      inBothForms('sms-api/fault')(
        'a fault of the service is HTTP 500 with status 999 and a request id, and stores nothing',
      ),
    ),
  ],
};
