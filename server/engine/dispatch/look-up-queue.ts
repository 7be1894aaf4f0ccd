import type { MobileNetwork } from '../carriers/network-condition.ts';
import { lanes } from '../messages/lanes.ts';
import type { DueMessage } from './batches.ts';
import type { FairQueue } from './fair-queue.ts';

/** Maximum number of messages whose networks are looked up at the same time. */
const MAX_IN_FLIGHT = 200;

/** Networks of numbers, looked up or remembered. */
export interface NumberNetworks {
  /**
   * Returns the network of a number; null if it is not known. Never rejects, and ends within the deadline of a look-up.
   *
   * @param destination E.164 digits
   * @param isCode whether a one-time code waits: only what is remembered counts, and for a quarter of a second
   */
  of(destination: string, isCode: boolean): Promise<MobileNetwork | null>;
}

interface LookUpQueueDeps {
  readonly numberNetworks: NumberNetworks;
  /** Called with a message whose network was looked up. */
  readonly found: (message: DueMessage) => void;
}

/** Messages whose route depends on the network of their recipient: they wait here until it is looked up. */
export class LookUpQueue {
  readonly #deps: LookUpQueueDeps;
  #inFlight = 0;

  constructor(deps: LookUpQueueDeps) {
    this.#deps = deps;
  }

  /** Looks up the networks of waiting messages: of all codes, and of others while few are under way. */
  feed(queue: FairQueue): void {
    for (let code = queue.take(lanes.otp); code; code = queue.take(lanes.otp)) void this.#lookUp(code);
    while (this.#inFlight < MAX_IN_FLIGHT) {
      const message = queue.take(lanes.bulk);
      if (!message) return;
      this.#inFlight++;
      void this.#lookUp(message).finally(() => this.#inFlight--);
    }
  }

  async #lookUp(message: DueMessage): Promise<void> {
    message.network = await this.#deps.numberNetworks.of(
      message.destination,
      message.batch.lane === lanes.otp,
    );
    if (!message.batch.isLost) this.#deps.found(message);
  }
}
