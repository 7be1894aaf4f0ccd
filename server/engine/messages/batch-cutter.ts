import { CALL_CHANNEL, type Channels, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import type { RoutedMessage } from '../carriers/route-conditions.ts';
import { CALL_ROUTES, type Routing } from '../carriers/routing.ts';
import type { Lane } from './lanes.ts';
import type { DueTime, Wait } from './waits.ts';

/** A row of the queue of dispatch batches (docs/decisions/0003-dispatch-batches.md). */
export interface PlannedBatch {
  readonly id: number;
  /** Id of the channel of all its messages. */
  readonly channel: number;
  readonly lane: Lane;
  readonly route: string;
  readonly dueAt: number;
  /** Why its messages are due later than requested; null if they are not. */
  readonly wait: Wait | null;
  readonly heldShipmentId: number | null;
  firstId: number;
  lastId: number;
  count: number;
}

/** Due time of a batch of a paused shipment: never, until the shipment is resumed. */
export const PAUSED_AT = Number.MAX_SAFE_INTEGER;

/** Returns the route of an SMS or a call. For a call, a trunk must serve the number, or have served it just now. */
export function phoneRouteOf(
  routing: Routing,
  message: RoutedMessage,
  channel: number = TEXT_CHANNEL,
): string {
  if (channel === CALL_CHANNEL) return routing.callRouteOf(message.destination)?.name ?? CALL_ROUTES;
  // A message that fits no route waits on the default route, since an operator may add a connector for it.
  return routing.routeOf(message) ?? '';
}

/**
 * Groups messages into batches by lane, route and time, so that a thousand single requests per second do not create a
 * thousand queue rows.
 */
export class BatchCutter {
  readonly batches: PlannedBatch[] = [];
  readonly #open = new Map<string, PlannedBatch>();
  readonly #channels: Channels;

  constructor(channels: Channels) {
    this.#channels = channels;
  }

  /**
   * Adds a message to a batch and returns the batch. Message ids must increase. `heldShipmentId` is the id of a
   * shipment that may be paused as a whole.
   */
  take(
    { channel, route }: { readonly channel: number; readonly route: string },
    lane: Lane,
    { at: dueAt, wait }: DueTime,
    heldShipmentId: number | null,
    messageId: number,
  ): PlannedBatch {
    const key = `${lane}/${route}/${heldShipmentId}/${dueAt}`;
    let batch = this.#open.get(key);
    if (!batch || batch.count >= this.#channels.of(channel).batchSize) {
      batch = {
        id: messageId,
        channel,
        lane,
        route,
        dueAt,
        wait,
        heldShipmentId,
        firstId: messageId,
        lastId: messageId,
        count: 0,
      };
      this.#open.set(key, batch);
      this.batches.push(batch);
    }
    batch.lastId = messageId;
    batch.count++;
    return batch;
  }
}
