import type { Logger } from '../../kit/observability/log.ts';
import { errorCode } from '../../protocols/smpp/errors.ts';
import { deliveriesTotal } from './metrics.ts';

/** Where deliveries are stored until they are acknowledged. */
export interface DeliveryStore<Delivery> {
  /** Deletes deliveries of one account. */
  delete(accountId: number, deliveries: readonly Delivery[]): Promise<void>;
  /** Has any receiver get deliveries that were not sent or not answered. */
  release(accountId: number, deliveries: readonly Delivery[]): Promise<void>;
  /** Has a receiver get a delivery again that the client refused, after a pause. */
  postpone(accountId: number, delivery: Delivery): Promise<void>;
}

/** Answers with which a client refuses a delivery for good (SMPP 3.4, 5.1.3). */
const finalRefusals: ReadonlySet<number> = new Set([errorCode.ESME_RX_P_APPN, errorCode.ESME_RX_R_APPN]);

/** The deliveries of one client from one store, from the moment that they are sent until their answer is stored. */
export class SentDeliveries<Delivery> {
  readonly #accountId: number;
  readonly #store: DeliveryStore<Delivery>;
  readonly #log: Logger;
  readonly #changing = new Set<Promise<void>>();
  #acknowledged: Delivery[] = [];
  #deleting: Promise<void> | undefined;

  constructor(accountId: number, store: DeliveryStore<Delivery>, log: Logger) {
    this.#accountId = accountId;
    this.#store = store;
    this.#log = log;
  }

  /** Stores the answers to the deliver_sm of a delivery; undefined for one that was not answered. */
  answered(delivery: Delivery, answers: readonly (number | undefined)[]): void {
    const isDone = (answer: number | undefined) => answer === 0 || finalRefusals.has(answer ?? 0);
    if (answers.every(isDone)) {
      deliveriesTotal.inc({ outcome: answers.every((answer) => answer === 0) ? 'acknowledged' : 'refused' });
      this.delete(delivery);
      return;
    }
    const isLost = answers.includes(undefined);
    deliveriesTotal.inc({ outcome: isLost ? 'unanswered' : 'postponed' });
    if (isLost) this.release([delivery]);
    else this.#change(this.#store.postpone(this.#accountId, delivery));
  }

  /** Deletes a delivery, together with others. */
  delete(delivery: Delivery): void {
    this.#acknowledged.push(delivery);
    this.#deleting ??= this.#delete().finally(() => {
      this.#deleting = undefined;
    });
  }

  /** Returns deliveries to the store. */
  release(deliveries: readonly Delivery[]): void {
    if (deliveries.length > 0) this.#change(this.#store.release(this.#accountId, deliveries));
  }

  /** Resolves when the store has all answers. */
  async idle(): Promise<void> {
    while (this.#deleting || this.#changing.size > 0) await Promise.all([this.#deleting, ...this.#changing]);
  }

  #change(stored: Promise<void>): void {
    const changed = stored
      // They are sent again when their lease ends, or by the sweep.
      .catch((error: unknown) => this.#log.warn({ err: error }, 'deliveries of an SMPP client not released'))
      .finally(() => this.#changing.delete(changed));
    this.#changing.add(changed);
  }

  async #delete(): Promise<void> {
    while (this.#acknowledged.length > 0) {
      await Promise.resolve();
      const group = this.#acknowledged;
      this.#acknowledged = [];
      try {
        await this.#store.delete(this.#accountId, group);
      } catch (error) {
        // They are sent again when their lease ends, or by the sweep.
        this.#log.warn({ err: error }, 'acknowledged deliveries of an SMPP client not deleted');
      }
    }
  }
}
