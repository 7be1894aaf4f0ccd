import type { Channel } from '../../channel-contract/channel.ts';
import { settingsOf } from '../../config.ts';
import { chatAccess } from './access.ts';
import { type ChatContent, chatCodec } from './content.ts';
import { chatFailures } from './failures.ts';
import { chatSettings } from './settings.ts';
import { chatTables } from './tables.ts';

/** What routes of chat begin with; the business number follows. */
export const CHAT_ROUTES = 'chat/';

/** Chat: its payload is the platform's message without its recipient. */
export const chatChannel: Channel<ChatContent> = {
  id: 1,
  name: 'chat',
  // What a message had may be answered or pressed long after it was delivered; the platform's webhooks tell within 10 s
  // which messages it took from a process that was killed.
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
