import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const cancelled = inBothForms('sms-api/cancel');
const lists = inBothForms('sms-api/lists');

/** The interface, B11; decisions, "Single operations". */
export const cancel: Chapter = {
  title: 'B11: `cancel`',
  bothForms: true,
  rows: [
    row(
      'scheduled',
      'by `campaign_id`, the `shipment_id`, while it is scheduled: 0, nothing goes out, and its price comes back',
      cancelled('a scheduled campaign is cancelled whole, once, and its price comes back'),
      lists('a scheduled send to a list is cancelled, and what was held comes back'),
      cancelled('a blacklisted destination of a scheduled campaign is not one that was submitted'),
    ),
    row(
      'running',
      'while it runs: the rest is cancelled and given back, and the answer says which',
      cancelled('a running campaign is cut off, and the answer, the reports and the ledger agree on where'),
      inFile('sms-api/cancel')(
        'no message that cancelling a running campaign refunded goes out all the same',
      ),
      inFile('faults/list-sends')(
        'cancelled while lists are being sent to: the rest is not made, and only what was submitted is paid',
      ),
    ),
    row(
      'again',
      'cancelled already: 955',
      cancelled('a scheduled campaign is cancelled whole, once, and its price comes back'),
    ),
    row('sent', 'sent already: 966', cancelled('a campaign that was sent cannot be cancelled')),
    row(
      'nothing',
      'nothing of it was sent, and nothing is left to cancel: 970',
      cancelled('a campaign that went to nobody, since all of its list are blocked, is 970'),
    ),
    row(
      'unknown',
      "unknown, or another account's: 977",
      cancelled("an unknown campaign, and another account's, are 977"),
    ),
    row(
      'required',
      'neither id nor name, or an id that is no whole number: 2',
      cancelled('neither id nor name, or an id that is no number'),
    ),
    row(
      'by name',
      'by `campaign_name`: every one that can still be, with `count`; all cancelled: 955; all sent: 966; unknown: 977',
      cancelled('by name: every one that can still be, with their number'),
      cancelled('by name: 955 when all are cancelled'),
      cancelled("an unknown campaign, and another account's, are 977"),
    ),
    row(
      'dry run',
      'says what would be, changes nothing',
      cancelled('a dry run of cancel says what would be and changes nothing'),
    ),
  ],
};
