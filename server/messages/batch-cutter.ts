import { CALL_ROUTES, type Routing } from '../carriers/routing.ts';
import { CALL_CHANNEL, type Channels, TEXT_CHANNEL } from '../channel-contract/channels.ts';
import type { Lane } from './lanes.ts';

/** A row of the queue (docs/decisions/0003-dispatch-batches.md). */
export interface PlannedBatch {
  readonly id: number;
  /** Of all its messages: the id of a channel. */
  readonly channel: number;
  readonly lane: Lane;
  readonly route: string;
  readonly dueAt: number;
  readonly heldShipmentId: number | null;
  firstId: number;
  lastId: number;
  count: number;
}

/** When a batch is due whose shipment is paused: never, until that is taken back. */
export const PAUSED_AT = Number.MAX_SAFE_INTEGER;

/** The route of an SMS or a call to a number (E.164 digits). A call has to be one that a trunk takes, or took just now. */
export function phoneRouteOf(routing: Routing, phone: string, channel: number = TEXT_CHANNEL): string {
  if (channel === CALL_CHANNEL) return routing.callRouteOf(phone)?.name ?? CALL_ROUTES;
  // A number that no route takes now waits on the default route: someone may add a link for it.
  return routing.routeOf(phone) ?? '';
}

/**
 * Puts messages into batches: those of the same lane, route and time together, so that a thousand single requests a
 * second do not make a thousand queue rows.
 */
export class BatchCutter {
  readonly batches: PlannedBatch[] = [];
  readonly #open = new Map<string, PlannedBatch>();
  readonly #channels: Channels;

  constructor(channels: Channels) {
    this.#channels = channels;
  }

  /** The batch of a message; the ids of messages grow. `heldShipmentId` is that of a shipment that may be held back as a whole. */
  take(
    { channel, route }: { readonly channel: number; readonly route: string },
    lane: Lane,
    dueAt: number,
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
