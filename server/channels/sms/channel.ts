import { settingsOf } from '../../kit/config.ts';
import type { Channel } from '../contract/channel.ts';
import { TEXT_CHANNEL } from '../contract/channels.ts';
import { smsAccess } from './access.ts';
import { smsFailures } from './failures.ts';
import { smsSettings } from './settings.ts';

/** SMS: its payload is the text. */
export const smsChannel: Channel<string> = {
  id: TEXT_CHANNEL,
  name: 'sms',
  connectors: { prefix: '', routing: 'by-destination', keepsIds: false, settleMs: 0 },
  settings: smsSettings,
  defaultPrice: (config) => settingsOf(config, smsSettings).DEFAULT_PART_PRICE,
  codec: {
    encode: (text) => text,
    decode: ({ own, shared }) => own ?? shared ?? '',
    summary: (stored) => stored,
  },
  failures: smsFailures,
  batchSize: 500,
  access: smsAccess,
  file: new URL('./open.ts', import.meta.url),
};
