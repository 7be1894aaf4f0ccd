import { numbers } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { type Delivery, type DeliveryState, deliveriesOfEvents } from './deliveries.ts';
import { type Endpoint, wantsType } from './endpoints.ts';
import type { Item } from './types.ts';

/** An event of a batch. */
export interface BatchItem extends Item {
  readonly batchId: number;
}

/** The outcome of an event at one endpoint. */
export interface EventOutcome {
  /** `waiting`: not attempted yet. `delivered`: taken at the first attempt. Others are of the delivery. */
  readonly state: DeliveryState | 'waiting' | 'delivered';
  /** Of one that was not taken at once; of several, by a replay, the last. */
  readonly delivery: Delivery | null;
}

/**
 * Outcomes of events at endpoints. What was taken at the first attempt leaves no row: it is told of those endpoints that
 * wanted the event and were there; undefined for others.
 */
export async function outcomesOf(
  sql: Sql,
  accountId: number,
  items: readonly BatchItem[],
): Promise<(item: BatchItem, endpoint: Endpoint) => EventOutcome | undefined> {
  const batchIds = [...new Set(items.map(({ batchId }) => batchId))];
  const [queued, deliveries] = await Promise.all([
    sql<{ batch_id: number }[]>`
      SELECT batch_id FROM event_queue
      WHERE account_id = ${accountId} AND batch_id = ANY(${numbers(batchIds)}::bigint[])`,
    deliveriesOfEvents(
      sql,
      accountId,
      items.map(({ key }) => key),
      Math.min(...batchIds),
    ),
  ]);
  const waiting = new Set(queued.map(({ batch_id }) => batch_id));
  const stored = new Map(deliveries.map((row) => [`${row.event_key}/${row.endpoint_id}`, row]));
  return ({ key, event, batchId }, endpoint) => {
    const delivery = stored.get(`${key}/${endpoint.id}`);
    if (delivery) return { state: delivery.state, delivery };
    const wasThere = endpoint.created_at <= event.at && event.at < (endpoint.off_at ?? Infinity);
    if (!wasThere || !wantsType(endpoint, event.type)) return undefined;
    return { state: waiting.has(batchId) ? 'waiting' : 'delivered', delivery: null };
  };
}
