import type { Sql } from '../database/connection.ts';
import { idFloor } from '../ids.ts';
import { type Endpoint, wantsType } from './endpoints.ts';
import { batchesBefore } from './outbox.ts';
import { type BatchItem, type EventOutcome, outcomesOf } from './outcomes.ts';
import { itemsOf } from './types.ts';

/** Batches of up to 500 events that are read for one page: it may then be short, or empty, and still have a `next`. */
const MAX_BATCHES = 60;
const BATCHES = 20;

/** An event that an endpoint was to have, and what became of it. */
export interface EventOfEndpoint extends BatchItem, EventOutcome {}

/** The place of an event in the order of all of an account. */
export interface EventPlace {
  readonly batchId: number;
  readonly index: number;
}

/**
 * Events that an endpoint was to have, the newest first, at most `limit`; those before a place, which is `next` of the page
 * before. Events are kept for 30 days.
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
  let end = before?.batchId ?? Number.MAX_SAFE_INTEGER - 1;
  for (let read = 0; read < MAX_BATCHES; read += BATCHES) {
    const batches = await batchesBefore(sql, accountId, first, end + 1, BATCHES);
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
    const outcomeAt = items.length > 0 ? await outcomesOf(sql, accountId, items) : () => undefined;
    for (const { index, ...item } of items) {
      const outcome = outcomeAt(item, endpoint);
      if (!outcome) continue;
      if (events.length === limit) return { events, next: { batchId: item.batchId, index: index + 1 } };
      events.push({ ...item, ...outcome });
    }
    if (batches.length < BATCHES) return { events, next: null };
    end = batches.at(-1)!.id - 1;
  }
  return { events, next: { batchId: end, index: Number.MAX_SAFE_INTEGER } };
}
