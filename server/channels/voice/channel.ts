import { CALL_ROUTES } from '../../carriers/routing.ts';
import type { Channel } from '../../channel-contract/contract.ts';
import { voiceFailures } from './failures.ts';
import { readSpoken, type SpokenInput } from './spoken.ts';

/**
 * Calls. What a call says and how is stored with its shipment (`shipments.call`), since the same shipment may also have
 * SMS; the payload of a message is the text where it was written for one recipient.
 */
export const voiceChannel: Channel<SpokenInput> = {
  id: 3,
  name: 'voice',
  toPhones: 'calls',
  connectors: { prefix: CALL_ROUTES, routing: 'by-destination', keepsIds: false, settleMs: 0 },
  defaultPrice: ({ DEFAULT_CALL_PRICE }) => DEFAULT_CALL_PRICE,
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
