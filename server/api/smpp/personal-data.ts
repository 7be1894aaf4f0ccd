import type { PersonalDataPart } from '../../modules/personal-data/part.ts';
import { partOf } from '../../modules/personal-data/table-parts.ts';

/** Receipts and incoming messages that wait for an SMPP client, and messages whose receipts are not due yet. */
export const smppPart: PersonalDataPart = partOf([
  {
    table: 'smpp_messages',
    kind: 'smpp-deliveries',
    by: { phone: ['phones'] },
    key: ['id', 'phone'],
    shown: ['id', 'phone', 'source', 'destination'],
  },
  {
    table: 'smpp_deliveries',
    kind: 'smpp-deliveries',
    by: { phone: ['phones'] },
    key: ['id'],
    shown: ['id', 'phone', 'content'],
  },
]);
