import { Dialog } from '../../carriers/sip/dialog.ts';
import type { Endpoint } from '../../carriers/sip/endpoint.ts';
import type { MediaPair } from '../../carriers/sip/media-ports.ts';
import type { AudioDescription } from '../../carriers/sip/sdp.ts';
import { writeAnswer } from '../../carriers/sip/sdp.ts';
import type { ServerTransaction } from '../../carriers/sip/server-transaction.ts';
import { Recording } from './recording.ts';

interface PhoneCallOptions {
  readonly endpoint: Endpoint;
  readonly transaction: ServerTransaction;
  readonly pair: MediaPair;
  readonly offer: AudioDescription;
  /** From ringing to the answer; Infinity never answers. */
  readonly ringMs: number;
  /** After this long the phone hangs up; Infinity waits for the caller. */
  readonly hangsUpAfterMs: number;
  /** Told of each packet of the caller's. */
  readonly onPacket: ((callId: string) => void) | undefined;
  /** Called when the phone is taken up, and once when the call is over; `heard` is null when it was not answered. */
  readonly onAnswer: () => void;
  readonly onEnd: (ended: 'caller' | 'callee', heard: Recording | null) => void;
}

/** A call at a simulated phone. */
export class PhoneCall {
  readonly #options: PhoneCallOptions;
  readonly #recording = new Recording();
  readonly #dialog: Dialog;
  #timer: NodeJS.Timeout | undefined;
  #isAnswered = false;
  #isOver = false;

  /** Rings. */
  constructor(options: PhoneCallOptions) {
    const { endpoint, transaction, pair, ringMs, onPacket } = options;
    const { request } = transaction;
    this.#options = options;
    this.#dialog = Dialog.ofInvite(endpoint, transaction.from, request, transaction.tag, this.#contact);
    pair.onRtp = (packet) => {
      onPacket?.(request.callId);
      if (this.#isAnswered) this.#recording.take(packet);
    };
    transaction.onCancel = () => {
      transaction.respond(487);
      this.#end('caller');
    };
    transaction.onNoAck = () => this.hangUp();
    transaction.respond(180, { headers: [['Contact', this.#contact]] });
    if (ringMs < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#answer(), ringMs);
  }

  /** The phone hangs up. */
  hangUp(): void {
    const { endpoint, transaction } = this.#options;
    if (this.#isOver) return;
    if (this.#isAnswered) {
      void endpoint.ask(
        () => this.#dialog.request('BYE'),
        () => this.#dialog.flow(),
      );
    } else transaction.respond(480);
    this.#end('callee');
  }

  /** Takes a request of the caller's in this call's dialog; false when it is of another. */
  take(transaction: ServerTransaction): boolean {
    if (!this.#dialog.owns(transaction.request)) return false;
    const isBye = transaction.request.method === 'BYE';
    transaction.respond(isBye || transaction.request.method === 'OPTIONS' ? 200 : 405);
    if (isBye) this.#end('caller');
    return true;
  }

  get #contact(): string {
    return this.#options.endpoint.contactUri('exchange');
  }

  #answer(): void {
    const { transaction, pair, endpoint, offer, hangsUpAfterMs, onAnswer } = this.#options;
    this.#isAnswered = true;
    const { address } = endpoint.contact;
    transaction.respond(200, {
      headers: [
        ['Contact', this.#contact],
        ['Content-Type', 'application/sdp'],
      ],
      body: writeAnswer({ address, port: pair.port, session: 1, version: 1 }, offer),
    });
    onAnswer();
    if (hangsUpAfterMs < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.hangUp(), hangsUpAfterMs);
    }
  }

  #end(ended: 'caller' | 'callee'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#options.onEnd(ended, this.#isAnswered ? this.#recording : null);
  }
}
