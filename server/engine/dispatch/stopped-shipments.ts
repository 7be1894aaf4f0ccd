const CANCELLED_KEPT = 1_000;
/**
 * Milliseconds for which messages of a paused shipment that come back from a connector, or were read just before the
 * pause, are held back; afterwards the database alone decides. The hint that resumes it may be lost.
 */
const PAUSED_KEPT_MS = 15_000;

/** Recently cancelled or paused shipments: their messages that come back from a connector are not submitted again. */
export class StoppedShipments {
  readonly #cancelled = new Set<number>();
  /** Time until which each is remembered, in monotonic milliseconds. */
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
