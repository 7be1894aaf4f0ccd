import type { Queryable } from '../../database/connection.ts';

export const conversationStates = ['open', 'closed'] as const;
export type ConversationState = (typeof conversationStates)[number];

/** Returns the number of a state in `conversations.state`. */
export const stateNumber = (state: ConversationState): number => conversationStates.indexOf(state);

/**
 * A conversation between a client and one of our senders, over all channels. Times are milliseconds since the
 * epoch.
 */
export interface Conversation {
  readonly id: number;
  /** Our number (E.164 digits) or address. */
  readonly sender: string;
  /** The client's number or address, or the chat platform's id of a client who hides the number. */
  readonly client: string;
  /** The name in their profile; '' for none. */
  readonly client_name: string;
  /** Id of the channel that the client used last. */
  readonly channel: number;
  readonly state: number;
  /** Id of a person; null: unassigned. */
  readonly assignee_id: number | null;
  /** Number of the client's unread messages. */
  readonly unread: number;
  readonly label_ids: readonly number[];
  /** The last message. */
  readonly last_id: number;
  /** Type in events: `text`, `image`, … */
  readonly last_type: string;
  /** Beginning of its text. */
  readonly last_text: string;
  readonly last_from_client: boolean;
  /** Time of the client's last message; null: never. */
  readonly client_at: number | null;
  /** The person who writes an answer, as long as `writing_until` is in the future. */
  readonly writer_id: number | null;
  readonly writer_name: string | null;
  readonly writing_until: number;
  readonly changed_at: number;
}

/** The columns of a Conversation. */
export const conversationColumns = (sql: Queryable) => sql`
  id, sender, client, client_name, channel, state, assignee_id, unread, label_ids, last_id, last_type, last_text, last_from_client,
  client_at, writer_id, writer_name, writing_until, changed_at`;

/** Characters of the last message in lists. */
const MAX_LAST_TEXT = 200;

/** Returns the beginning of a message, in one line. */
export const beginning = (text: string): string =>
  [
    ...text
      .slice(0, MAX_LAST_TEXT * 2)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, MAX_LAST_TEXT)
    .join('');

/** The author of an action: a person, or a program with a token. */
export interface Actor {
  readonly personId: number | null;
  /** Null for a program. */
  readonly name: string | null;
}

/** A program with a token, or the service itself. */
export const nobody: Actor = { personId: null, name: null };
