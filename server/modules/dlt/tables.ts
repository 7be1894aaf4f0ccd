import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of DLT ids. */
export const dltTables = defineTables({
  dlt_ids: { placement: 'coordinator', personalData: noPersonalData.settings },
});
