import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of events. */
export const eventsTables = defineTables({
  // Deliveries can be replayed for a month (docs/events.md).
  event_batches: {
    placement: 'account',
    partition: { unit: 'week', keepDays: 30 },
    retention: {
      kind: 'events',
      which: (sql) => sql`NOT EXISTS (
        SELECT FROM event_queue q WHERE q.account_id = t.account_id AND q.batch_id = t.id)`,
    },
    personalData: 'erased',
  },
  event_queue: { placement: 'account', leased: true, personalData: noPersonalData.counts },
  // As event_batches.
  deliveries: {
    placement: 'account',
    partition: { unit: 'week', keepDays: 30 },
    retention: { kind: 'events', which: (sql) => sql`t.state <> 'retrying'` },
    personalData: 'erased',
  },
  webhook_attempts: {
    placement: 'account',
    partition: { unit: 'day', keepDays: 7 },
    retention: { kind: 'events' },
    personalData: 'erased',
  },
  event_backlogs: { placement: 'account', leased: true, personalData: noPersonalData.counts },
  event_endpoints: {
    placement: 'coordinator',
    sealed: {
      secret: { key: ['id'], sentTo: 'nowhere', wasPlain: true },
      old_secret: { key: ['id'], purpose: 'event_endpoints.secret', sentTo: 'nowhere', wasPlain: true },
    },
    personalData: noPersonalData.settings,
  },
  event_listeners: { placement: 'coordinator', personalData: noPersonalData.settings },
});
