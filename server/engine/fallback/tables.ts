import { defineTables } from '../../database/define-tables.ts';

/** Tables of fallbacks. */
export const fallbackTables = defineTables({
  fallbacks: {
    shipment: { column: 'id' },
    placement: 'account',
    partition: { unit: 'month' },
    personalData: 'erased',
  },
  fallback_messages: {
    placement: 'account',
    partition: { unit: 'month' },
    // A message whose row is gone would be replaced once more.
    retention: {
      kind: 'messages',
      which: (sql) => sql`NOT EXISTS (
        SELECT FROM fallbacks f
        WHERE f.account_id = t.account_id AND f.id = t.fallback_of AND f.state = 'open')`,
    },
  },
});
