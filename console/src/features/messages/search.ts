import { client } from '../../api/client.ts';
import type { Message } from '../../api/message-types.ts';
import type { Query } from '../../api/operations.ts';
import type { KeysetPage } from '../../api/paging.ts';

/**
 * The service scans for at most a third of a second per request and then returns a partial page: maximum number of requests
 * to fill one page.
 */
const MAX_ASKED = 10;
/** The same for whether there is another page. */
const MAX_ASKED_AHEAD = 3;

/**
 * Returns a page of messages. `next` of a filtered search can lead to an empty page, so this looks ahead and returns `next`
 * only if more messages are likely.
 */
export async function searchMessages(
  query: Query<'/v1/messages'>,
  after?: string,
): Promise<KeysetPage<Message>> {
  const page = await search(query, after, MAX_ASKED);
  const { state, channel, campaign_name } = query;
  const isFiltered = state !== undefined || channel !== undefined || campaign_name !== undefined;
  if (!isFiltered || page.next === null || page.rows.length === 0) return page;
  const ahead = await search({ ...query, limit: 1 }, page.next, MAX_ASKED_AHEAD);
  return ahead.rows.length > 0 ? page : { rows: page.rows, next: ahead.next };
}

/** A page of messages. One that is empty though there may be more is gone on from, for some seconds. */
async function search(
  query: Query<'/v1/messages'>,
  after: string | undefined,
  maxAsked: number,
): Promise<KeysetPage<Message>> {
  let next = after;
  for (let asked = 1; ; asked++) {
    const data = await client.GET('/v1/messages', {
      query: { ...query, ...(next !== undefined && { after: next }) },
    });
    const { messages: rows, next: following } = data;
    if (rows.length > 0 || following === null || asked === maxAsked) return { rows, next: following };
    next = following;
  }
}
