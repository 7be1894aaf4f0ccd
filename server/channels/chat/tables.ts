import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of chat. */
export const chatTables = defineTables({
  chat_templates: { placement: 'account', personalData: noPersonalData.content },
  chat_template_statuses: { placement: 'account', personalData: noPersonalData.content },
  chat_template_submissions: { placement: 'account', personalData: noPersonalData.content },
  chat_template_syncs: { placement: 'account', personalData: noPersonalData.content },
  chat_windows: { placement: 'account', personalData: 'erased' },
  chat_reached: { placement: 'account', personalData: 'erased' },
  chat_reach: { placement: 'account', personalData: noPersonalData.counts },
  chat_months: { placement: 'account', personalData: noPersonalData.counts },
  chat_incoming: {
    // The file is kept for longer, and has to be found when a person's data is exported or erased.
    withoutText:
      "media_id = coalesce(media_id, (content ->> 'media_id')::bigint), body = '', button_id = NULL, content = NULL",
    placement: 'account',
    partition: { unit: 'month' },
    retention: { kind: 'messages' },
    personalData: 'erased',
  },
  chat_received: { placement: 'account', personalData: 'erased' },
  chat_users: { placement: 'account', personalData: 'erased' },
  chat_stops: { placement: 'account', personalData: 'erased' },
  chat_campaign_phones: { placement: 'account', personalData: 'erased' },
  chat_portfolios: {
    placement: 'coordinator',
    sealed: { access_token: { key: ['id'], sentTo: 'configuration', wasPlain: true } },
    personalData: noPersonalData.settings,
  },
  chat_numbers: { placement: 'coordinator', personalData: noPersonalData.settings },
  chat_standings: { placement: 'coordinator', personalData: noPersonalData.settings },
  chat_early_statuses: { placement: 'coordinator', personalData: 'erased' },
});
