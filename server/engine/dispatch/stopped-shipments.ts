import type { DueMessage } from './batches.ts';

const CANCELLED_KEPT = 1_000;
/**
 * Milliseconds for which messages of a paused shipment that come back from a connector, or were read just before the
 * pause, are held back; afterwards the database alone decides. The hint that resumes it may be lost.
 */
const PAUSED_KEPT_MS = 15_000;

/**
 * Recently cancelled or paused shipments, and messages: those that come back from a connector, or arrive after the hint,
 * are not submitted.
 */
export class StoppedShipments {
  readonly #cancelled = new Set<number>();
  readonly #cancelledMessages = new Set<number>();
  /** Time until which each is remembered, in monotonic milliseconds. */
  readonly #paused = new Map<number, number>();

  cancel(shipmentIds: Iterable<number>): void {
    keep(this.#cancelled, shipmentIds);
  }

  cancelMessages(messageIds: Iterable<number>): void {
    keep(this.#cancelledMessages, messageIds);
  }

  pause(shipmentId: number): void {
    const now = performance.now();
    for (const [other, until] of this.#paused) if (until <= now) this.#paused.delete(other);
    this.#paused.set(shipmentId, now + PAUSED_KEPT_MS);
  }

  resume(shipmentId: number): void {
    this.#paused.delete(shipmentId);
  }

  isCancelled({ shipmentId, id }: Pick<DueMessage, 'shipmentId' | 'id'>): boolean {
    return this.#cancelled.has(shipmentId) || this.#cancelledMessages.has(id);
  }

  isPaused(shipmentId: number): boolean {
    const until = this.#paused.get(shipmentId);
    return until !== undefined && performance.now() < until;
  }
}

/** Adds ids to a set, which forgets the oldest ones. */
function keep(ids: Set<number>, added: Iterable<number>): void {
  for (const id of added) ids.add(id);
  for (const oldest of ids) {
    if (ids.size <= CANCELLED_KEPT) break;
    ids.delete(oldest);
  }
}
