import type { Queryable } from '../database/connection.ts';

/*
 * Which file a message has, in SQL: `media_id`, or of a row that version 0.1 wrote, which does not know the column and stores
 * texts as they are, what its content says.
 */

/** What the stored content of a chat message with a file begins with. */
const FILE_CONTENT = '{"kind":"media"%';

/** Of a row of `messages` whose channel is `chat`, an id of a channel; null where it has none. */
export const sentFile = (sql: Queryable, chat: number) => sql`coalesce(media_id, CASE
  WHEN channel = ${chat} AND payload LIKE ${FILE_CONTENT} THEN (payload::json -> 'media' ->> 'id')::bigint END)`;

/** Returns the file of an incoming chat message; null for a message without a file. */
export const receivedFile = (sql: Queryable) => sql`coalesce(media_id, (content ->> 'media_id')::bigint)`;
