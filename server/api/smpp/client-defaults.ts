import type { NewSmppClient } from './clients.ts';

/** Settings of a new SMPP client that does not name others. */
export const defaults = {
  enabled: true,
  addresses: [],
  tlsRequired: false,
  maxBinds: 4,
  messagesPerSecond: 100,
  window: 50,
  defaultSource: null,
  sources: [],
  defaultAlphabet: 'gsm',
  international: false,
  incoming: true,
} as const satisfies Partial<NewSmppClient>;
