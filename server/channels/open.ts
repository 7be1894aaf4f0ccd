import type { Channel } from './contract.ts';
import { channels } from './index.ts';
import type { ChannelContext, ChannelModule, OpenChannel } from './module.ts';

/** A channel with what it does in this service. */
export interface OpenedChannel {
  readonly channel: Channel;
  readonly module: ChannelModule;
}

/**
 * Opens every channel, in the order of the list, and gives its delivery hooks and campaigns to those who call them.
 * Nothing of it is started.
 */
export async function openChannels(context: ChannelContext): Promise<OpenedChannel[]> {
  const opened: OpenedChannel[] = [];
  for (const channel of channels) {
    const { open } = (await import(channel.file.href)) as { readonly open: OpenChannel };
    const module = await open(context);
    opened.push({ channel, module });
    context.hooks.set(channel.id, module.delivery);
    if (module.campaigns) context.campaigns.add(module.campaigns);
    if (module.calls) context.later.calls = module.calls;
  }
  return opened;
}

/** Connectors of channels: those that each are a route of its own name, and those that routes by destination name. */
export function connectorsOf(opened: readonly OpenedChannel[]) {
  const of = (test: (channel: Channel) => boolean) =>
    opened.flatMap(({ channel, module }) => (test(channel) ? module.connectors : []));
  return {
    own: of(({ connectors }) => connectors.routing === 'own'),
    /** Named by routes of the operator; they take what has no route, too. */
    general: of(({ connectors }) => connectors.routing !== 'own' && connectors.prefix === ''),
    /** Named by routes of one channel. */
    special: of(({ connectors }) => connectors.routing !== 'own' && connectors.prefix !== ''),
  };
}
