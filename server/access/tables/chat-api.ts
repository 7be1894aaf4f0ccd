import { type AccessTable, programs } from '../rules.ts';

/** The chat API. An account calls for a subscriber by naming a business number of the subscriber. */
export const chatRoutes: AccessTable = {
  'POST /chat-api/send-template-message': programs('send'),
  'POST /chat-api/send-template': programs('send'),
  'POST /chat-api/send-whatsapp-template': programs('send'),
  'POST /chat-api/create-campaign-wa': programs('send'),
  'POST /chat-api/send-buttons': programs('send'),
  'POST /chat-api/send-carousel': programs('send'),
  'GET /chat-api/get-phone-templates/:phone': programs('read', 'send'),
  'GET /chat-api/get-phone-templates/:phone/:templateId': programs('read', 'send'),
};
