import type { Authenticator } from './authenticator.ts';
import type { Dialog } from './dialog.ts';
import type { Endpoint } from './endpoint.ts';
import type { CallMedia } from './media-thread.ts';
import type { SipMessage, SipResponse } from './message.ts';
import { refuseMethod } from './methods.ts';
import type { CallEnd } from './outcomes.ts';
import type { SpokenMessage } from './prompt.ts';
import { type AudioDescription, type LocalAudio, parseSdp, writeAnswer, writeOffer } from './sdp.ts';
import { sdpOf } from './sdp-body.ts';
import type { ServerTransaction } from './server-transaction.ts';

/** Milliseconds after its due end at which a call that the other side holds is ended. */
const HELD_UP_MS = 60_000;
const sdp = ['Content-Type', 'application/sdp'] as const;

interface CallSessionOptions {
  readonly endpoint: Endpoint;
  readonly dialog: Dialog;
  readonly credentials: Authenticator | undefined;
  readonly media: CallMedia;
  /** Our SDP in the INVITE. */
  readonly local: LocalAudio;
  /** SDP of the answer. */
  readonly audio: AudioDescription;
  readonly response: SipResponse;
  readonly spoken: SpokenMessage;
  readonly startDelayMs: number;
  readonly t1Ms: number;
  /** Called when the call has ended and sends nothing more. */
  readonly onEnd: (end: CallEnd) => void;
}

/** An answered call: plays the message, answers the other side's requests during it, and hangs up. */
export class CallSession {
  readonly dialog: Dialog;
  readonly #options: CallSessionOptions;
  readonly #longest: NodeJS.Timeout;
  #version = 1;
  #endedBy: 'us' | 'them' | 'lost' = 'us';
  #refresh: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: CallSessionOptions) {
    const { media, audio, spoken, startDelayMs, dialog, response } = options;
    this.#options = options;
    this.dialog = dialog;
    // When the media thread ends, the fault is ours, so the message that was not heard is played again.
    media.play({ target: audio, spoken, startDelayMs, onEnd: () => this.end('us') });
    this.#longest = setTimeout(() => this.end('lost'), media.lengthMs + HELD_UP_MS);
    this.#keepTime(response, 'uac');
  }

  /** Ends the call, with BYE unless the other side has ended it. */
  end(by: 'us' | 'them' | 'lost'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { endpoint, dialog, credentials } = this.#options;
    clearTimeout(this.#longest);
    clearTimeout(this.#refresh);
    this.#options.media.stop();
    this.#endedBy = by;
    if (by === 'them') {
      this.abandon();
      return;
    }
    // The playback result is already known, but the line may stay open, and counts as a call, until BYE is answered.
    void endpoint
      .ask(
        () => dialog.request('BYE'),
        () => dialog.flow(),
        credentials,
      )
      .then(() => this.abandon());
  }

  /** Ends the call without waiting for the answer to BYE. */
  abandon(): void {
    this.end('us');
    const { dialog, onEnd, media } = this.#options;
    const { heardSeconds, rounds } = media;
    onEnd({ kind: 'answered', callId: dialog.callId, heardSeconds, rounds, endedBy: this.#endedBy });
  }

  /** Handles a request in the dialog. Returns false when it belongs to another dialog. */
  take(transaction: ServerTransaction): boolean {
    const { request } = transaction;
    const { dialog } = this.#options;
    if (!dialog.owns(request)) return false;
    if (!dialog.hears(request)) {
      transaction.respond(500);
      return true;
    }
    switch (request.method) {
      case 'BYE':
        transaction.respond(200);
        this.end('them');
        break;
      case 'INVITE':
      case 'UPDATE':
        this.#renegotiate(transaction);
        break;
      case 'INFO':
      case 'OPTIONS':
        transaction.respond(200);
        break;
      default:
        refuseMethod(transaction);
    }
    return true;
  }

  /** Handles a new offer of the other side, or its request for ours (RFC 3261, 14.2; RFC 3311). */
  #renegotiate(transaction: ServerTransaction): void {
    const { request } = transaction;
    if (this.#isOver) {
      transaction.respond(481);
      return;
    }
    const timer = this.#timerAnswer(request);
    const headers = [['Contact', this.#contact()], ...timer] as [string, string][];
    if (request.body.length === 0) {
      if (request.method === 'UPDATE') {
        transaction.respond(200, { headers });
        return;
      }
      transaction.onAck = (ack) => {
        const answer = parseSdp(sdpOf(ack));
        if (answer) this.#options.media.retarget(answer);
      };
      this.#version++;
      transaction.respond(200, { headers: [...headers, sdp], body: writeOffer(this.#local()) });
      return;
    }
    const offer = parseSdp(sdpOf(request));
    if (!offer || offer.codecs.length === 0) {
      transaction.respond(488);
      return;
    }
    this.#version++;
    this.#options.media.retarget(offer);
    transaction.onNoAck = () => this.end('lost');
    transaction.respond(200, { headers: [...headers, sdp], body: writeAnswer(this.#local(), offer) });
  }

  #local(): LocalAudio {
    return { ...this.#options.local, version: this.#version };
  }

  #contact(): string {
    return this.#options.endpoint.contactUri('carillon');
  }

  /** Applies the session timer of a request and returns the Session-Expires of its answer (RFC 4028, 9). */
  #timerAnswer(request: SipMessage): (readonly [string, string])[] {
    const expires = /^(\d{1,9})/.exec(request.headers.get('Session-Expires') ?? '')?.[1];
    if (expires === undefined) return [];
    const asked = /;\s*refresher\s*=\s*uas/i.test(request.headers.get('Session-Expires')!);
    this.#keepTime(request, 'uas');
    return [
      ['Session-Expires', `${expires};refresher=${asked ? 'uas' : 'uac'}`],
      ['Require', 'timer'],
    ];
  }

  /**
   * Applies session timers (RFC 4028, 10), which matter only for very long messages. Refreshes the session at half of
   * its time when that is our task. When it is the other side's task and no refresh came, treats the other side as
   * gone.
   */
  #keepTime({ headers }: SipMessage, ours: 'uac' | 'uas'): void {
    const [, expires, params = ''] = /^(\d{1,9})(.*)$/.exec(headers.get('Session-Expires') ?? '') ?? [];
    if (expires === undefined) return;
    clearTimeout(this.#refresh);
    const milliseconds = Math.min(Number(expires), 86_400) * 1_000;
    const refresher = /;\s*refresher\s*=\s*(ua[cs])/i.exec(params)?.[1]?.toLowerCase();
    this.#refresh =
      refresher === ours
        ? setTimeout(() => this.#refreshSession(expires), milliseconds / 2)
        : setTimeout(() => this.end('lost'), milliseconds);
  }

  #refreshSession(expires: string): void {
    const { endpoint, dialog } = this.#options;
    const request = dialog.request('INVITE', [
      ['Supported', 'timer'],
      ['Session-Expires', `${expires};refresher=uac`],
      sdp,
    ]);
    endpoint.send({ ...request, body: writeOffer(this.#local()) }, dialog.flow(), {
      response: (response) => {
        if (response.status < 200) return;
        if (response.status < 300) {
          dialog.refreshed(response);
          dialog.acknowledge(response.sequence);
          const audio = parseSdp(sdpOf(response));
          if (audio) this.#options.media.retarget(audio);
          this.#keepTime(response, 'uac');
        } else if (response.status === 408 || response.status === 481) {
          this.end('lost');
        }
      },
      failed: () => this.end('lost'),
    });
  }
}
