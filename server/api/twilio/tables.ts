import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of the interface of Twilio. */
export const twilioTables = defineTables({
  twilio_numbers: {
    placement: 'coordinator',
    sealed: { secret: { key: ['account_id', 'number'], sentTo: 'nowhere' } },
    personalData: noPersonalData.settings,
  },
});
