import { chapter, row } from '../row.ts';

/** The interface, B8. */
export const reports = chapter({
  key: 'B8',
  title: 'B8: reports',
  bothForms: true,
  rows: [
    row(
      'dlr',
      '`dlr`: `external_id`, `status`, `he_message`, `en_message`, `date`, `shipment_id`; an unknown id has no row; not final: -1',
    ),
    row('dlr.ids', '`external_id`: one to 1000, bare or repeated; none or 1001: 2'),
    row('dlr.span', '`from`, `to`: required; a week at most; no time, or backwards: 2'),
    row('dlrByDate', '`dlrByDate` and `dlrbyDate`: every message of the span; a week at most, else 2'),
    row('incoming', '`incoming`: `source`, `destination`, `message`, `date`, whole and as it was written'),
    row('incoming.span', '`incoming`: a week at most, from up to a year back, else 2'),
    row('numbers', 'numbers abroad are plain digits'),
    row('isolation', "nothing of another account's messages"),
    row(
      'ttsDlr',
      '`ttsDlr`: `shipment_id`, `status`, `source`, `phone`, `he_message`, `en_message`, `date` of each call',
    ),
    row(
      'ttsDlr.refused',
      '`ttsDlr`: `shipment_id` of digits or absent; `from`, `to` required; a week at most; else 2',
    ),
  ],
});
