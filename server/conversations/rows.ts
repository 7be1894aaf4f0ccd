import type { Queryable } from '../database/connection.ts';

export const conversationStates = ['open', 'closed'] as const;
export type ConversationState = (typeof conversationStates)[number];

/** As `conversations.state` has it. */
export const stateNumber = (state: ConversationState): number => conversationStates.indexOf(state);

/** A client and a sender of ours, over every channel. Times are milliseconds since the epoch. */
export interface Conversation {
  readonly id: number;
  /** Our number (E.164 digits) or address. */
  readonly sender: string;
  /** The client's, or the chat platform's id of one who hides the number. */
  readonly client: string;
  /** The name of their profile; '' for none. */
  readonly client_name: string;
  /** Id of the channel that the client wrote over last. */
  readonly channel: number;
  readonly state: number;
  /** Id of a person; null: nobody. */
  readonly assignee_id: number | null;
  /** Messages of the client that nobody has read. */
  readonly unread: number;
  readonly label_ids: readonly number[];
  /** The last message. */
  readonly last_id: number;
  /** What it is, as events say it: `text`, `image`, … */
  readonly last_type: string;
  /** How it begins. */
  readonly last_text: string;
  readonly last_from_client: boolean;
  /** When the client wrote last; null: never. */
  readonly client_at: number | null;
  /** Who is writing an answer, while `writing_until` is to come. */
  readonly writer_id: number | null;
  readonly writer_name: string | null;
  readonly writing_until: number;
  readonly changed_at: number;
}

/** The columns of a Conversation. */
export const conversationColumns = (sql: Queryable) => sql`
  id, sender, client, client_name, channel, state, assignee_id, unread, label_ids, last_id, last_type, last_text, last_from_client,
  client_at, writer_id, writer_name, writing_until, changed_at`;

/** Characters of a message that a list shows. */
const MAX_LAST_TEXT = 200;

/** How a message begins, in one line. */
export const beginning = (text: string): string =>
  [
    ...text
      .slice(0, MAX_LAST_TEXT * 2)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, MAX_LAST_TEXT)
    .join('');

/** Who does something: a person, or a program with a token. */
export interface Actor {
  readonly personId: number | null;
  /** Null for a program. */
  readonly name: string | null;
}

/** A program with a token, or the service itself. */
export const nobody: Actor = { personId: null, name: null };
