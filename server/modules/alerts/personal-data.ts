import { partOf } from '../personal-data/table-parts.ts';

/** Recipients of alerts outside the account. An erasure deletes them, so that they get no more alerts. */
export const alertContactsPart = partOf([
  {
    table: 'alert_contacts',
    kind: 'verifications',
    by: { recipient: ['phones', 'addresses'] },
    key: ['id'],
    shown: ['id', 'means', 'recipient', 'asked_at', 'confirmed_at'],
    times: ['asked_at', 'confirmed_at'],
  },
]);
