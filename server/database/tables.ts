import { defineTables, noPersonalData } from './define-tables.ts';

/** Tables of database. */
export const databaseTables = defineTables({
  migrations: { placement: 'coordinator', personalData: noPersonalData.installation },
  state: { placement: 'coordinator', personalData: noPersonalData.installation },
  processes: { placement: 'coordinator', personalData: noPersonalData.installation },
});
