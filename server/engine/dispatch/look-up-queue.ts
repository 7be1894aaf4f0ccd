import type { NumberNetworks } from '../carriers/number-networks.ts';
import { lanes } from '../messages/lanes.ts';
import type { DueMessage } from './batches.ts';
import type { FairQueue } from './fair-queue.ts';

/** Maximum number of messages whose networks are looked up at the same time. */
const MAX_IN_FLIGHT = 200;

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
