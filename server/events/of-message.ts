import type { Sql } from '../database/connection.ts';
import { idFloor } from '../ids.ts';
import type { DeliveryState } from './deliveries.ts';
import { type Endpoint, wantsType } from './endpoints.ts';
import { type Event, type EventType, itemsOf } from './types.ts';

/** Events are recorded in the transaction that stores what happened: their batch has an id of about then. */
const BEFORE_MS = 1_000;
const AFTER_MS = 10_000;

/** How an event of a message came to one endpoint. */
export interface PushOfMessage {
  readonly eventKey: string;
  readonly type: EventType;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  readonly endpoint: Endpoint;
  /** `done`: taken. `waiting`: not attempted yet. */
  readonly state: DeliveryState | 'waiting';
  /** Of one that was not taken at once. */
  readonly attempts: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

/**
 * What was pushed of a message, by what happened at `times` (milliseconds since the epoch). What was taken at the first
 * attempt leaves no row: it is told of those endpoints that wanted the event and were there.
 */
export async function pushesOfMessage(
  sql: Sql,
  accountId: number,
  messageId: number,
  times: readonly number[],
  endpoints: readonly Endpoint[],
): Promise<PushOfMessage[]> {
  if (endpoints.length === 0 || times.length === 0) return [];
  const batches = new Map<number, string>();
  for (const at of new Set(times)) {
    const rows = await sql<{ id: number; events: string }[]>`
      SELECT id, events FROM event_batches
      WHERE account_id = ${accountId} AND id >= ${idFloor(at - BEFORE_MS)} AND id < ${idFloor(at + AFTER_MS)}
        AND events LIKE ${`%"message_id":${messageId},%`}`;
    for (const { id, events } of rows) batches.set(id, events);
  }
  const items = [...batches]
    .flatMap(([batchId, events]) =>
      itemsOf(batchId, JSON.parse(events) as Event[]).map((item) => ({ ...item, batchId })),
    )
    .filter(({ event }) => 'message_id' in event.data && event.data.message_id === messageId);
  if (items.length === 0) return [];
  const first = Math.min(...items.map(({ batchId }) => batchId));
  const keys = items.map(({ key }) => key);
  const [queued, deliveries] = await Promise.all([
    sql<{ batch_id: number }[]>`
      SELECT batch_id FROM event_queue
      WHERE account_id = ${accountId} AND batch_id = ANY(${items.map(({ batchId }) => batchId)}::bigint[])`,
    sql<
      {
        endpoint_id: number;
        event_key: string;
        state: DeliveryState;
        attempts: number;
        last_status: number | null;
        last_error: string | null;
      }[]
    >`
      SELECT endpoint_id, event_key, state, attempts, last_status, last_error FROM deliveries
      WHERE account_id = ${accountId} AND id > ${first} AND event_key = ANY(${keys}::text[])
      ORDER BY id`,
  ]);
  const waiting = new Set(queued.map(({ batch_id }) => batch_id));
  // A replay is a delivery of its own: the last one tells.
  const stored = new Map(deliveries.map((row) => [`${row.event_key}/${row.endpoint_id}`, row]));
  return items.flatMap(({ key, event, batchId }) =>
    endpoints.flatMap((endpoint): PushOfMessage[] => {
      const common = { eventKey: key, type: event.type, at: event.at, endpoint };
      const row = stored.get(`${key}/${endpoint.id}`);
      if (row) {
        const { state, attempts, last_status: lastStatus, last_error: lastError } = row;
        return [{ ...common, state, attempts, lastStatus, lastError }];
      }
      const wasThere = endpoint.created_at <= event.at && endpoint.state === 'active';
      if (!wasThere || !wantsType(endpoint, event.type)) return [];
      const state = waiting.has(batchId) ? 'waiting' : 'done';
      return [{ ...common, state, attempts: null, lastStatus: null, lastError: null }];
    }),
  );
}
