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
/** Of T1: an INVITE that nothing has answered by then makes the trunk suspect. It is sent on until 64 × T1. */
const SILENT = 8;
const MAX_RETRY_AFTER_S = 86_400;

interface CallOptions {
  readonly endpoint: Endpoint;
  readonly flow: () => Flow;
  readonly media: CallMedia;
  /** The address that our SDP says. */
  readonly mediaAddress: string;
  readonly credentials: Authenticator | undefined;
  /** The callee, and From without its tag. */
  readonly uri: string;
  readonly from: string;
  /** `P-Asserted-Identity`, where the trunk wants it. */
  readonly identity: string | undefined;
  /** Our Contact. */
  readonly contact: string;
  readonly spoken: SpokenMessage;
  readonly ringMs: number;
  readonly startDelayMs: number;
  readonly t1Ms: number;
  /** Nothing has answered the INVITE for a while. */
  readonly onSilent: () => void;
  /** Called once, when nothing more comes of the call; its ports are free then. */
  readonly onEnd: (end: CallEnd) => void;
}

/** One outgoing call, from INVITE to the last word that is said about it. */
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
  /** Why the call is being given up before it was answered. */
  #giveUp: CallFailure | undefined;
  #giveUpTimer: NodeJS.Timeout | undefined;
  #established: CallSession | undefined;
  /** Answers that are to be acknowledged if they come again, and nothing else: by their tag. */
  readonly #acknowledged = new Map<string, Dialog>();
  #isOver = false;

  /** Sends the INVITE. */
  constructor(options: CallOptions) {
    this.#options = options;
    this.#ring = setTimeout(() => this.#stopRinging('no-answer'), options.ringMs);
    this.#silence = setTimeout(options.onSilent, SILENT * options.t1Ms);
    this.#call();
  }

  /** Ends the call from our side: CANCEL while it rings, BYE when it was answered. */
  hangUp(): void {
    if (this.#established) this.#established.end('us');
    else this.#stopRinging('stopped');
  }

  /** Ends the call without waiting for what the other side says to it. */
  abandon(): void {
    if (this.#established) this.#established.abandon();
    else this.#fail('stopped');
  }

  /** Takes a request that came in the call's dialog; false when it is of another. */
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
      // What was given up before anything had answered can be cancelled from now on.
      if (this.#giveUp !== undefined) this.#cancel();
    } else if (status < 300) {
      this.#answered(response);
    } else if (this.#giveUp !== undefined) {
      // 487 is what CANCEL brings; a challenge is nothing that is answered any more.
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
      // Another branch answered too, or the answer crossed our CANCEL, or there is nothing to play to.
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
    // Nothing has answered at all: the INVITE gives up by itself, or is cancelled when something does.
  }

  #cancel(): void {
    if (this.#giveUpTimer) return;
    this.#options.endpoint.cancel(this.#invite!);
    // The 487 that should follow may be lost with the other side.
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
    // An answer that still comes is hung up on as long as the transaction lives; one that stays open goes with the call.
    if (this.#invite?.isOpen) this.#invite.end();
    if (this.#established)
      this.#acknowledged.set(this.#established.dialog.remoteTag, this.#established.dialog);
    this.#established = undefined;
    this.#options.onEnd(end);
  }
}

/** Retry-After in milliseconds; undefined when it is not there or no number (RFC 3261, 20.33). */
function retryAfter({ headers }: SipResponse): number | undefined {
  const seconds = /^\d{1,9}/.exec(headers.get('Retry-After') ?? '')?.[0];
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_RETRY_AFTER_S) * 1_000;
}
