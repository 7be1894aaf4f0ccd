import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { type Delivery, type DeliveryState, deliveriesOfEvents } from './deliveries.ts';
import type { Endpoint } from './endpoints.ts';
import type { Item } from './types.ts';
import { wantsEvent } from './wanted.ts';

/** An event of a batch. */
export interface BatchItem extends Item {
  readonly batchId: number;
}

/** Outcome of an event at one endpoint. */
export interface EventOutcome {
  /** `waiting`: not attempted yet. `delivered`: accepted at the first attempt. Others are states of the delivery. */
  readonly state: DeliveryState | 'waiting' | 'delivered';
  /** Delivery of an event that was not accepted at the first attempt; after replays, the last of several. */
  readonly delivery: Delivery | null;
}

/**
 * Returns a function for the outcomes of events at endpoints. Events accepted at the first attempt leave no row: the
 * outcome `delivered` is derived for endpoints that existed and receive the type; undefined for others.
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
    if (!wasThere || !wantsEvent(endpoint, event)) return undefined;
    return { state: waiting.has(batchId) ? 'waiting' : 'delivered', delivery: null };
  };
}
