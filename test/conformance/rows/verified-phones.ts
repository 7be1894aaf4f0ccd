import { chapter, row } from '../row.ts';

/** The interface, B9; decisions, "Single operations". */
export const verifiedPhones = chapter({
  key: 'B9',
  title: 'B9: verified phones',
  bothForms: true,
  rows: [
    row(
      'verify_phone',
      '`verify_phone`: `status`, `verify_message`; a mobile gets an SMS with a link to a page whose press verifies',
    ),
    row(
      'verify_phone.landline',
      'a landline: `verify_message` names the number to call; the code that the call back speaks verifies it, or the operator does',
    ),
    row('verify_phone.several', 'one or more phones; each SMS with a link of its own, charged by parts'),
    row('verify_phone.none', 'no phones: 510'),
    row(
      'verify_phone.refused',
      'no number, or neither mobile nor landline: 9; blocked: 8; no credit: 4; suspended: 5',
    ),
    row('verify_phone.link', 'a link works once, and for 24 hours'),
    row('verify_phone.limit', 'a number is asked five times a day, else 5; a dry run asks nobody'),
    row('getVerifiedPhones', '`getVerifiedPhones`: `PHONE`, `USER_ID`, `ASSIGNMENT_DATE`, `LAST_UPDATE`'),
    row('is_subs', '`is_subs` 1: the numbers of subscribers too; no number: 2'),
    row('source', 'a number that is not verified is no source: 515; a verified one is'),
  ],
});
