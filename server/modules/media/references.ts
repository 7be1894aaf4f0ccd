import type { Queryable } from '../../database/connection.ts';

/*
 * SQL for the file of a message: `media_id` or, in rows of version 0.1, which has no such column and stores texts unsealed,
 * the id in the content.
 */

/** Beginning of the stored content of a chat message with a file. */
const FILE_CONTENT = '{"kind":"media"%';

/** SQL for the file id of a row of `messages`; null without a file. `chat` is the id of the chat channel. */
export const sentFile = (sql: Queryable, chat: number) => sql`coalesce(media_id, CASE
  WHEN channel = ${chat} AND payload LIKE ${FILE_CONTENT} THEN (payload::json -> 'media' ->> 'id')::bigint END)`;

/** Returns the file of an incoming chat message; null for a message without a file. */
export const receivedFile = (sql: Queryable) => sql`coalesce(media_id, (content ->> 'media_id')::bigint)`;
