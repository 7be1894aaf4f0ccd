import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of the SMPP server. */
export const smppTables = defineTables({
  smpp_clients: {
    placement: 'coordinator',
    sealed: { password: { key: ['id'], sentTo: 'nowhere' } },
    personalData: noPersonalData.settings,
  },
  smpp_binds: { placement: 'account', leased: true, personalData: noPersonalData.settings },
  smpp_messages: { placement: 'account', personalData: 'erased' },
  smpp_replaced: { placement: 'account', personalData: { none: 'ids alone' } },
  smpp_part_groups: {
    placement: 'account',
    personalData: { none: 'deleted when the message is whole, or some minutes later' },
  },
  smpp_deliveries: { placement: 'account', leased: true, personalData: 'erased' },
});
