import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of connectors. */
export const connectorsTables = defineTables({
  links: { placement: 'coordinator', leased: true, personalData: noPersonalData.installation },
  connectors: {
    placement: 'coordinator',
    sealed: { password: { key: ['name'], sentTo: ['host', 'port', 'tls', 'uri', 'origins'] } },
    personalData: noPersonalData.installation,
  },
  poll_cursors: { placement: 'coordinator', personalData: noPersonalData.installation },
  // Before 0.3, see routing_rules.
  carrier_routes: { placement: 'coordinator', personalData: noPersonalData.installation },
  routing_rules: { placement: 'coordinator', personalData: noPersonalData.installation },
  number_look_ups: {
    placement: 'coordinator',
    sealed: { secrets: { key: ['id'], sentTo: ['origins'] } },
    personalData: noPersonalData.installation,
  },
  number_networks: {
    placement: 'coordinator',
    personalData: { none: 'the mobile network of a number, of no account, until it is looked up again' },
  },
  only_routes: { placement: 'coordinator', personalData: noPersonalData.installation },
  retired_routes: { placement: 'coordinator', personalData: noPersonalData.installation },
});
