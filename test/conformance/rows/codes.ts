import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const otp = inBothForms('sms-api/otp');
const isolation = inBothForms('sms-api/isolation');
const pumping = inFile('otp/pumping');
const spending = inFile('otp/spending');
const logs = inFile('otp/logs');

/** The interface, B4 and B5; decisions, "Single operations". */
export const codes: Chapter = {
  title: 'B4 and B5: `send_otp`, `validate_otp`',
  bothForms: true,
  rows: [
    row(
      'answer',
      '`status`, `message`; the code reaches the phone in its own lane, costs its parts, and is nowhere else',
      otp('a code reaches the phone, is verified once, and is nowhere else'),
      logs('at the finest level the log has neither codes nor whole numbers'),
    ),
    row(
      'phone',
      '`phone`: any spelling; missing: 2; no number: 9; abroad with `includes_international` only',
      otp("the caller's text has the code at every [code], in any spelling of the number"),
      otp('every field that is missing or out of its bounds, and nothing is stored'),
      otp('codes go abroad when includes_international says so'),
    ),
    row(
      'source',
      '`source`: missing: 2; not to be used: 992; not the account’s: 515',
      otp('every field that is missing or out of its bounds, and nothing is stored'),
      isolation("every operation leaves what is another's alone"),
    ),
    row(
      'app_id',
      '`app_id`: default 1; applications do not share codes; negative or no number: 2',
      otp('a new code replaces the one before, tries and all; applications do not share codes'),
      otp('every field that is missing or out of its bounds, and nothing is stored'),
    ),
    row(
      'max_tries',
      '`max_tries`: 3 to 5, default 3; so many wrong guesses and the code is worth nothing; 2 and 6: 2',
      otp('as many wrong guesses as max_tries, and the right code is worth nothing any more'),
      otp('every field that is missing or out of its bounds, and nothing is stored'),
    ),
    row(
      'valid_time',
      '`valid_time`: 1 to 15 minutes, default 5; 0 and 16: 2',
      otp('a code is good for valid_time minutes, 5 by default'),
      otp('every field that is missing or out of its bounds, and nothing is stored'),
    ),
    row(
      'text',
      '`text`: the code at every `[code]`; without one: 2; over 1005: 989; absent: a text of the service',
      otp("the caller's text has the code at every [code], in any spelling of the number"),
      otp('a long text is paid for by its parts'),
      otp('every field that is missing or out of its bounds, and nothing is stored'),
    ),
    row(
      'replaced',
      'a new code for the same account, `app_id` and phone replaces the one before',
      otp('a new code replaces the one before, tries and all; applications do not share codes'),
    ),
    row(
      'code',
      '`code`: 6 digits; missing or other: 2',
      otp('every field that is missing or out of its bounds, and nothing is stored'),
    ),
    row(
      'validated',
      'the right code: 0, once, however many ask at once',
      otp('a code reaches the phone, is verified once, and is nowhere else'),
      otp('fifty at once with the right code: one is verified'),
    ),
    row(
      'not validated',
      'wrong, used, expired, out of tries, never sent, of another account: 12, one answer for all',
      otp('wrong, used, expired, out of tries, never sent and of another account: one answer'),
      otp('wrong guesses at once take no more than the tries there are'),
    ),
    row(
      'limit.phone',
      '5 codes an hour to a phone, else 5',
      otp('five codes an hour to a phone, in a window that moves'),
      otp('sends at once pass no limit'),
    ),
    row(
      'limit.account',
      '20 codes a minute of an account, else 5',
      otp('twenty codes a minute of an account'),
      otp('sends at once pass no limit'),
    ),
    row(
      'pumping',
      'against traffic pumping: 5 before it costs; runs of neighbouring numbers, unused ranges, a cap of spending',
      otp('sends at once pass no limit'),
      pumping('a run of neighbouring numbers is stopped after ten'),
      pumping('codes all over a range that nobody uses are stopped, but for one a minute'),
      spending('sends at once do not pass the cap, and the next day begins a day after the first'),
    ),
    row(
      'pumping.told',
      'what was stopped is an event and a row in the reports',
      otp('five codes an hour to a phone, in a window that moves'),
      pumping('what is stopped is an event: the first of an hour, the tenth, the hundredth'),
      inFile('otp/reports')('what was stopped'),
    ),
    row(
      'credit',
      'not enough: 4, nothing stored, and the code before still counts',
      otp('without credit a send is 4, and is as if it had never been'),
      otp('sends at once with credit for some: each that was refused left nothing behind'),
    ),
    row(
      'blacklist',
      'a blacklisted phone: 8, nothing stored',
      otp('a number on the blacklist is 8, and is as if nothing had been asked'),
    ),
    row('suspended', 'a suspended account: 5', otp('a suspended account sends no codes')),
    row(
      'dry run',
      'the same checks; stores nothing, takes no try, and is no way to guess',
      otp('a dry run makes the checks, stores nothing, and is no way to guess'),
    ),
  ],
};
