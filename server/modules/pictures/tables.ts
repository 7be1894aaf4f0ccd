import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of pictures. */
export const picturesTables = defineTables({
  // Addresses of pictures name no account.
  pictures: { placement: 'coordinator', personalData: noPersonalData.settings },
});
