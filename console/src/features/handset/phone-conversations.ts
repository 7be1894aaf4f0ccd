import type { ChatMedia, ReceivedChat, SandboxPhone } from '../../api/sandbox-phone.ts';

export type App = 'sms' | 'chat';

/** One bubble of a conversation. */
export type Bubble = { readonly id: string; readonly at: string; readonly text: string } & (
  | { readonly kind: 'received' }
  | {
      readonly kind: 'sent';
      readonly media?: ChatMedia | null;
      readonly location?: SandboxPhone['sent']['chat'][number]['location'];
    }
  /** A chat message with all that it shows. */
  | { readonly kind: 'rich'; readonly message: ReceivedChat }
);

/** Messages between a phone and one peer. */
export interface Conversation {
  readonly peer: string;
  /** Oldest first. */
  readonly bubbles: readonly Bubble[];
}

/** The conversations of one app of a phone, the one that moved last first. */
export function conversationsOf({ received, sent }: SandboxPhone, app: App): Conversation[] {
  const all: { peer: string; bubble: Bubble }[] =
    app === 'sms'
      ? received.sms.map(({ from, ...sms }) => ({ peer: from, bubble: { kind: 'received', ...sms } }))
      : received.chat.map((message) => ({
          peer: message.from,
          bubble: { kind: 'rich', id: message.id, at: message.at, text: message.body, message },
        }));
  for (const { to, ...message } of sent[app]) all.push({ peer: to, bubble: { kind: 'sent', ...message } });
  // The sort is stable, so messages of the same millisecond keep their order.
  all.sort((one, other) => one.bubble.at.localeCompare(other.bubble.at));
  const byPeer = Map.groupBy(all, ({ peer }) => peer);
  return [...byPeer]
    .map(([peer, entries]) => ({ peer, bubbles: entries.map(({ bubble }) => bubble) }))
    .sort((one, other) => other.bubbles.at(-1)!.at.localeCompare(one.bubbles.at(-1)!.at));
}
