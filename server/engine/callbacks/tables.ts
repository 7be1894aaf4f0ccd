import { defineTables } from '../../database/define-tables.ts';

/** Tables of status callbacks. */
export const callbacksTables = defineTables({
  // Messages are final after some days, and a delivery can be replayed for a month (events/tables.ts).
  status_callbacks: {
    placement: 'account',
    partition: { unit: 'week', keepDays: 30 },
    sealed: { secret: { key: ['account_id', 'id'], sentTo: 'nowhere' } },
    personalData: 'erased',
  },
});
