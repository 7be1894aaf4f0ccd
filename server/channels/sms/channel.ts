import type { Channel } from '../../channel-contract/contract.ts';
import { smsFailures } from './failures.ts';

/** SMS: its payload is the text. */
export const smsChannel: Channel<string> = {
  id: 0,
  name: 'sms',
  toPhones: 'texts',
  connectors: { prefix: '', routing: 'by-destination', keepsIds: false, settleMs: 0 },
  defaultPrice: ({ DEFAULT_PART_PRICE }) => DEFAULT_PART_PRICE,
  codec: {
    encode: (text) => text,
    decode: ({ own, shared }) => own ?? shared ?? '',
    summary: (stored) => stored,
  },
  failures: smsFailures,
  batchSize: 500,
  file: new URL('./open.ts', import.meta.url),
};
