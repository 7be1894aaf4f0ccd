import type { CarrierListener } from '../../engine/carriers/carrier.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { decodeCharset } from '../../kit/text/charsets.ts';
import type { ConnectorStats } from './connector-metrics.ts';
import { errorCode } from './errors.ts';
import { charsetOf, contentOf, readIncoming } from './incoming.ts';
import type { DataPdu, MessagePdu } from './pdu.ts';
import { isReceipt, readReceipt } from './receipt.ts';
import type { SmppConnectorSettings } from './settings.ts';

type DeliverySettings = Pick<SmppConnectorSettings, 'incomingWindow' | 'defaultAlphabet' | 'errorStatuses'>;

/**
 * Deliveries of the SMSC: receipts and messages from phones. Each is acknowledged when the listener has stored it, and
 * refused with ESME_RX_T_APPN, which asks for redelivery, when that failed. An unreadable message is stored as octets.
 * Only a receipt without an id is acknowledged, counted and dropped, since redelivery would not help.
 */
export class Deliveries {
  readonly #settings: DeliverySettings;
  readonly #listener: CarrierListener;
  readonly #stats: ConnectorStats;
  readonly #log: Logger;
  #open = 0;
  /** True from the first failure to the next success, so that a database outage is one line in the log. */
  #failing = false;
  #onIdle: (() => void) | null = null;

  constructor(settings: DeliverySettings, listener: CarrierListener, stats: ConnectorStats, log: Logger) {
    this.#settings = settings;
    this.#listener = listener;
    this.#stats = stats;
    this.#log = log;
  }

  /** Handles one delivery. Calls `respond` once, with the command_status of the answer. */
  take(pdu: MessagePdu | DataPdu, respond: (status: number) => void): void {
    if (this.#open >= this.#settings.incomingWindow) {
      this.#stats.deliveriesRefused++;
      respond(errorCode.ESME_RX_T_APPN);
      return;
    }
    const stored = this.#store(pdu);
    if (!stored) {
      this.#stats.unreadable++;
      respond(0);
      return;
    }
    this.#open++;
    stored.then(
      () => {
        this.#failing = false;
        respond(0);
        this.#closeOne();
      },
      (error: unknown) => {
        this.#stats.deliveriesRefused++;
        if (!this.#failing)
          this.#log.error(
            { err: error },
            'receipts and incoming messages not stored, the carrier is asked to repeat them',
          );
        this.#failing = true;
        respond(errorCode.ESME_RX_T_APPN);
        this.#closeOne();
      },
    );
  }

  /** Resolves when nothing is being stored, or after `graceMs`. */
  idle(graceMs: number): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Passes the delivery to the listener; null when the delivery contains nothing to store. */
  #store(pdu: MessagePdu | DataPdu): Promise<void> | null {
    if (isReceipt(pdu)) return this.#storeReceipt(pdu);
    const incoming = readIncoming(pdu, this.#settings.defaultAlphabet);
    this.#stats.incoming++;
    return incoming.kind === 'whole'
      ? this.#listener.incoming(incoming.message)
      : this.#listener.incomingPart(incoming.part);
  }

  #storeReceipt(pdu: MessagePdu | DataPdu): Promise<void> | null {
    // Receipts are ASCII, whatever their data_coding; only UCS-2 would decode the octets to another text.
    const isUcs2 = charsetOf(pdu.dataCoding, 'latin1') === 'ucs2';
    const text = decodeCharset(contentOf(pdu), isUcs2 ? 'ucs2' : 'latin1') ?? '';
    const receipt = readReceipt(pdu, text, this.#settings.errorStatuses);
    if (!receipt) {
      this.#log.warn('a receipt without an id was dropped');
      return null;
    }
    this.#stats.receipts++;
    return this.#listener.receipt(receipt);
  }

  #closeOne(): void {
    this.#open--;
    if (this.#open === 0) this.#onIdle?.();
  }
}
