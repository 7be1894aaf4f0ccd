import { Fifo } from '../../protocols/smpp/fifo.ts';

interface Entry<T> {
  readonly item: T;
  readonly dueAt: number;
}

/**
 * A queue of items that become due in the order of arrival, since all wait equally long. After the wait was shortened,
 * newer items still wait for older ones.
 */
export class Timeline<T> {
  readonly #entries = new Fifo<Entry<T>>();

  get length(): number {
    return this.#entries.length;
  }

  /** @param dueAt milliseconds since the epoch, by the sandbox's clock */
  add(item: T, dueAt: number): void {
    this.#entries.push({ item, dueAt });
  }

  /** Due time of the first item; Infinity when the queue is empty. */
  get nextAt(): number {
    return this.#entries.peek()?.dueAt ?? Number.POSITIVE_INFINITY;
  }

  /** Removes and yields the items that are due at `now`. */
  *take(now: number): Generator<T> {
    while (this.nextAt <= now) yield this.#entries.shift()!.item;
  }
}
