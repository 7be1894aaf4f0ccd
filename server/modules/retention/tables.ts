import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of retention. */
export const retentionTables = defineTables({
  text_removals: { placement: 'account', personalData: noPersonalData.settings },
  retention: { placement: 'coordinator', personalData: noPersonalData.settings },
});
