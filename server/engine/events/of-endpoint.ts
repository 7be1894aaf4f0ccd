import type { Sql } from '../../database/connection.ts';
import { idFloor } from '../../kit/ids.ts';
import type { Endpoint } from './endpoints.ts';
import { batchesBefore } from './outbox.ts';
import { type BatchItem, type EventOutcome, outcomesOf } from './outcomes.ts';
import { itemsOf } from './types.ts';
import { wantsEvent } from './wanted.ts';

/** Batches of up to 500 events read at a time, and the maximum read for one page. */
const BATCHES = 5;
const MAX_BATCHES = 50;

/** An event for an endpoint, and its outcome. */
export interface EventOfEndpoint extends BatchItem, EventOutcome {}

/** Start of a page: the events of a batch before this index, and earlier batches. */
export interface EventPlace {
  readonly batchId: number;
  readonly index: number;
}

/**
 * Returns events of the last 30 days for an endpoint, newest first, at most `limit`, before a place (`next` of the
 * previous page). An endpoint that receives few of many events may get a short or empty page with a `next`.
 */
export async function eventsOfEndpoint(
  sql: Sql,
  endpoint: Endpoint,
  before: EventPlace | undefined,
  limit: number,
): Promise<{ readonly events: readonly EventOfEndpoint[]; readonly next: EventPlace | null }> {
  const { account_id: accountId } = endpoint;
  const events: EventOfEndpoint[] = [];
  // The endpoint receives no events from before its registration.
  const first = idFloor(endpoint.created_at);
  let end = before ? before.batchId + 1 : Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < MAX_BATCHES; read += BATCHES) {
    const batches = await batchesBefore(sql, accountId, first, end, BATCHES);
    if (batches.length === 0) return { events, next: null };
    const items = batches.flatMap(({ id: batchId, events: all }) =>
      itemsOf(batchId, all)
        .map((item, index) => ({ ...item, batchId, index }))
        .filter(({ event, index }) => {
          const isBefore = before?.batchId !== batchId || index < before.index;
          return isBefore && wantsEvent(endpoint, event);
        })
        .reverse(),
    );
    for (let at = 0; at < items.length; ) {
      const some = items.slice(at, at + limit + 1 - events.length);
      at += some.length;
      const outcomeAt = await outcomesOf(sql, accountId, some);
      for (const { index, ...item } of some) {
        const outcome = outcomeAt(item, endpoint);
        if (!outcome) continue;
        if (events.length === limit) return { events, next: { batchId: item.batchId, index: index + 1 } };
        events.push({ ...item, ...outcome });
      }
    }
    if (batches.length < BATCHES) return { events, next: null };
    end = batches.at(-1)!.id;
  }
  return { events, next: { batchId: end, index: 0 } };
}
