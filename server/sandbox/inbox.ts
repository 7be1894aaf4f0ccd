import { EventEmitter } from 'node:events';

const keptPerNumber = 200;
const keptNumbers = 100_000;
const keptFailures = 10_000;

/** What arrived at simulated phones: the last 200 of each of the 100,000 numbers that last got one. */
export class Inbox<T> {
  readonly #arrived = new Map<string, T[]>();

  /** What arrived at the number (international digits), oldest first. */
  list(number: string): readonly T[] {
    return this.#arrived.get(number) ?? [];
  }

  keep(number: string, item: T): void {
    const list = this.#arrived.get(number) ?? [];
    list.push(item);
    if (list.length > keptPerNumber) list.shift();
    // Put last, so that the first number is always the one that has been silent for longest.
    this.#arrived.delete(number);
    this.#arrived.set(number, list);
    dropOldest(this.#arrived, keptNumbers);
  }
}

/** What simulated phones got and sent. Emits `arrived` with the number and what it got. */
export class SimulatedPhones<Received, Sent> extends EventEmitter<{
  arrived: [number: string, received: Received];
}> {
  readonly #received = new Inbox<Received>();
  readonly #sent = new Inbox<Sent>();

  /** What arrived at the number (international digits), oldest first. */
  list(number: string): readonly Received[] {
    return this.#received.list(number);
  }

  /** What the number sent, oldest first. */
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

/** What fails the first time, and works when it is tried again; the third time it is new. */
export class FailsOnce {
  readonly #failed = new Map<string, true>();

  isFirst(key: string): boolean {
    if (this.#failed.delete(key)) return false;
    this.#failed.set(key, true);
    dropOldest(this.#failed, keptFailures);
    return true;
  }
}

/** Drops what a map got first until it has `kept` entries. */
export function dropOldest(map: Map<string, unknown>, kept: number): void {
  if (map.size <= kept) return;
  for (const key of map.keys()) {
    map.delete(key);
    if (map.size <= kept) return;
  }
}
