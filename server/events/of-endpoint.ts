import type { Sql } from '../database/connection.ts';
import { idFloor } from '../ids.ts';
import { type Endpoint, wantsType } from './endpoints.ts';
import { batchesBefore } from './outbox.ts';
import { type BatchItem, type EventOutcome, outcomesOf } from './outcomes.ts';
import { itemsOf } from './types.ts';

/** Batches, each of up to 500 events, that are read at a time, and for one page at most. */
const BATCHES = 5;
const MAX_BATCHES = 50;

/** An event that an endpoint was to have, and its outcome. */
export interface EventOfEndpoint extends BatchItem, EventOutcome {}

/** Where a page begins: with the events of a batch before this index, and the batches before it. */
export interface EventPlace {
  readonly batchId: number;
  readonly index: number;
}

/**
 * Events of the last 30 days that an endpoint was to have, the newest first, at most `limit`; those before a place, which is
 * `next` of the page before. An endpoint that wants few of many events may get a short page, or an empty one, with a `next`.
 */
export async function eventsOfEndpoint(
  sql: Sql,
  endpoint: Endpoint,
  before: EventPlace | undefined,
  limit: number,
): Promise<{ readonly events: readonly EventOfEndpoint[]; readonly next: EventPlace | null }> {
  const { account_id: accountId } = endpoint;
  const events: EventOfEndpoint[] = [];
  // Nothing before it was registered was for it.
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
          return isBefore && wantsType(endpoint, event.type);
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
