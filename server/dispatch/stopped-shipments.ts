const CANCELLED_KEPT = 1_000;
/**
 * So long what is at a connector, or was read just before, is kept back when a shipment is paused; by then the database says
 * so alone. A hint that it goes on may be lost.
 */
const PAUSED_KEPT_MS = 15_000;

/** Shipments that were cancelled or paused lately: what of them is at a connector in that moment is not submitted again. */
export class StoppedShipments {
  readonly #cancelled = new Set<number>();
  /** Until when each is remembered, monotonic milliseconds. */
  readonly #paused = new Map<number, number>();

  cancel(shipmentIds: Iterable<number>): void {
    for (const id of shipmentIds) this.#cancelled.add(id);
    for (const oldest of this.#cancelled) {
      if (this.#cancelled.size <= CANCELLED_KEPT) break;
      this.#cancelled.delete(oldest);
    }
  }

  pause(shipmentId: number): void {
    const now = performance.now();
    for (const [other, until] of this.#paused) if (until <= now) this.#paused.delete(other);
    this.#paused.set(shipmentId, now + PAUSED_KEPT_MS);
  }

  resume(shipmentId: number): void {
    this.#paused.delete(shipmentId);
  }

  isCancelled(shipmentId: number): boolean {
    return this.#cancelled.has(shipmentId);
  }

  isPaused(shipmentId: number): boolean {
    const until = this.#paused.get(shipmentId);
    return until !== undefined && performance.now() < until;
  }
}
