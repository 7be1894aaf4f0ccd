import { Fifo } from '../../carriers/smpp/fifo.ts';

interface Entry<T> {
  readonly item: T;
  readonly dueAt: number;
}

/**
 * Things that become due in the order in which they came, since each waits equally long. After a change of the wait a
 * sooner one waits for those before it.
 */
export class Timeline<T> {
  readonly #entries = new Fifo<Entry<T>>();

  get length(): number {
    return this.#entries.length;
  }

  /** `dueAt` in milliseconds since the epoch, by the sandbox's clock. */
  add(item: T, dueAt: number): void {
    this.#entries.push({ item, dueAt });
  }

  /** When the first is due; Infinity when there is none. */
  get nextAt(): number {
    return this.#entries.peek()?.dueAt ?? Number.POSITIVE_INFINITY;
  }

  /** Takes out what is due at `now`. */
  *take(now: number): Generator<T> {
    while (this.nextAt <= now) yield this.#entries.shift()!.item;
  }
}
