import { z } from 'zod';
import type { Channel } from '../../../server/channels/contract/channel.ts';
import { setting } from '../../../server/kit/setting.ts';
import { pushTables } from './tables.ts';

/** A push notification, as an app shows it. */
export interface Notification {
  readonly title: string;
  readonly body: string;
}

/** What the names of its routes begin with; the name of the app follows. */
export const PUSH_ROUTES = 'push/';

/** The settings of push notifications. */
export const pushSettings = {
  PUSH_URL: setting(
    z.url({ error: 'must be an address' }).optional(),
    undefined,
    'Where the push service answers.',
  ),
} as const;

/** Push notifications to an HTTP service: the example of a channel, and the test of the contract. */
export const pushChannel: Channel<Notification> = {
  id: 100,
  name: 'push',
  connectors: { prefix: PUSH_ROUTES, routing: 'own', keepsIds: false, settleMs: 0 },
  tables: pushTables,
  migrations: new URL('./migrations/', import.meta.url),
  settings: pushSettings,
  defaultPrice: () => '0.05',
  codec: {
    encode: (notification) => JSON.stringify(notification),
    decode: ({ own, shared }) => JSON.parse((own ?? shared)!) as Notification,
    summary: (stored) => (stored === null ? null : (JSON.parse(stored) as Notification).title),
  },
  failures: {
    reasons: {
      'push-gone': ['recipient', 'The app is not installed any more.', 'Remove the device.'],
    },
    keyOf: ({ code }, known) => (code === 'GONE' ? 'push-gone' : known),
  },
  batchSize: 500,
  file: new URL('./open.ts', import.meta.url),
};
