import type { Logger } from '../../kit/observability/log.ts';
import type { MessagePdu } from '../../protocols/smpp/pdu.ts';
import type { SmppClient } from './clients.ts';
import type { ClaimedDelivery, DeliveryRows } from './delivery-rows.ts';
import { type EndedRow, isWanted, receiptOf } from './messages.ts';
import { deliveryPdus, type StoredDelivery } from './receipt-pdu.ts';
import { type DeliveryStore, SentDeliveries } from './sent-deliveries.ts';

/** A bind that receives deliveries. */
export interface Receiver {
  /** Number of deliver_sm that may be sent now. */
  readonly room: number;
  /** Sends deliver_sm. Resolves with the command_status of the answer; undefined if none came in time or the bind ended. */
  deliver(pdu: MessagePdu): Promise<number | undefined>;
}

/** Maximum deliveries claimed at a time. */
const CLAIMED_AT_ONCE = 200;

/**
 * Sends the receipts and incoming messages of one client to its receivers in this process. Deliveries are claimed only as
 * far as the receivers have room, so that receivers in other processes get theirs. Receipts of messages that this process
 * finishes are sent from the row of the message, without a delivery: two row operations instead of five.
 */
export class Outbox {
  readonly client: Pick<SmppClient, 'accountId' | 'id'>;
  readonly #rows: DeliveryRows;
  readonly #alphabet: () => SmppClient['defaultAlphabet'];
  readonly #log: Logger;
  readonly #receivers = new Set<Receiver>();
  readonly #claimed: SentDeliveries<ClaimedDelivery>;
  readonly #finished: SentDeliveries<EndedRow>;
  #pulling: Promise<void> | undefined;
  /** Whether new deliveries may have come since the last claim. */
  #isHinted = false;

  constructor(
    client: SmppClient,
    deps: {
      readonly rows: DeliveryRows;
      /** Store of messages whose receipts are sent without a delivery. */
      readonly finished: DeliveryStore<EndedRow>;
      readonly log: Logger;
      readonly alphabet: () => SmppClient['defaultAlphabet'];
    },
  ) {
    this.client = client;
    this.#rows = deps.rows;
    this.#alphabet = deps.alphabet;
    this.#log = deps.log;
    this.#claimed = new SentDeliveries(client.accountId, deps.rows, deps.log);
    this.#finished = new SentDeliveries(client.accountId, deps.finished, deps.log);
  }

  get isEmpty(): boolean {
    return this.#receivers.size === 0;
  }

  /** Number of deliver_sm that may be sent now. */
  get room(): number {
    let room = 0;
    for (const receiver of this.#receivers) room += receiver.room;
    return room;
  }

  add(receiver: Receiver): void {
    this.#receivers.add(receiver);
    this.pull();
  }

  remove(receiver: Receiver): void {
    this.#receivers.delete(receiver);
  }

  /** Sends what is due, as far as the receivers have room. */
  pull(): void {
    this.#isHinted = true;
    this.#pulling ??= this.#pull().finally(() => {
      this.#pulling = undefined;
      if (this.#isHinted) this.pull();
    });
  }

  /** Sends the receipts of finished messages, as far as the receivers have room. */
  finish(rows: readonly EndedRow[]): void {
    const left = rows.filter(
      (row) => !this.#send(row, isWanted(row) ? receiptOf(row) : undefined, this.#finished),
    );
    this.#finished.release(left);
  }

  /** Resolves when nothing is being claimed, and all answers are stored. */
  async idle(): Promise<void> {
    while (this.#pulling) await this.#pulling;
    await Promise.all([this.#claimed.idle(), this.#finished.idle()]);
  }

  async #pull(): Promise<void> {
    const { accountId, id } = this.client;
    while (this.#isHinted) {
      this.#isHinted = false;
      const { room } = this;
      if (room === 0) return;
      try {
        const limit = Math.min(room, CLAIMED_AT_ONCE);
        const claimed = await this.#rows.claim(accountId, id, limit);
        const left = claimed.filter((delivery) => !this.#send(delivery, delivery.content, this.#claimed));
        this.#claimed.release(left);
        if (claimed.length === limit && left.length === 0) this.#isHinted = true;
      } catch (error) {
        this.#log.warn({ err: error, clientId: id }, 'deliveries of an SMPP client not read');
        return;
      }
    }
  }

  /**
   * Sends a delivery over the receiver with the most room. Returns false if none has any.
   *
   * @param content undefined if there is nothing to send
   */
  #send<Delivery extends { readonly id: number }>(
    delivery: Delivery,
    content: StoredDelivery | undefined,
    sent: SentDeliveries<Delivery>,
  ): boolean {
    const pdus = content ? deliveryPdus(delivery.id, content, this.#alphabet()) : [];
    if (pdus.length === 0) {
      sent.delete(delivery);
      return true;
    }
    let receiver: Receiver | undefined;
    for (const one of this.#receivers) if (one.room > (receiver?.room ?? 0)) receiver = one;
    if (!receiver) return false;
    const chosen = receiver;
    // A long message may exceed the window by its parts.
    void Promise.all(pdus.map((pdu) => chosen.deliver(pdu))).then((answers) => {
      sent.answered(delivery, answers);
      this.pull();
    });
    return true;
  }
}
