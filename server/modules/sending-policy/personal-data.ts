import { partOf } from '../personal-data/table-parts.ts';

/** Times of recent messages to a person, which frequency caps count. */
export const recipientSendsPart = partOf([
  {
    table: 'recipient_sends',
    kind: 'frequency-counts',
    by: { recipient: ['phones', 'addresses', 'chatIds'] },
    key: ['recipient', 'message_id'],
    shown: ['recipient', 'message_id', 'at'],
    times: ['at'],
  },
]);
