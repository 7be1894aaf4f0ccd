import { client } from '../../api/client.ts';
import type { Message } from '../../api/messages.ts';
import type { KeysetPage } from '../../api/pages.ts';
import type { Query } from '../../api/types.ts';

/** The service reads for a third of a second at most, and then gives what it has: so many times it is asked on. */
const MAX_ASKED = 10;

/** A page of messages. One that is empty though there may be more is gone on from, for some seconds. */
export async function searchMessages(
  query: Query<'/v1/messages'>,
  after?: string,
): Promise<KeysetPage<Message>> {
  let next = after;
  for (let asked = 1; ; asked++) {
    const { data } = await client.GET('/v1/messages', {
      params: { query: { ...query, ...(next !== undefined && { after: next }) } },
    });
    const { messages: rows, next: following } = data!;
    if (rows.length > 0 || following === null || asked === MAX_ASKED) return { rows, next: following };
    next = following;
  }
}
