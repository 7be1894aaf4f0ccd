import type { Channels } from '../../channels/contract/channels.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Event } from '../../engine/events/types.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { Automation } from './automation.ts';
import { beginning, type Conversation, conversationColumns } from './rows.ts';

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

export interface ReceivedDeps {
  readonly events: Pick<Events, 'record'>;
  readonly channels: Channels;
  readonly automation: Pick<Automation, 'received'>;
}

/**
 * Adds a message of a client to their conversation, in the transaction that stores the message. A message that the
 * client wrote opens the conversation, records `conversation.opened` and `message.received`, and starts automatic
 * handling. Any other message only updates the last message.
 */
export async function takeReceived(
  tx: TransactionSql,
  { events, channels, automation }: ReceivedDeps,
  accountId: number,
  received: Received,
): Promise<void> {
  const { channel, sender, client, name, messageId, type, text, isWritten, isEcho = false } = received;
  const at = timeOfId(messageId);
  const last = tx.keptText(accountId, beginning(text)) ?? '';
  if (!isWritten) {
    await tx`
      UPDATE conversations SET last_id = ${messageId}, last_type = ${type}, last_text = ${last},
        last_from_client = ${!isEcho}, unread = CASE WHEN ${isEcho} THEN 0 ELSE unread END, changed_at = ${at}
      WHERE account_id = ${accountId} AND client = ${client} AND sender = ${sender} AND last_id < ${messageId}`;
    return;
  }
  const [row] = await tx<(Conversation & { opened_id: number })[]>`
    INSERT INTO conversations AS c (account_id, id, sender, client, client_name, channel, state, unread, last_id, last_type,
      last_text, last_from_client, client_at, opened_id, changed_at)
    VALUES (${accountId}, ${messageId}, ${sender}, ${client}, ${name}, ${channel}, 0, 1, ${messageId}, ${type}, ${last}, true,
      ${at}, ${messageId}, ${at})
    ON CONFLICT ON CONSTRAINT conversations_client_key DO UPDATE SET
      client_name = CASE WHEN excluded.client_name = '' THEN c.client_name ELSE excluded.client_name END,
      channel = excluded.channel,
      state = 0,
      unread = c.unread + 1,
      last_id = greatest(c.last_id, excluded.last_id),
      last_type = excluded.last_type,
      last_text = excluded.last_text,
      last_from_client = true,
      client_at = excluded.client_at,
      opened_id = CASE WHEN c.state = 0 THEN c.opened_id ELSE excluded.opened_id END,
      changed_at = excluded.changed_at
    RETURNING ${conversationColumns(tx)}, opened_id`;
  const { opened_id, ...conversation } = row!;
  const { id } = conversation;
  const isFirst = opened_id === messageId;
  const about = { conversation_id: id, channel: channels.of(channel).name, from: client, to: sender };
  const opened: Event[] = isFirst
    ? [{ type: 'conversation.opened', at, data: { ...about, reopened: id !== messageId } }]
    : [];
  await events.record(tx, accountId, [
    ...opened,
    { type: 'message.received', at, data: { ...about, message_id: messageId, name, type, text } },
  ]);
  await automation.received(tx, accountId, conversation, received, isFirst);
}
