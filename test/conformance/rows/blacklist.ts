import { type Chapter, inBothForms, row } from '../row.ts';

const listed = inBothForms('sms-api/blacklist');
const required = listed('required fields');
const entries = listed(
  'entries that are no numbers come in errors beside the others; when all are, it is 933',
);

/** The interface, B10. */
export const blacklist: Chapter = {
  title: 'B10: blacklist',
  bothForms: true,
  rows: [
    row(
      'blacklist',
      '`blacklist`: `transactions` with `phone`, `date`, of the span asked for, as long as it is',
      listed('added numbers are listed with their date, once each, in any spelling'),
      listed('the list is of one account, of the span asked for, and as long as it is'),
    ),
    row('blacklist.refused', '`from`, `to`: missing, no time or backwards: 2', required),
    row(
      'addNumBL',
      '`addNumBL`: 946, and how many were added and were there',
      listed('added numbers are listed with their date, once each, in any spelling'),
    ),
    row(
      'addNumBL.refused',
      '`phones` missing or empty: 2; entries that are no numbers in `errors`; all of them: 933',
      required,
      entries,
    ),
    row(
      'rmNumBL',
      '`rmNumBL`: 944, and how many were removed and not present; the reason is kept',
      listed('removed numbers are gone, and the reason is kept'),
    ),
    row(
      'rmNumBL.refused',
      '`phones` or `reason` missing: 2; `reason` empty: 933; no numbers: 933',
      required,
      entries,
    ),
    row('dry run', 'counts alike, changes nothing', listed('dry runs count and change nothing')),
  ],
};
