import { defineTables, noPersonalData } from '../../database/define-tables.ts';
import { codeMonths } from './code-months.ts';

/** Tables of links. */
export const linksTables = defineTables({
  short_links: {
    shipment: { column: 'shipment_id', manyBy: 'id' },
    placement: 'account',
    partition: { unit: 'month' },
    personalData: 'erased',
  },
  clicks: {
    shipment: { column: 'shipment_id', manyBy: 'id' },
    placement: 'account',
    partition: { unit: 'month' },
    personalData: 'erased',
  },
  link_codes: {
    placement: { by: 'number' },
    partition: { unit: 'month', key: codeMonths },
    personalData: noPersonalData.counts,
  },
  link_code_numbers: { placement: 'coordinator', personalData: noPersonalData.counts },
});
