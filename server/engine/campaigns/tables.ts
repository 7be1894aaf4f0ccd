import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of campaigns. */
export const campaignsTables = defineTables({
  campaigns: { shipment: { column: 'id' }, placement: 'account', personalData: 'erased' },
  campaign_texts: { placement: 'account', personalData: noPersonalData.content },
  drafts: { placement: 'account', personalData: 'erased' },
});
