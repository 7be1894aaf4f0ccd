import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of dispatch. */
export const dispatchTables = defineTables({
  dispatch_batches: { placement: 'account', personalData: noPersonalData.counts },
  // A receipt that comes after three weeks is of no use to anyone; validity is a week at most.
  carrier_messages: {
    placement: 'account',
    partition: { unit: 'week', keepDays: 21 },
    personalData: 'erased',
  },
  incoming: {
    withoutText: "text = '', octets = NULL",
    placement: 'account',
    partition: { unit: 'month' },
    retention: { kind: 'messages' },
    personalData: 'erased',
  },
  connector_outages: { placement: 'coordinator', personalData: noPersonalData.installation },
  inbound_numbers: { placement: 'coordinator', personalData: noPersonalData.settings },
  early_receipts: {
    placement: 'coordinator',
    personalData: { none: 'belongs to no account until it is matched or given up, within hours' },
  },
  incoming_parts: {
    placement: 'coordinator',
    personalData: { none: 'belongs to no account until it is whole, or given up after a day' },
  },
  quarantine: {
    placement: 'coordinator',
    personalData: { none: 'results by ids of messages, without their recipients' },
  },
});
