import { chapter, row } from '../row.ts';

/** The interface, B10. */
export const blacklist = chapter({
  key: 'B10',
  title: 'B10: blacklist',
  bothForms: true,
  rows: [
    row(
      'blacklist',
      '`blacklist`: `transactions` with `phone`, `date`, of the span asked for, as long as it is',
    ),
    row('blacklist.refused', '`from`, `to`: missing, no time or backwards: 2'),
    row('addNumBL', '`addNumBL`: 946, and how many were added and were there'),
    row(
      'addNumBL.refused',
      '`phones` missing or empty: 2; entries that are no numbers in `errors`; all of them: 933',
    ),
    row('rmNumBL', '`rmNumBL`: 944, and how many were removed and not present; the reason is kept'),
    row('rmNumBL.refused', '`phones` or `reason` missing: 2; `reason` empty: 933; no numbers: 933'),
    row('dry run', 'counts alike, changes nothing'),
  ],
});
