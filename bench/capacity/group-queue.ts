import type { Then, Timeline } from './machine.ts';

/** A request or result in a queue. */
export interface Waiting {
  readonly account: number;
  /** Number of messages. */
  readonly size: number;
}

/** How groups are formed, as in `engine/messages/accept-queue.ts`. Times are in microseconds. */
interface Rules {
  /** Maximum messages of a group. */
  readonly most: number;
  readonly parallel: number;
  /** Time after which a group starts while another one is stored. */
  readonly patience: number;
  /** Number of requests of a group from which the next one waits for the clients that were just answered, and for how long. */
  readonly crowd: number;
  readonly gather: number;
}

/** Groups what waits: while a group is stored, the next one grows. An account is in one group at a time. */
export class GroupQueue<T extends Waiting> {
  readonly #timeline: Timeline;
  readonly #rules: Rules;
  readonly #store: (group: readonly T[], then: Then) => void;
  #waiting: T[] = [];
  readonly #stored = new Set<number>();
  #running = 0;
  #isResting = false;
  /** Number of groups, and of messages in them. */
  groups = 0;
  messages = 0;

  constructor(timeline: Timeline, rules: Rules, store: (group: readonly T[], then: Then) => void) {
    this.#timeline = timeline;
    this.#rules = rules;
    this.#store = store;
  }

  add(item: T): void {
    this.#waiting.push(item);
    if (this.#running === 0 && !this.#isResting) this.#start();
  }

  #start(): void {
    const group: T[] = [];
    const rest: T[] = [];
    let messages = 0;
    for (const item of this.#waiting) {
      const fits = messages === 0 || messages + item.size <= this.#rules.most;
      if (!fits || this.#stored.has(item.account)) {
        rest.push(item);
        continue;
      }
      group.push(item);
      messages += item.size;
    }
    if (group.length === 0) return;
    this.#waiting = rest;
    this.#running++;
    this.groups++;
    this.messages += messages;
    for (const { account } of group) this.#stored.add(account);
    const { patience, crowd, gather, parallel } = this.#rules;
    this.#timeline.after(patience, () => {
      if (this.#running > 0 && this.#running < parallel) this.#start();
    });
    this.#store(group, () => {
      this.#running--;
      for (const { account } of group) this.#stored.delete(account);
      if (this.#running > 0) return;
      if (group.length < crowd) {
        this.#start();
        return;
      }
      this.#isResting = true;
      this.#timeline.after(gather, () => {
        this.#isResting = false;
        this.#start();
      });
    });
  }
}
