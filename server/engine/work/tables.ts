import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Table of background work. */
export const workTables = defineTables({
  work: { placement: 'account', leased: true, personalData: noPersonalData.counts },
});
