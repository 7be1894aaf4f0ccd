import { Dialog } from '../../protocols/sip/dialog.ts';
import type { Endpoint } from '../../protocols/sip/endpoint.ts';
import type { MediaPair } from '../../protocols/sip/media-ports.ts';
import type { AudioDescription } from '../../protocols/sip/sdp.ts';
import { writeAnswer } from '../../protocols/sip/sdp.ts';
import type { ServerTransaction } from '../../protocols/sip/server-transaction.ts';
import { Recording } from './recording.ts';

interface PhoneCallOptions {
  readonly endpoint: Endpoint;
  readonly transaction: ServerTransaction;
  readonly pair: MediaPair;
  readonly offer: AudioDescription;
  /** Milliseconds from ringing to the answer; Infinity never answers. */
  readonly ringMs: number;
  /** Milliseconds after which the phone hangs up; Infinity waits for the caller. */
  readonly hangsUpAfterMs: number;
  /** Called for each packet of the caller. */
  readonly onPacket: ((callId: string) => void) | undefined;
  /** Called when the phone answers, and once when the call has ended; `heard` is null when it was not answered. */
  readonly onAnswer: () => void;
  readonly onEnd: (ended: 'caller' | 'callee', heard: Recording | null) => void;
}

/** A call to a simulated phone. */
export class PhoneCall {
  readonly #options: PhoneCallOptions;
  readonly #recording = new Recording();
  readonly #dialog: Dialog;
  #timer: NodeJS.Timeout | undefined;
  #isAnswered = false;
  #isOver = false;

  /** Starts ringing. */
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

  /** Hangs up the phone. */
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

  /** Handles a request of the caller in this call's dialog. Returns false when it belongs to another one. */
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
