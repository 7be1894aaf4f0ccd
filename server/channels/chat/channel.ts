import { settingsOf } from '../../kit/config.ts';
import type { Channel } from '../contract/channel.ts';
import { chatAccess } from './access.ts';
import { type ChatContent, chatCodec } from './content.ts';
import { chatFailures } from './failures.ts';
import { chatSettings } from './settings.ts';
import { chatTables } from './tables.ts';

/** Prefix of chat routes; the business number follows. */
export const CHAT_ROUTES = 'chat/';

/** Chat: the payload is the platform's message without its recipient. */
export const chatChannel: Channel<ChatContent> = {
  id: 1,
  name: 'chat',
  // The ids of sent messages are kept, because recipients reply to them or press their buttons long after the delivery.
  // Within 10 s the platform's webhooks report which messages of a killed process it has accepted.
  connectors: { prefix: CHAT_ROUTES, routing: 'own', keepsIds: true, settleMs: 10_000 },
  tables: chatTables,
  settings: chatSettings,
  defaultPrice: (config) => settingsOf(config, chatSettings).DEFAULT_CHAT_PRICE,
  codec: chatCodec,
  failures: chatFailures,
  batchSize: 500,
  access: chatAccess,
  file: new URL('./open.ts', import.meta.url),
};
