import type { Channels } from '../../channels/contract/channels.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Event } from '../../engine/events/types.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { Automation, NewMessage } from './automation.ts';
import { aboutConversation } from './change.ts';
import type { Conversation } from './rows.ts';
import { keyOf, storeInConversations } from './store-received.ts';

/** A message of a client, being stored in the same transaction. */
export interface Received {
  /** Id of the channel. */
  readonly channel: number;
  /** Recipient: our number (E.164 digits) or address. */
  readonly sender: string;
  /** Sender: E.164 digits, an email address, or the chat platform's id of a client who hides the number. */
  readonly client: string;
  /** The name in their profile; '' if unknown. */
  readonly name: string;
  readonly messageId: number;
  /** `text`, `image`, … as the channel names it. */
  readonly type: string;
  readonly text: string;
  /**
   * Whether the client wrote it, which opens the conversation and counts as unread. False for reactions, edits, notices
   * and echoes.
   */
  readonly isWritten: boolean;
  /**
   * Whether the account wrote it to the client on the phone of the business number. Then the client's messages were
   * read there.
   */
  readonly isEcho?: boolean;
}

/** A message of a client of an account. */
export interface AccountReceived {
  readonly accountId: number;
  readonly received: Received;
  /** The channel's event about the message, recorded before those of the conversation. */
  readonly event?: Event | undefined;
}

export interface ReceivedDeps {
  readonly events: Pick<Events, 'record' | 'recordEach'>;
  readonly channels: Channels;
  readonly automation: Pick<Automation, 'received'>;
}

/**
 * Adds messages of clients to their conversations, in the transaction that stores them. The accounts have one placement,
 * and the messages are in the order of their ids. A message that the client wrote opens the conversation, records
 * `conversation.opened` and `message.received`, and starts automatic handling. Any other message only updates the last
 * message.
 */
export async function takeReceived(
  tx: TransactionSql,
  { events, channels, automation }: ReceivedDeps,
  all: readonly AccountReceived[],
): Promise<void> {
  const found = await storeInConversations(tx, all);
  const happened = new Map<number, Event[]>();
  const handled: NewMessage[] = [];
  for (const one of all) {
    const { accountId, received, event } = one;
    const told = event ? [event] : [];
    const row = received.isWritten ? found.get(keyOf(one)) : undefined;
    if (row) {
      const { opened_id, away_at, ...conversation } = row;
      const isFirst = opened_id === received.messageId;
      told.push(...eventsOf(channels, conversation, received, isFirst));
      handled.push({ accountId, conversation, received, isFirst, awayAt: away_at });
    }
    const others = happened.get(accountId);
    if (others) others.push(...told);
    else happened.set(accountId, told);
  }
  await events.recordEach(tx, happened);
  await automation.received(tx, handled);
}

function eventsOf(
  channels: Channels,
  conversation: Conversation,
  { messageId, name, type, text }: Received,
  isFirst: boolean,
): Event[] {
  const at = timeOfId(messageId);
  const about = aboutConversation(channels, conversation);
  const opened: Event = {
    type: 'conversation.opened',
    at,
    data: { ...about, reopened: conversation.id !== messageId },
  };
  const message: Event = {
    type: 'message.received',
    at,
    data: { ...about, message_id: messageId, name, type, text },
  };
  return isFirst ? [opened, message] : [message];
}
