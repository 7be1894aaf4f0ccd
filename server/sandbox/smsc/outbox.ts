import { Fifo } from '../../carriers/smpp/fifo.ts';
import type { Delivery } from './deliveries.ts';
import type { Session } from './session.ts';

/** A network drops what nobody fetches; this one by number. */
const maxWaiting = 2_000_000;

/** What waits for one account's receivers. They take turns. */
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

  /** Puts back what is to be brought before all else. */
  putBack(deliveries: Delivery[]): void {
    this.#waiting.putBack(deliveries);
  }

  /** Sends what the receivers have room for; returns how many were sent. */
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
