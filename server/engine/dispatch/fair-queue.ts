import { type Lane, lanes } from '../messages/lanes.ts';
import type { DueMessage, LoadedBatch } from './batches.ts';

// Number of messages that an account submits per turn: few enough that ten accounts share a connector of 100 messages
// per second within a second, enough that switching costs nothing.
const TURN = 10;
// Every 20th message comes from the lowest lane with messages, so that campaigns progress even under a flood of single
// messages.
const LOW_LANE_EVERY = 20;

interface AccountQueue {
  readonly accountId: number;
  readonly batches: { messages: DueMessage[] }[];
  /** Index of the next message in the first batch. */
  next: number;
  /** Messages that a connector returned without submitting them; they go first, the oldest before the others. */
  readonly returned: DueMessage[];
  loaded: number;
}

/** Messages in memory for one route: a queue for each lane, in which accounts take turns. Higher lanes go first. */
export class FairQueue {
  readonly #lanes: AccountQueue[][] = Object.values(lanes).map(() => []);
  readonly #turnsLeft: number[] = Object.values(lanes).map(() => TURN);
  #taken = 0;

  /** Number of messages waiting in a lane, of one account or of all. */
  waiting(lane: Lane, accountId?: number): number {
    let sum = 0;
    for (const queue of this.#lanes[lane]!) {
      if (accountId === undefined || queue.accountId === accountId) sum += queue.loaded;
    }
    return sum;
  }

  add(batch: Pick<LoadedBatch, 'accountId' | 'lane'> & { messages: DueMessage[] }): void {
    if (batch.messages.length === 0) return;
    const queue = this.#queueOf(batch.lane, batch.accountId);
    queue.batches.push(batch);
    queue.loaded += batch.messages.length;
  }

  /**
   * Returns a message to the queue: to the front, or, if it may have reached its recipient, to the end. So a connection
   * that is lost repeatedly sends each message before it sends one twice.
   */
  giveBack(message: DueMessage): void {
    const queue = this.#queueOf(message.batch.lane, message.accountId);
    if (message.copies > 0) queue.batches.push({ messages: [message] });
    else queue.returned.push(message);
    queue.loaded++;
  }

  /** Removes and returns the next message of the lanes down to `lowest`; undefined when they are empty. */
  take(lowest: Lane = lanes.bulk): DueMessage | undefined {
    const low = ++this.#taken % LOW_LANE_EVERY === 0;
    for (let i = 0; i <= lowest; i++) {
      const lane = low ? lowest - i : i;
      if (this.#lanes[lane]!.length > 0) return this.#takeFrom(lane);
    }
    return undefined;
  }

  /** Removes and returns all waiting messages for which `unwanted` holds. */
  remove(unwanted: (message: DueMessage) => boolean): DueMessage[] {
    const removed: DueMessage[] = [];
    for (const ring of this.#lanes) {
      for (const queue of ring) {
        for (const [index, batch] of queue.batches.entries()) {
          const from = index === 0 ? queue.next : 0;
          const kept = batch.messages.filter((message, at) => at < from || !unwanted(message));
          if (kept.length === batch.messages.length) continue;
          removed.push(...batch.messages.filter((message, at) => at >= from && unwanted(message)));
          batch.messages = kept;
        }
        const returned = queue.returned.filter((message) => !unwanted(message));
        removed.push(...queue.returned.filter(unwanted));
        queue.returned.splice(0, Infinity, ...returned);
      }
      for (let i = ring.length - 1; i >= 0; i--) {
        this.#dropTakenBatches(ring[i]!);
        const queue = ring[i]!;
        queue.loaded =
          queue.batches.reduce((sum, batch) => sum + batch.messages.length, -queue.next) +
          queue.returned.length;
        if (queue.loaded === 0) ring.splice(i, 1);
      }
    }
    return removed;
  }

  #queueOf(lane: Lane, accountId: number): AccountQueue {
    const ring = this.#lanes[lane]!;
    let queue = ring.find((candidate) => candidate.accountId === accountId);
    if (!queue) {
      queue = { accountId, batches: [], next: 0, returned: [], loaded: 0 };
      ring.push(queue);
    }
    return queue;
  }

  #takeFrom(lane: number): DueMessage {
    const ring = this.#lanes[lane]!;
    const queue = ring[0]!;
    const message = queue.returned.shift() ?? queue.batches[0]!.messages[queue.next++]!;
    this.#dropTakenBatches(queue);
    if (--queue.loaded === 0) {
      ring.shift();
      this.#turnsLeft[lane] = TURN;
    } else if (--this.#turnsLeft[lane]! === 0) {
      ring.push(ring.shift()!);
      this.#turnsLeft[lane] = TURN;
    }
    return message;
  }

  #dropTakenBatches(queue: AccountQueue): void {
    while (queue.batches.length > 0 && queue.next >= queue.batches[0]!.messages.length) {
      queue.batches.shift();
      queue.next = 0;
    }
  }
}
