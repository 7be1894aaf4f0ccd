import { Fifo } from '../../protocols/smpp/fifo.ts';
import type { Delivery } from './deliveries.ts';
import type { Session } from './session.ts';

/** Maximum number of waiting deliveries. A real network drops by age, this one by number. */
const maxWaiting = 2_000_000;

/** Deliveries that wait for one account's receivers, which take turns. */
export class Outbox {
  readonly #waiting = new Fifo<Delivery>();
  #turn = 0;

  get length(): number {
    return this.#waiting.length;
  }

  add(delivery: Delivery): void {
    if (this.#waiting.length >= maxWaiting) this.#waiting.shift();
    this.#waiting.push(delivery);
  }

  /** Puts deliveries before all waiting ones. */
  putBack(deliveries: Delivery[]): void {
    this.#waiting.putBack(deliveries);
  }

  /** Sends as many deliveries as the receivers have capacity for. Returns their number. */
  pump(receivers: readonly Session[]): number {
    let sent = 0;
    let full = 0;
    while (this.#waiting.length > 0 && full < receivers.length) {
      this.#turn = (this.#turn + 1) % receivers.length;
      const receiver = receivers[this.#turn]!;
      if (receiver.room <= 0) {
        full++;
        continue;
      }
      full = 0;
      receiver.deliver(this.#waiting.shift()!);
      sent++;
    }
    return sent;
  }
}
