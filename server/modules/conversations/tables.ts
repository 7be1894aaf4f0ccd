import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of conversations. */
export const conversationsTables = defineTables({
  conversations: { placement: 'account', personalData: 'erased' },
  conversation_entries: { placement: 'account', personalData: 'erased' },
  conversation_labels: { placement: 'account', personalData: noPersonalData.settings },
  conversation_tasks: { placement: 'account', personalData: 'erased' },
  saved_replies: { placement: 'account', personalData: noPersonalData.settings },
  conversation_rules: { placement: 'account', personalData: noPersonalData.settings },
  conversation_settings: { placement: 'account', personalData: noPersonalData.settings },
});
