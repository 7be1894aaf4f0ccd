import { chapter, row } from '../row.ts';

/** The interface, B11; decisions, "Single operations". */
export const cancel = chapter({
  key: 'B11',
  title: 'B11: `cancel`',
  bothForms: true,
  rows: [
    row(
      'scheduled',
      'by `campaign_id`, the `shipment_id`, while it is scheduled: 0, nothing goes out, and its price comes back',
    ),
    row('running', 'while it runs: the rest is cancelled and given back, and the answer says which'),
    row('again', 'cancelled already: 955'),
    row('sent', 'sent already: 966'),
    row('nothing', 'nothing of it was sent, and nothing is left to cancel: 970'),
    row('unknown', "unknown, or another account's: 977"),
    row('required', 'neither id nor name, or an id that is no whole number: 2'),
    row(
      'by name',
      'by `campaign_name`: every one that can still be, with `count`; all cancelled: 955; all sent: 966; unknown: 977',
    ),
    row('dry run', 'says what would be, changes nothing'),
  ],
});
