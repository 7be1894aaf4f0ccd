import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of gate. */
export const gateTables = defineTables({
  destination_rules: { placement: 'coordinator', personalData: noPersonalData.settings },
});
