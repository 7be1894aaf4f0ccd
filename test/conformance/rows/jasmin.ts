import { chapter, row } from '../row.ts';

/** Jasmin's interface (docs/migrating.md). */
export const jasmin = chapter({
  key: 'jasmin',
  title: 'Interfaces of other gateways: Jasmin',
  bothForms: false,
  rows: [
    row('send', '`/jasmin/send` by GET and POST answers `Success "<uuid>"`'),
    row('coding', '`content` and `hex-content` by `coding`'),
    row('dlr', '`dlr-url` by `dlr-level` and `dlr-method`'),
    row('ack', 'a report is sent again until it is answered with `ACK/Jasmin`'),
    row('times', '`sdt` and `validity-period`'),
    row('tlvs', '`custom_tlvs` of a JSON body, with ids of DLT'),
    row('rate', '`/jasmin/rate` answers `submit_sm_count` and `unit_rate`'),
    row('balance', '`/jasmin/balance` answers `balance`'),
    row('refusals', 'statuses and texts of refusals'),
  ],
});
