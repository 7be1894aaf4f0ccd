import type { PriceFinder } from '../accounts/prices.ts';
import type { Routing } from '../carriers/routing.ts';
import type { IdSource } from '../ids.ts';
import { status } from '../statuses.ts';
import { countParts } from '../text/segmentation.ts';
import type { Lane } from './lanes.ts';

/** One message that is asked for. */
export interface ShipmentItem {
  /** E.164 digits. */
  readonly phone: string;
  readonly externalId: string | null;
  /** Its own sender and text; null: the shipment's. */
  readonly source: string | null;
  readonly text: string | null;
}

/** A send, checked by its door and not yet accepted. */
export interface ShipmentRequest {
  readonly accountId: number;
  readonly lane: Lane;
  readonly campaignName: string | null;
  readonly source: string;
  readonly text: string | null;
  readonly items: readonly ShipmentItem[];
  /** When to send, in milliseconds since the epoch; null: at once. */
  readonly dueAt: number | null;
  /** Destinations that got a message in the last so many days are passed over; null: none. */
  readonly recentDays: number | null;
}

/** A message as it will be stored. */
export interface PlannedMessage {
  readonly id: number;
  readonly shipmentId: number;
  readonly batchId: number;
  readonly item: ShipmentItem;
  readonly parts: number;
  /** Ten-thousandths of a credit. */
  readonly price: number;
  /** -1, or 201 for one that is blocked and goes nowhere. */
  readonly status: number;
}

export interface PlannedBatch {
  readonly id: number;
  readonly lane: Lane;
  readonly route: string;
  readonly dueAt: number;
  readonly heldShipmentId: number | null;
  firstId: number;
  lastId: number;
  count: number;
}

export interface PlannedShipment {
  readonly id: number;
  readonly request: ShipmentRequest;
  readonly scheduled: boolean;
  readonly dueAt: number;
  readonly messages: readonly PlannedMessage[];
  readonly cost: number;
}

/** Messages of one batch, at most: one queue row, one lease. */
export const BATCH_SIZE = 500;

/**
 * Cuts what is accepted together for one account into messages with their ids and prices, and into the batches by
 * which they are dispatched. Batches are shared by the shipments of one plan where lane, route and time are the same,
 * so that a thousand single requests a second do not make a thousand queue rows.
 */
export class Plan {
  readonly shipments: PlannedShipment[] = [];
  readonly batches: PlannedBatch[] = [];
  readonly #open = new Map<string, PlannedBatch>();
  readonly #ids: IdSource;
  readonly #routing: Routing;
  readonly #now: number;

  constructor(ids: IdSource, routing: Routing, now: number) {
    this.#ids = ids;
    this.#routing = routing;
    this.#now = now;
  }

  /** Adds a shipment of these items; those in `blocked` are stored as blocked, cost nothing and go nowhere. */
  add(
    request: ShipmentRequest,
    items: readonly ShipmentItem[],
    blocked: ReadonlySet<string>,
    priceOf: PriceFinder,
  ): void {
    const id = this.#ids.next();
    const scheduled = request.dueAt !== null && request.dueAt > this.#now;
    const dueAt = scheduled ? request.dueAt! : this.#now;
    const sharedParts = request.text === null ? 0 : countParts(request.text);
    let cost = 0;
    const messages = items.map((item): PlannedMessage => {
      const messageId = this.#ids.next();
      const parts = item.text === null ? sharedParts : countParts(item.text);
      if (blocked.has(item.phone)) {
        return {
          id: messageId,
          shipmentId: id,
          batchId: 0,
          item,
          parts,
          price: 0,
          status: status.blockedOnRequest,
        };
      }
      const batch = this.#batchFor(request.lane, item.phone, dueAt, scheduled ? id : null, messageId);
      const price = priceOf(item.phone) * parts;
      cost += price;
      return { id: messageId, shipmentId: id, batchId: batch.id, item, parts, price, status: status.sent };
    });
    this.shipments.push({ id, request, scheduled, dueAt, messages, cost });
  }

  #batchFor(
    lane: Lane,
    phone: string,
    dueAt: number,
    heldShipmentId: number | null,
    messageId: number,
  ): PlannedBatch {
    // A number that no route takes now waits on the default route: someone may add a link for it.
    const route = this.#routing.routeOf(phone) ?? '';
    const key = `${lane}/${route}/${heldShipmentId}`;
    let batch = this.#open.get(key);
    if (!batch || batch.count >= BATCH_SIZE) {
      batch = {
        id: messageId,
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
