import { defineTables } from '../../database/define-tables.ts';

/** Tables of media. */
export const mediaTables = defineTables({
  media: { placement: 'account', personalData: 'erased' },
});
