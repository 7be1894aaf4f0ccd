import { chapter, row } from '../row.ts';

/** The interface, B4 and B5; decisions, "Single operations". */
export const codes = chapter({
  key: 'B4',
  title: 'B4 and B5: `send_otp`, `validate_otp`',
  bothForms: true,
  rows: [
    row(
      'answer',
      '`status`, `message`; the code reaches the phone in its own lane, costs its parts, and is nowhere else',
    ),
    row(
      'phone',
      '`phone`: any spelling; missing: 2; no number: 9; abroad with `includes_international` only',
    ),
    row('source', '`source`: missing: 2; not to be used: 992; not the account’s: 515'),
    row('app_id', '`app_id`: default 1; applications do not share codes; negative or no number: 2'),
    row(
      'max_tries',
      '`max_tries`: 3 to 5, default 3; so many wrong guesses and the code is worth nothing; 2 and 6: 2',
    ),
    row('valid_time', '`valid_time`: 1 to 15 minutes, default 5; 0 and 16: 2'),
    row(
      'text',
      '`text`: the code at every `[code]`; without one: 2; over 1005: 989; absent: a text of the service',
    ),
    row('replaced', 'a new code for the same account, `app_id` and phone replaces the one before'),
    row('code', '`code`: 6 digits; missing or other: 2'),
    row('validated', 'the right code: 0, once, however many ask at once'),
    row(
      'not validated',
      'wrong, used, expired, out of tries, never sent, of another account: 12, one answer for all',
    ),
    row('limit.phone', '5 codes an hour to a phone, else 5'),
    row('limit.account', '20 codes a minute of an account, else 5'),
    row(
      'pumping',
      'against traffic pumping: 5 before it costs; runs of neighbouring numbers, unused ranges, a cap of spending',
    ),
    row('pumping.told', 'what was stopped is an event and a row in the reports'),
    row('credit', 'not enough: 4, nothing stored, and the code before still counts'),
    row('blacklist', 'a blacklisted phone: 8, nothing stored'),
    row('suspended', 'a suspended account: 5'),
    row('dry run', 'the same checks; stores nothing, takes no try, and is no way to guess'),
  ],
});
