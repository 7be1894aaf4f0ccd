import { defineTables } from '../../../server/database/define-tables.ts';

/** Tables of push notifications. */
export const pushTables = defineTables({
  push_devices: { placement: 'account', personalData: 'erased' },
});
