import type { EventEmitter } from 'node:events';
import type { Arrival, PhoneFeed } from '../engine/live/hub.ts';
import type { ChatPhones } from './chat-platform/phones.ts';
import type { Phones } from './smsc/phones.ts';
import type { SandboxVoice, ShownCall } from './voice.ts';

/** Arrivals at the simulated phones on one channel. */
interface Source<Item extends object> {
  readonly kind: Arrival['kind'];
  readonly list: (phone: string) => readonly Item[];
  readonly arrivals: EventEmitter<{ arrived: [phone: string, item: Item] }>;
  readonly at: (item: Item) => string;
}

/** Returns the arrivals at the simulated phones on all channels. */
export function phoneFeed(
  sms: Phones,
  chat: ChatPhones,
  voice: Pick<SandboxVoice, 'calls' | 'list'>,
): PhoneFeed {
  const feeds = [
    feedOf({ kind: 'sms', list: (phone) => sms.list(phone), arrivals: sms, at: ({ at }) => at }),
    feedOf({ kind: 'chat', list: (phone) => chat.list(phone), arrivals: chat, at: ({ at }) => at }),
    feedOf({ kind: 'call', list: voice.list, arrivals: voice.calls, at: endOf }),
  ];
  return {
    list: async (phone) => (await Promise.all(feeds.map(({ list }) => list(phone)))).flat(),
    listen(heard) {
      const ends = feeds.map(({ listen }) => listen(heard));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

function feedOf<Item extends object>({ kind, list, arrivals, at }: Source<Item>): PhoneFeed {
  const arrival = (phone: string, item: Item): Arrival => ({ phone, kind, at: at(item), item });
  return {
    list: async (phone) => list(phone).map((item) => arrival(phone, item)),
    listen(heard) {
      const hear = (phone: string, item: Item) => heard(arrival(phone, item));
      arrivals.on('arrived', hear);
      return () => arrivals.off('arrived', hear);
    },
  };
}

/** A call arrives when it has ended. */
const endOf = ({ at, seconds }: ShownCall) => new Date(Date.parse(at) + seconds * 1_000).toISOString();
