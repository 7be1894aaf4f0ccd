import { type AccessTable, open, programs, sends } from '../../api/access/rules.ts';

/** The chat API. An account calls for a subscriber by naming a business number of the subscriber. */
export const chatAccess: AccessTable = {
  'POST /chat-api/send-template-message': sends(programs('send')),
  'POST /chat-api/send-template': sends(programs('send')),
  'POST /chat-api/send-whatsapp-template': sends(programs('send')),
  'POST /chat-api/create-campaign-wa': sends(programs('send')),
  'POST /chat-api/send-buttons': sends(programs('send')),
  'POST /chat-api/send-carousel': sends(programs('send')),
  'GET /chat-api/get-phone-templates/:phone': programs('read', 'send'),
  'GET /chat-api/get-phone-templates/:phone/:templateId': programs('read', 'send'),

  // Webhooks of the platform.
  'GET /chat-webhooks': open('signature'),
  'POST /chat-webhooks': open('signature'),
};
