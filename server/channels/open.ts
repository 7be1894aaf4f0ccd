import type { Channel, ChannelContext, ChannelModule } from './contract.ts';
import { channels } from './index.ts';

/** A channel with what it does in this service. */
export interface OpenChannel {
  readonly channel: Channel;
  readonly module: ChannelModule;
}

/** Opens the channels that open themselves, in their order. Nothing of them is started. */
export async function openChannels(context: ChannelContext): Promise<OpenChannel[]> {
  const opened: OpenChannel[] = [];
  for (const channel of channels) {
    if (channel.open) opened.push({ channel, module: await channel.open(context) });
  }
  return opened;
}
