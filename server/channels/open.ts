import type { CampaignList, RepeatedRequest } from '../engine/campaigns/source.ts';
import {
  type ContentReader,
  type ListedText,
  nothing,
  type Reaction,
} from '../engine/messages/message-content.ts';
import type { Channel } from './contract/channel.ts';
import { CALL_CHANNEL, TEXT_CHANNEL } from './contract/channels.ts';
import { channels } from './index.ts';
import type { ChannelContext, ChannelModule, OpenChannel } from './module.ts';

/** A channel with its module. */
export interface OpenedChannel {
  readonly channel: Channel;
  readonly module: ChannelModule;
}

/**
 * Opens every channel, in the order of the list, and registers its delivery hooks, campaigns, replies and fallbacks.
 * Starts nothing.
 */
export async function openChannels(context: ChannelContext): Promise<OpenedChannel[]> {
  const opened: OpenedChannel[] = [];
  for (const channel of channels) {
    const { open } = (await import(channel.file.href)) as { readonly open: OpenChannel };
    const module = await open(context);
    opened.push({ channel, module });
    context.hooks.set(channel.id, module.delivery);
    if (module.campaigns) context.campaigns.add(module.campaigns);
    if (module.replies) context.replies.add(channel.id, module.replies);
    if (module.fallback) context.fallbacks.add(channel.id, module.fallback);
    if (module.evidence) context.gate.addEvidence(channel.name, module.evidence);
    if (module.calls) context.lateBound.calls = module.calls;
    if (module.mailer) context.lateBound.mailer = module.mailer;
  }
  return opened;
}

/**
 * Returns a function that reads the content of messages of every channel. A text that is also read aloud includes the
 * spoken text.
 */
export function contentReaderOf(opened: readonly OpenedChannel[]): ContentReader {
  const readers = new Map(opened.map(({ channel, module }) => [channel.id, module.contentOf]));
  return async (accountId, stored) => {
    if (stored.isRemoved) return { ...nothing, isRemoved: true };
    const { channel, own, shared, call } = stored;
    const read = readers.get(channel);
    if (read) return read(accountId, stored);
    const spoken =
      call && (await readers.get(CALL_CHANNEL)?.(accountId, { ...stored, own: null, shared: null }));
    return {
      ...nothing,
      text: channels.of(channel).codec.summary(own ?? shared),
      call: spoken?.call ?? null,
    };
  };
}

/** Returns a function that reads the request to repeat a campaign, by the channel of the campaign. */
export function requestReaderOf(opened: readonly OpenedChannel[]) {
  const modules = new Map(opened.map(({ channel, module }) => [channel.id, module]));
  return async (channel: number, accountId: number, id: number): Promise<RepeatedRequest | undefined> =>
    // SMS and calls to phones come from the same request.
    modules.get(channel === CALL_CHANNEL ? TEXT_CHANNEL : channel)?.requestOf?.(accountId, id);
}

/** A text of a list, with the channel of its message. */
type TextOfChannel = ListedText & { readonly channel: number };

/** Returns a function that reads what lists show of messages of every channel; null for nothing. */
export function textsReaderOf(opened: readonly OpenedChannel[]) {
  const readers = new Map(opened.map(({ channel, module }) => [channel.id, module.textsOf]));
  return async (accountId: number, messages: readonly TextOfChannel[]) => {
    const read = await Promise.all(
      [...Map.groupBy(messages, ({ channel }) => channel)].map(([channel, some]) =>
        readers.get(channel)?.(accountId, some),
      ),
    );
    const texts = new Map(read.flatMap((found) => [...(found ?? [])]));
    return ({ id, channel, own, shared }: TextOfChannel): string | null =>
      texts.get(id) ?? channels.of(channel).codec.summary(own ?? shared);
  };
}

/** Returns a function that reads the lists of a campaign, by the channel of the campaign. */
export function listsReaderOf(opened: readonly OpenedChannel[]) {
  const modules = new Map(opened.map(({ channel, module }) => [channel.id, module]));
  return async (channel: number, accountId: number, id: number): Promise<readonly CampaignList[]> =>
    (await modules.get(channel === CALL_CHANNEL ? TEXT_CHANNEL : channel)?.listsOf?.(accountId, id)) ?? [];
}

/** Returns a function that reads recipients' reactions to messages, by the channel of the message. */
export function reactionReaderOf(opened: readonly OpenedChannel[]) {
  const modules = new Map(opened.map(({ channel, module }) => [channel.id, module]));
  return async (channel: number, accountId: number, messageId: number): Promise<readonly Reaction[]> =>
    (await modules.get(channel)?.reactionsTo?.(accountId, messageId)) ?? [];
}

/** Returns the connectors of the channels, by kind of routing: each with its own route, or named by routes. */
export function connectorsOf(opened: readonly OpenedChannel[]) {
  const of = (test: (channel: Channel) => boolean) =>
    opened.flatMap(({ channel, module }) => (test(channel) ? module.connectors : []));
  return {
    own: of(({ connectors }) => connectors.routing === 'own'),
    /** Named by routes of the operator. They also take messages without a route. */
    general: of(({ connectors }) => connectors.routing !== 'own' && connectors.prefix === ''),
    /** Named by routes of one channel. */
    special: of(({ connectors }) => connectors.routing !== 'own' && connectors.prefix !== ''),
  };
}
