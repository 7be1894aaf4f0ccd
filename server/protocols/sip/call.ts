import type { Authenticator } from './authenticator.ts';
import { CallSession } from './call-session.ts';
import type { ClientTransaction } from './client-transaction.ts';
import { Dialog } from './dialog.ts';
import type { Endpoint, NewRequest } from './endpoint.ts';
import type { CallMedia } from './media-thread.ts';
import { Headers, newCallId, newTag, type SipResponse } from './message.ts';
import { ALLOWED, isAllowed, refuseMethod } from './methods.ts';
import type { CallEnd, CallFailure } from './outcomes.ts';
import type { SpokenMessage } from './prompt.ts';
import { parseSdp, writeOffer } from './sdp.ts';
import { sdpOf } from './sdp-body.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { Flow } from './transport.ts';

const MAX_CHALLENGES = 3;
/**
 * In units of T1. An INVITE without any answer by then marks the trunk as suspect. It is retransmitted until 64 × T1.
 */
const SILENT = 8;
const MAX_RETRY_AFTER_S = 86_400;

interface CallOptions {
  readonly endpoint: Endpoint;
  readonly flow: () => Flow;
  readonly media: CallMedia;
  /** Address in our SDP. */
  readonly mediaAddress: string;
  readonly credentials: Authenticator | undefined;
  /** URI of the callee, and From without its tag. */
  readonly uri: string;
  readonly from: string;
  /** `P-Asserted-Identity`, if the trunk requires it. */
  readonly identity: string | undefined;
  /** Our Contact. */
  readonly contact: string;
  readonly spoken: SpokenMessage;
  readonly ringMs: number;
  readonly startDelayMs: number;
  readonly t1Ms: number;
  /** Called when the INVITE has had no answer for a while. */
  readonly onSilent: () => void;
  /** Called once, when the call is finished and its ports are free. */
  readonly onEnd: (end: CallEnd) => void;
}

/** One outgoing call, from the INVITE to the last message of its dialog. */
export class OutgoingCall {
  readonly callId = newCallId();
  readonly #options: CallOptions;
  readonly #tag = newTag();
  readonly #session = Math.floor(Math.random() * 2 ** 31);
  readonly #ring: NodeJS.Timeout;
  readonly #silence: NodeJS.Timeout;
  #sequence = 0;
  #challenges = 0;
  #invite: ClientTransaction | undefined;
  #sent: NewRequest | undefined;
  /** Why the call is being cancelled before it was answered. */
  #giveUp: CallFailure | undefined;
  #giveUpTimer: NodeJS.Timeout | undefined;
  #established: CallSession | undefined;
  /** Answers to acknowledge again if they are repeated, and otherwise ignore; keyed by their tag. */
  readonly #acknowledged = new Map<string, Dialog>();
  #isOver = false;

  /** Sends the INVITE. */
  constructor(options: CallOptions) {
    this.#options = options;
    this.#ring = setTimeout(() => this.#stopRinging('no-answer'), options.ringMs);
    this.#silence = setTimeout(options.onSilent, SILENT * options.t1Ms);
    this.#call();
  }

  /** Ends the call: CANCEL while it rings, BYE after it was answered. */
  hangUp(): void {
    if (this.#established) this.#established.end('us');
    else this.#stopRinging('stopped');
  }

  /** Ends the call without waiting for the other side's answer. */
  abandon(): void {
    if (this.#established) this.#established.abandon();
    else this.#fail('stopped');
  }

  /** Handles a request in the call's dialog. Returns false when it belongs to another call. */
  take(transaction: ServerTransaction): boolean {
    const { request } = transaction;
    if (this.#established) return this.#established.take(transaction);
    if (request.toTag !== this.#tag || isAllowed(request.method)) return false;
    refuseMethod(transaction);
    return true;
  }

  #call(): void {
    const { endpoint, uri, from, identity, contact, credentials, media, mediaAddress } = this.#options;
    const headers = new Headers()
      .add('Max-Forwards', '70')
      .add('From', `${from};tag=${this.#tag}`)
      .add('To', `<${uri}>`)
      .add('Call-ID', this.callId)
      .add('CSeq', `${++this.#sequence} INVITE`)
      .add('Contact', contact)
      .add('Allow', ALLOWED)
      .add('Supported', 'timer')
      .add('Content-Type', 'application/sdp');
    if (identity) headers.add('P-Asserted-Identity', identity);
    for (const field of credentials?.prepared('INVITE', uri) ?? []) headers.add(...field);
    const body = writeOffer({ address: mediaAddress, port: media.port, session: this.#session, version: 1 });
    this.#sent = { method: 'INVITE', uri, headers, body };
    this.#invite = endpoint.send(this.#sent, this.#options.flow(), {
      response: (response) => this.#hear(response),
      failed: (reason) => this.#fail(reason === 'timeout' ? 'no-response' : 'transport'),
    });
  }

  #hear(response: SipResponse): void {
    const { status } = response;
    clearTimeout(this.#silence);
    if (status < 200) {
      // CANCEL needs a provisional answer: from now on the abandoned call can be cancelled.
      if (this.#giveUp !== undefined) this.#cancel();
    } else if (status < 300) {
      this.#answered(response);
    } else if (this.#giveUp !== undefined) {
      // 487 is the result of CANCEL, and an abandoned call answers no more challenges.
      this.#fail(status === 487 || status === 401 || status === 407 ? this.#giveUp : status);
    } else if (status === 401 || status === 407) {
      const { credentials } = this.#options;
      if (!credentials?.learn(response) || ++this.#challenges > MAX_CHALLENGES) this.#fail('credentials');
      else this.#call();
    } else {
      this.#fail(status, retryAfter(response));
    }
  }

  #answered(response: SipResponse): void {
    const { endpoint, flow, credentials, media } = this.#options;
    const known =
      this.#established?.dialog.remoteTag === response.toTag
        ? this.#established.dialog
        : this.#acknowledged.get(response.toTag);
    if (known) {
      // Our ACK was lost.
      known.acknowledge(response.sequence);
      return;
    }
    const dialog = Dialog.ofAnswer(endpoint, this.#invite?.flow ?? flow(), this.#sent!, response);
    dialog.acknowledge(response.sequence);
    const audio = parseSdp(sdpOf(response));
    const isUsable = audio !== undefined && audio.port > 0 && audio.codecs.length > 0;
    if (this.#established || this.#isOver || this.#giveUp !== undefined || !isUsable) {
      // Another branch answered too, the answer crossed our CANCEL, or there is nowhere to play the audio.
      this.#acknowledged.set(response.toTag, dialog);
      void endpoint.ask(
        () => dialog.request('BYE'),
        () => dialog.flow(),
        credentials,
      );
      if (!this.#established) this.#fail(this.#giveUp ?? 'no-media');
      return;
    }
    credentials?.learn(response);
    clearTimeout(this.#ring);
    const { mediaAddress, spoken, startDelayMs, t1Ms } = this.#options;
    this.#established = new CallSession({
      endpoint,
      dialog,
      credentials,
      media,
      local: { address: mediaAddress, port: media.port, session: this.#session, version: 1 },
      audio,
      response,
      spoken,
      startDelayMs,
      t1Ms,
      onEnd: (end) => this.#finish(end),
    });
  }

  #stopRinging(reason: CallFailure): void {
    if (this.#isOver || this.#giveUp !== undefined) return;
    this.#giveUp = reason;
    if (this.#invite?.isProceeding) this.#cancel();
    // Without any answer so far, the INVITE times out, or is cancelled at its first answer.
  }

  #cancel(): void {
    if (this.#giveUpTimer) return;
    this.#options.endpoint.cancel(this.#invite!);
    // The other side may be gone, so that the expected 487 never arrives.
    this.#giveUpTimer = setTimeout(() => this.#fail(this.#giveUp!), 64 * this.#options.t1Ms);
  }

  #fail(failure: CallFailure, retryAfterMs?: number): void {
    this.#finish({ kind: 'failed', failure, ...(retryAfterMs !== undefined && { retryAfterMs }) });
  }

  #finish(end: CallEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#ring);
    clearTimeout(this.#silence);
    clearTimeout(this.#giveUpTimer);
    // A late answer is hung up on while the transaction exists; an unfinished transaction ends with the call.
    if (this.#invite?.isOpen) this.#invite.end();
    if (this.#established)
      this.#acknowledged.set(this.#established.dialog.remoteTag, this.#established.dialog);
    this.#established = undefined;
    this.#options.onEnd(end);
  }
}

/** Returns Retry-After in milliseconds; undefined when it is missing or not a number (RFC 3261, 20.33). */
function retryAfter({ headers }: SipResponse): number | undefined {
  const seconds = /^\d{1,9}/.exec(headers.get('Retry-After') ?? '')?.[0];
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_RETRY_AFTER_S) * 1_000;
}
