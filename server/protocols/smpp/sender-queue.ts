/**
 * Maximum milliseconds that a message waits here for its turn. Longer waits are spent in the queue of the dispatcher,
 * where they use no window.
 */
const HOLD_MS = 6_000;
/**
 * Minimum milliseconds of a wait in the dispatcher. The messages of a batch are queued again when its last one is
 * settled, up to HOLD_MS later, and after the pause of its first attempt (up to 5.5 s, dispatch/retry.ts).
 */
const MIN_DEFERRAL_MS = 12_000;
/** Milliseconds between the groups in which deferred messages return: below HOLD_MS, so that a group has room here. */
const GROUP_MS = 5_000;
/** Milliseconds by which a submit may be earlier than its turn, because timers are not exact. */
const TOLERANCE_MS = 10;
/** Maximum senders in memory. */
const MAX_SENDERS = 50_000;

/** Times of a sender: monotonic milliseconds. */
interface Sender {
  /** Earliest time of its next submit. */
  mayAt: number;
  /** End of the turns of parts that wait here. */
  nextAt: number;
  /** End of the turns of deferred messages, milliseconds since the epoch. */
  deferredTo: number;
}

/** A part with the sender of its message. */
interface Queued {
  readonly source: string;
}

/**
 * Limits the submits per second of each sender. Parts of a sender over its rate wait here for near turns; messages
 * with later turns are deferred to the dispatcher, each to its own time, so that they return at the rate at which they
 * can be submitted.
 */
export class SenderQueue<T extends Queued> {
  readonly #intervalMs: number;
  readonly #maxHeld: number;
  readonly #ready: (item: T) => void;
  readonly #senders = new Map<string, Sender>();
  readonly #held = new Map<T, NodeJS.Timeout>();
  /** Parts whose turn has come and that are not submitted yet. */
  readonly #released = new WeakSet<T>();

  /**
   * @param perSecond submits of a sender per second
   * @param maxHeld maximum parts that wait here, of all senders
   * @param ready called with a part whose turn has come
   */
  constructor(perSecond: number, maxHeld: number, ready: (item: T) => void) {
    this.#intervalMs = 1_000 / perSecond;
    this.#maxHeld = maxHeld;
    this.#ready = ready;
  }

  /** Number of parts that wait here. */
  get length(): number {
    return this.#held.size;
  }

  /**
   * Returns the time to which a message with this number of parts is deferred, in milliseconds since the epoch;
   * undefined if it can be submitted, or wait here.
   *
   * @param now monotonic milliseconds
   * @param time milliseconds since the epoch
   */
  deferral(source: string, parts: number, now: number, time: number): number | undefined {
    const sender = this.#senderOf(source, now, time);
    const wait = Math.max(sender.mayAt, sender.nextAt) - now;
    if (wait <= 0 || (wait <= HOLD_MS && this.#held.size + parts <= this.#maxHeld)) return undefined;
    sender.deferredTo = Math.max(sender.deferredTo, time + MIN_DEFERRAL_MS) + parts * this.#intervalMs;
    return Math.ceil(sender.deferredTo / GROUP_MS) * GROUP_MS;
  }

  /** Returns whether a part may be submitted now. Otherwise it waits here until its turn. */
  mayPass(item: T, now: number): boolean {
    const sender = this.#senderOf(item.source, now, 0);
    const turn = Math.max(sender.mayAt, sender.nextAt);
    const isTurn = this.#released.has(item) ? sender.mayAt <= now + TOLERANCE_MS : turn <= now + TOLERANCE_MS;
    if (isTurn) return true;
    sender.nextAt = turn + this.#intervalMs;
    this.#held.set(
      item,
      setTimeout(
        () => {
          this.#held.delete(item);
          this.#released.add(item);
          this.#ready(item);
        },
        Math.ceil(turn - now),
      ),
    );
    return false;
  }

  /** Counts a submit. */
  took({ source }: T, now: number): void {
    const sender = this.#senderOf(source, now, 0);
    sender.mayAt = Math.max(sender.mayAt, now) + this.#intervalMs;
  }

  /** Removes and returns the parts that wait here. */
  drain(): T[] {
    for (const timer of this.#held.values()) clearTimeout(timer);
    const items = [...this.#held.keys()];
    this.#held.clear();
    return items;
  }

  #senderOf(source: string, now: number, time: number): Sender {
    const known = this.#senders.get(source);
    if (known) return known;
    if (this.#senders.size >= MAX_SENDERS) this.#forget(now, time);
    const sender = { mayAt: now, nextAt: now, deferredTo: 0 };
    this.#senders.set(source, sender);
    return sender;
  }

  /** Forgets senders that may submit now. If most may not, forgets the oldest ones. */
  #forget(now: number, time: number): void {
    for (const [source, { mayAt, nextAt, deferredTo }] of this.#senders) {
      if (mayAt <= now && nextAt <= now && deferredTo <= time) this.#senders.delete(source);
    }
    const most = MAX_SENDERS * 0.9;
    for (const source of this.#senders.keys()) {
      if (this.#senders.size <= most) return;
      this.#senders.delete(source);
    }
  }
}
