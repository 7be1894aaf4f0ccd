import { defineTables, noPersonalData } from '../database/define-tables.ts';
import { codeMonths } from './code-months.ts';

/** Tables of links. */
export const linksTables = defineTables({
  short_links: { placement: 'account', partition: { unit: 'month' }, personalData: 'erased' },
  clicks: { placement: 'account', partition: { unit: 'month' }, personalData: 'erased' },
  link_codes: {
    placement: { by: 'number' },
    partition: { unit: 'month', key: codeMonths },
    personalData: noPersonalData.counts,
  },
  link_code_numbers: { placement: 'coordinator', personalData: noPersonalData.counts },
});
