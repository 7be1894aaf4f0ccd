import { CALL_ROUTES } from '../../engine/carriers/routing.ts';
import { settingsOf } from '../../kit/config.ts';
import type { Channel } from '../contract/channel.ts';
import { CALL_CHANNEL } from '../contract/channels.ts';
import { voiceFailures } from './failures.ts';
import { voiceSettings } from './settings.ts';
import { readSpoken, type SpokenInput } from './spoken.ts';

/**
 * Calls. Text and voice of a call are stored with its shipment (`shipments.call`), because the same shipment may also
 * contain SMS. The payload of a message is its text, if it was written for one recipient.
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
  // Small, because calls take minutes, and retries wait for their whole batch.
  batchSize: 30,
  file: new URL('./open.ts', import.meta.url),
};
