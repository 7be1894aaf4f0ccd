import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of connectors. */
export const connectorsTables = defineTables({
  links: { placement: 'coordinator', leased: true, personalData: noPersonalData.installation },
  connectors: {
    placement: 'coordinator',
    sealed: { password: { key: ['name'], sentTo: ['host', 'port', 'tls', 'uri', 'origins'] } },
    personalData: noPersonalData.installation,
  },
  // Before 0.3, see routing_rules.
  carrier_routes: { placement: 'coordinator', personalData: noPersonalData.installation },
  routing_rules: { placement: 'coordinator', personalData: noPersonalData.installation },
  only_routes: { placement: 'coordinator', personalData: noPersonalData.installation },
  retired_routes: { placement: 'coordinator', personalData: noPersonalData.installation },
});
