import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of sending policy. */
export const sendingPolicyTables = defineTables({
  recipient_sends: { placement: 'account', personalData: 'erased' },
  sending_policies: { placement: 'coordinator', personalData: noPersonalData.settings },
});
