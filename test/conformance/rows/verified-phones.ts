import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const phones = inBothForms('sms-api/verified-phones');
const page = inFile('sms-api/verified-phones');
const incoming = inFile('voice/incoming');
const refused = phones('what is refused leaves nothing behind');
const pressed = phones('a mobile gets a link; its press, and nothing less, lets the account send from it');

/** The interface, B9; decisions, "Single operations". */
export const verifiedPhones: Chapter = {
  title: 'B9: verified phones',
  bothForms: true,
  rows: [
    row(
      'verify_phone',
      '`verify_phone`: `status`, `verify_message`; a mobile gets an SMS with a link to a page whose press verifies',
      pressed,
      page('the page speaks the language of the browser, from right to left where it is written so'),
      page('unknown and misshapen tokens are not found, and whoever guesses is stopped'),
    ),
    row(
      'verify_phone.landline',
      'a landline: `verify_message` names the number to call; the code that the call back speaks verifies it, or the operator does',
      phones('a landline is told the number to call, gets no SMS, and waits for the operator'),
      page('without a number to call, a landline is told to turn to the operator'),
      incoming(
        'a landline that calls the number named is declined, and called back with a code that verifies it',
      ),
      incoming('unknown callers and calls to other numbers have no consequence'),
      incoming('a request is over after 24 hours'),
    ),
    row(
      'verify_phone.several',
      'one or more phones; each SMS with a link of its own, charged by parts',
      phones('several numbers of both kinds, each once, each SMS with its own link, charged by parts'),
    ),
    row('verify_phone.none', 'no phones: 510', refused),
    row(
      'verify_phone.refused',
      'no number, or neither mobile nor landline: 9; blocked: 8; no credit: 4; suspended: 5',
      refused,
    ),
    row(
      'verify_phone.link',
      'a link works once, and for 24 hours',
      phones('a link works once, and others of its number not after it'),
      phones('a link is good for 24 hours'),
    ),
    row(
      'verify_phone.limit',
      'a number is asked five times a day, else 5; a dry run asks nobody',
      phones('a dry run asks nobody; a number is asked five times within a day'),
    ),
    row(
      'getVerifiedPhones',
      '`getVerifiedPhones`: `PHONE`, `USER_ID`, `ASSIGNMENT_DATE`, `LAST_UPDATE`',
      phones('getVerifiedPhones has the number, whose it is, and two dates'),
    ),
    row(
      'is_subs',
      '`is_subs` 1: the numbers of subscribers too; no number: 2',
      phones('is_subs 1 has the numbers of subscribers too, anything else has not'),
    ),
    row(
      'source',
      'a number that is not verified is no source: 515; a verified one is',
      pressed,
      phones("a request is one account's: the number may be another's as well, if its owner says so"),
    ),
  ],
};
