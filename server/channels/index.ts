import type { Channel } from '../channel-contract/contract.ts';
import { chatChannel } from './chat/channel.ts';
import { mailChannel } from './mail/channel.ts';
import { smsChannel } from './sms/channel.ts';
import { voiceChannel } from './voice/channel.ts';

/** Every channel, in the order in which APIs and the console name them. */
export const channels: Channel[] = [smsChannel, chatChannel, mailChannel, voiceChannel];

const toPhones = (what: Channel['toPhones']) => channels.find((channel) => channel.toPhones === what)!;

/** The channels of sends to phones: the one of their texts, and the one of their calls. */
export const textChannel = toPhones('texts');
export const callChannel = toPhones('calls');

/** The channel with this id. Throws for an id that no channel has. */
export function channelOf(id: number): Channel {
  const channel = channels.find((candidate) => candidate.id === id);
  if (!channel) throw new Error(`no channel has the id ${id}`);
  return channel;
}

/** The channel with this name. Throws for a name that no channel has. */
export function channelNamed(name: string): Channel {
  const channel = channels.find((candidate) => candidate.name === name);
  if (!channel) throw new Error(`no channel has the name ${name}`);
  return channel;
}

/** The channel of a route, or of a connector that is one: by what its name begins with. Names of the operator are of texts. */
export function channelOfRoute(route: string): Channel {
  const named = channels.find(({ connectors: { prefix } }) => prefix !== '' && route.startsWith(prefix));
  return named ?? textChannel;
}
