import { EventEmitter } from 'node:events';

const keptPerNumber = 200;
const keptNumbers = 100_000;
const keptFailures = 10_000;

/** Items received by simulated phones: the last 200 of each of the 100,000 numbers that received one most recently. */
export class Inbox<T> {
  readonly #arrived = new Map<string, T[]>();

  /** Returns the items of a number (international digits), oldest first. */
  list(number: string): readonly T[] {
    return this.#arrived.get(number) ?? [];
  }

  keep(number: string, item: T): void {
    const list = this.#arrived.get(number) ?? [];
    list.push(item);
    if (list.length > keptPerNumber) list.shift();
    // Reinserted last, so that the first number is always the one silent for longest.
    this.#arrived.delete(number);
    this.#arrived.set(number, list);
    dropOldest(this.#arrived, keptNumbers);
  }
}

/** Items that simulated phones received and sent. Emits `arrived` with the number and the received item. */
export class SimulatedPhones<Received, Sent> extends EventEmitter<{
  arrived: [number: string, received: Received];
}> {
  readonly #received = new Inbox<Received>();
  readonly #sent = new Inbox<Sent>();

  /** Returns the items received by a number (international digits), oldest first. */
  list(number: string): readonly Received[] {
    return this.#received.list(number);
  }

  /** Returns the items sent by a number, oldest first. */
  listSent(number: string): readonly Sent[] {
    return this.#sent.list(number);
  }

  keep(number: string, received: Received): void {
    this.#received.keep(number, received);
    this.emit('arrived', number, received);
  }

  keepSent(number: string, sent: Sent): void {
    this.#sent.keep(number, sent);
  }
}

/** Makes each key fail once: the first call returns true, the second false, the third true again. */
export class FailsOnce {
  readonly #failed = new Map<string, true>();

  isFirst(key: string): boolean {
    if (this.#failed.delete(key)) return false;
    this.#failed.set(key, true);
    dropOldest(this.#failed, keptFailures);
    return true;
  }
}

/** Removes the oldest entries of a map until `kept` entries are left. */
export function dropOldest(map: Map<string, unknown>, kept: number): void {
  if (map.size <= kept) return;
  for (const key of map.keys()) {
    map.delete(key);
    if (map.size <= kept) return;
  }
}
