import { changes } from '../../../server/access/rules.ts';
import type { Channel } from '../../../server/channel-contract/contract.ts';

/** A push notification, as an app shows it. */
export interface Notification {
  readonly title: string;
  readonly body: string;
}

/** What the names of its routes begin with; the name of the app follows. */
export const PUSH_ROUTES = 'push/';

/** Where the push service answers. A channel of the product reads this from a setting (`context.config`). */
export const pushService = { url: '' };

/** Push notifications to an HTTP service: the example of a channel, and the test of the contract. */
export const pushChannel: Channel<Notification> = {
  id: 100,
  name: 'push',
  connectors: { prefix: PUSH_ROUTES, routing: 'own', keepsIds: false, settleMs: 0 },
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
  access: {
    'POST /v1/push/messages': changes('sender', 'send'),
    'POST /v1/push/campaigns': changes('sender', 'send'),
  },
  file: new URL('./open.ts', import.meta.url),
};
