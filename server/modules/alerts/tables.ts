import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of alerts. */
export const alertsTables = defineTables({
  alert_rules: { placement: 'coordinator', personalData: noPersonalData.settings },
  alert_incidents: { placement: 'coordinator', personalData: noPersonalData.settings },
  alert_notifications: { placement: 'coordinator', personalData: noPersonalData.settings },
  alert_defaults: { placement: 'coordinator' },
  alert_contacts: { placement: 'coordinator', personalData: 'erased' },
});
