import { PACKET_MS } from './rtp.ts';

/** Number of time slots in which streams send their packets, so that hundreds are not sent in one burst. */
const SLOTS = 4;
const SLOT_MS = PACKET_MS / SLOTS;
/** Packets missed in a longer stall are skipped, because the receiver would discard them. */
const CATCH_UP_MS = 100;

/** A stream that sends a packet every 20 ms. */
export interface Paced {
  /** Called every 20 ms; `now` is the monotonic time at which the packet is due. */
  tick(now: number): void;
}

/**
 * One timer for all streams of the process. Slots are counted from a fixed start, so a late slot does not shift later
 * ones: there is no drift, and late packets are caught up.
 */
export class Pacer {
  readonly #slots: Set<Paced>[] = Array.from({ length: SLOTS }, () => new Set());
  #timer: NodeJS.Timeout | undefined;
  #origin = 0;
  #turn = 0;
  #size = 0;

  /** Number of streams. */
  get size(): number {
    return this.#size;
  }

  /** Adds a stream, whose first tick comes within 20 ms. */
  add(stream: Paced): void {
    const slot = this.#slots.reduce((least, one) => (one.size < least.size ? one : least));
    slot.add(stream);
    this.#size++;
    if (this.#size > 1) return;
    this.#origin = performance.now();
    this.#turn = 0;
    this.#schedule();
  }

  remove(stream: Paced): void {
    if (!this.#slots.some((slot) => slot.delete(stream))) return;
    this.#size--;
    if (this.#size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    const due = this.#origin + (this.#turn + 1) * SLOT_MS;
    this.#timer = setTimeout(() => this.#run(), Math.max(0, due - performance.now()));
  }

  #run(): void {
    this.#timer = undefined;
    const now = performance.now();
    if (now - (this.#origin + this.#turn * SLOT_MS) > CATCH_UP_MS)
      this.#origin = now - (this.#turn + 1) * SLOT_MS;
    // A tick may remove its stream or add others.
    for (;;) {
      const due = this.#origin + (this.#turn + 1) * SLOT_MS;
      if (due > now || this.#size === 0) break;
      this.#turn++;
      for (const stream of this.#slots[this.#turn % SLOTS]!) stream.tick(due);
    }
    if (this.#size > 0 && !this.#timer) this.#schedule();
  }
}

/** The pacer of this process. */
export const pacer = new Pacer();
