import { partOf } from '../personal-data/table-parts.ts';

/** SMS that came in. */
export const incomingPart = partOf([
  {
    table: 'incoming',
    kind: 'incoming-sms',
    by: { source: ['phones'] },
    key: ['id'],
    shown: ['id', 'source', 'destination', 'text', 'octets'],
  },
]);
