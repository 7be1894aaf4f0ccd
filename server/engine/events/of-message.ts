import type { Sql } from '../../database/connection.ts';
import { isSealed } from '../../database/is-sealed.ts';
import { idFloor } from '../../kit/ids.ts';
import type { Endpoint } from './endpoints.ts';
import { type BatchItem, type EventOutcome, outcomesOf } from './outcomes.ts';
import { type Event, itemsOf, type RecordedType } from './types.ts';

/**
 * Milliseconds before and after a change within which the id of its batch lies, since events are recorded in the
 * transaction of the change.
 */
const BEFORE_MS = 1_000;
const AFTER_MS = 10_000;

/** Outcome of a message's event at one endpoint. */
export interface PushOfMessage extends EventOutcome {
  readonly eventKey: string;
  readonly type: RecordedType;
  /** Time of the event, in milliseconds since the epoch. */
  readonly at: number;
  readonly endpoint: Endpoint;
}

/** Returns the pushes of a message's events that happened at `times` (milliseconds since the epoch). */
export async function pushesOfMessage(
  sql: Sql,
  accountId: number,
  messageId: number,
  times: readonly number[],
  endpoints: readonly Endpoint[],
): Promise<PushOfMessage[]> {
  if (endpoints.length === 0 || times.length === 0) return [];
  const batches = new Map<number, string>();
  const named = `"message_id":${messageId},`;
  for (const at of new Set(times)) {
    const rows = await sql<{ id: number; events: string }[]>`
      SELECT id, events FROM event_batches
      WHERE account_id = ${accountId} AND id >= ${idFloor(at - BEFORE_MS)} AND id < ${idFloor(at + AFTER_MS)}
        AND (events LIKE ${`%${named}%`} OR ${isSealed(sql, sql`events`)})`;
    // The database cannot search encrypted batches.
    for (const { id, events } of rows) if (events.includes(named)) batches.set(id, events);
  }
  const items: BatchItem[] = [...batches]
    .flatMap(([batchId, events]) =>
      itemsOf(batchId, JSON.parse(events) as Event[]).map((item) => ({ ...item, batchId })),
    )
    .filter(({ event }) => 'message_id' in event.data && event.data.message_id === messageId);
  if (items.length === 0) return [];
  const outcomeAt = await outcomesOf(sql, accountId, items);
  return items.flatMap((item) =>
    endpoints.flatMap((endpoint): PushOfMessage[] => {
      const outcome = outcomeAt(item, endpoint);
      return outcome
        ? [{ eventKey: item.key, type: item.event.type, at: item.event.at, endpoint, ...outcome }]
        : [];
    }),
  );
}
