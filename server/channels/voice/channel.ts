import { CALL_ROUTES } from '../../carriers/routing.ts';
import type { Channel } from '../../channel-contract/channel.ts';
import { CALL_CHANNEL } from '../../channel-contract/channels.ts';
import { settingsOf } from '../../config.ts';
import { voiceFailures } from './failures.ts';
import { voiceSettings } from './settings.ts';
import { readSpoken, type SpokenInput } from './spoken.ts';

/**
 * Calls. What a call says and how is stored with its shipment (`shipments.call`), since the same shipment may also have
 * SMS; the payload of a message is the text where it was written for one recipient.
 */
export const voiceChannel: Channel<SpokenInput> = {
  id: CALL_CHANNEL,
  name: 'voice',
  connectors: { prefix: CALL_ROUTES, routing: 'by-destination', keepsIds: false, settleMs: 0 },
  settings: voiceSettings,
  defaultPrice: (config) => settingsOf(config, voiceSettings).DEFAULT_CALL_PRICE,
  codec: {
    encode: ({ text }) => text,
    decode: ({ own, call }) => readSpoken(own === null ? call : { ...call, text: own }),
    summary: (stored) => stored,
  },
  failures: voiceFailures,
  // Calls take minutes, and what is to be tried again waits for its whole batch.
  batchSize: 30,
  file: new URL('./open.ts', import.meta.url),
};
