import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of mail. */
export const mailTables = defineTables({
  mail_lists: { placement: 'account', personalData: noPersonalData.content },
  mail_users: { placement: 'account', personalData: 'erased' },
  mail_members: { placement: 'account', personalData: 'erased' },
  mail_discarded: { placement: 'account' },
  mail_confirmations: { placement: 'account', personalData: 'erased' },
  mail_contents: { shipment: { column: 'id', isText: true }, placement: 'account', personalData: 'erased' },
  mail_templates: { placement: 'account', personalData: noPersonalData.content },
  mail_returns: {
    shipment: { column: 'shipment_id', manyBy: 'message_id' },
    placement: 'account',
    partition: { unit: 'month' },
    personalData: 'erased',
  },
  mail_incoming: {
    withoutText: "subject = '', body = '', text = NULL, html = NULL, raw = NULL, attachments = '[]'::jsonb",
    placement: 'account',
    partition: { unit: 'month' },
    retention: { kind: 'messages' },
    personalData: 'erased',
  },
  mail_received: { placement: 'account', personalData: { none: 'ids of mail programs, for a month' } },
  mail_numbers: { placement: 'coordinator', personalData: noPersonalData.counts },
});
