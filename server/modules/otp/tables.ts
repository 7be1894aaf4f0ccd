import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of otp. */
export const otpTables = defineTables({
  // For 90 days a phone that used a code is a known one (server/modules/fraud-guard/measure.ts).
  otp_sends: { placement: 'account', partition: { unit: 'month', keepDays: 90 }, personalData: 'erased' },
  otp_spending: { placement: 'account' },
  code_hours: { placement: 'account', personalData: noPersonalData.counts },
});
