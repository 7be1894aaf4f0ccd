import { defineTables, noPersonalData } from '../../../server/database/define-tables.ts';

/** Tables of ratings. */
export const ratingsTables = defineTables({
  ratings: { placement: 'account', personalData: 'erased' },
  rating_sums: { placement: 'account', personalData: noPersonalData.counts },
});
