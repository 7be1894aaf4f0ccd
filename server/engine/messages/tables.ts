import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of messages. */
export const messagesTables = defineTables({
  shipments: {
    shipment: { column: 'id' },
    placement: 'account',
    partition: { unit: 'month' },
    personalData: 'erased',
  },
  messages: {
    placement: 'account',
    partition: { unit: 'month', fillfactor: 60 },
    sealed: { secret_text: { key: ['account_id', 'id'], sentTo: 'nowhere' } },
    personalData: 'erased',
  },
  waits: {
    placement: 'account',
    partition: { unit: 'month' },
    // A message that still waits stays, and its wait with it.
    retention: { kind: 'messages', which: (sql) => sql`t.until_at IS NOT NULL` },
    personalData: 'erased',
  },
  kept_requests: {
    shipment: { column: 'shipment_id', isText: true },
    placement: 'account',
    personalData: 'erased',
  },
  message_hours: { placement: 'account', personalData: noPersonalData.counts },
  message_hours_changed: { placement: 'account' },
  delivery_hours: { placement: 'account', personalData: noPersonalData.counts },
  shipment_counts: {
    shipment: { column: 'shipment_id' },
    placement: 'account',
    personalData: noPersonalData.counts,
  },
});
