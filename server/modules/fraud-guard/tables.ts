import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of fraud guard. */
export const fraudGuardTables = defineTables({
  otp_blocks: { placement: 'account', personalData: 'erased' },
  guarded_sends: { placement: 'account', personalData: 'erased' },
  otp_lifts: { placement: 'account', personalData: noPersonalData.counts },
});
