import { type Chapter, inBothForms, row } from '../row.ts';

const reported = inBothForms('sms-api/reports');
const statuses = inBothForms('sms-api/delivery-statuses');
const calls = inBothForms('voice/calls');
const limits = reported(
  'dlr takes a bare id, a number for an id, and 1000 of them; not 1001, none or a week and a minute',
);
const byDate = reported('dlrByDate and dlrbyDate list every message of the span, also over many pages');
const incoming = reported('incoming takes a week at most, from up to a year back');

/** The interface, B8. */
export const reports: Chapter = {
  title: 'B8: reports',
  bothForms: true,
  rows: [
    row(
      'dlr',
      '`dlr`: `external_id`, `status`, `he_message`, `en_message`, `date`, `shipment_id`; an unknown id has no row; not final: -1',
      reported('dlr tells of the ids asked for, in the documented fields'),
      statuses('every delivery status has its number and its texts in dlr and dlrByDate'),
    ),
    row('dlr.ids', '`external_id`: one to 1000, bare or repeated; none or 1001: 2', limits),
    row('dlr.span', '`from`, `to`: required; a week at most; no time, or backwards: 2', limits),
    row(
      'dlrByDate',
      '`dlrByDate` and `dlrbyDate`: every message of the span; a week at most, else 2',
      byDate,
    ),
    row(
      'incoming',
      '`incoming`: `source`, `destination`, `message`, `date`, whole and as it was written',
      reported('incoming tells what phones sent, whole and as it was written'),
      reported('a message to an account that owns the number goes to that account'),
    ),
    row('incoming.span', '`incoming`: a week at most, from up to a year back, else 2', incoming),
    row(
      'numbers',
      'numbers abroad are plain digits',
      reported('international numbers are shown as plain digits'),
    ),
    row(
      'isolation',
      "nothing of another account's messages",
      reported("dlr tells nothing of another account's messages"),
    ),
    row(
      'ttsDlr',
      '`ttsDlr`: `shipment_id`, `status`, `source`, `phone`, `he_message`, `en_message`, `date` of each call',
      calls(
        'type 3 is an SMS and a call, each with its own price and status; dlr has the SMS, ttsDlr the call',
      ),
    ),
    row(
      'ttsDlr.refused',
      '`ttsDlr`: `shipment_id` of digits or absent; `from`, `to` required; a week at most; else 2',
      calls('ttsDlr refuses what dlr refuses, and a shipment that is no number'),
    ),
  ],
};
