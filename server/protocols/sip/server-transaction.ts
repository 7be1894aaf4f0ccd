import { Headers, newTag, type SipRequest, writeResponse } from './message.ts';
import type { Flow } from './transport.ts';

interface ServerDeps {
  readonly request: SipRequest;
  /** Flow on which the request arrived. */
  readonly from: Flow;
  /** Flow for the answers. */
  readonly flow: Flow;
  readonly reliable: boolean;
  readonly t1Ms: number;
  /** Called when the transaction is over and can be removed. */
  readonly ended: () => void;
}

/** Contents of an answer beyond those copied from its request. */
interface Answer {
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer;
}

const T2 = 8;
const T4 = 10;
const GIVE_UP = 64;

/**
 * A server transaction (RFC 3261, 17.2): repeats its answer to a retransmitted request, and retransmits the final
 * answer to an INVITE until the ACK arrives, for 2xx too (13.3.1.4, RFC 6026).
 */
export class ServerTransaction {
  readonly request: SipRequest;
  /** Flow on which the request arrived. */
  readonly from: Flow;
  /** To tag of our answers. */
  readonly tag: string;
  /** Called when the INVITE was cancelled before its final answer; it must be answered with 487. */
  onCancel: () => void = () => {};
  /** Called once, when the ACK of a 2xx arrived. */
  onAck: (ack: SipRequest) => void = () => {};
  /** Called when no ACK of a 2xx arrived within 64 × T1. */
  onNoAck: () => void = () => {};
  readonly #deps: ServerDeps;
  #last: Buffer | undefined;
  #status = 0;
  #copies: NodeJS.Timeout | undefined;
  #end: NodeJS.Timeout | undefined;
  #acknowledged = false;

  constructor(deps: ServerDeps) {
    this.#deps = deps;
    this.request = deps.request;
    this.from = deps.from;
    this.tag = deps.request.toTag || newTag();
  }

  /** Whether a final answer was sent. */
  get isAnswered(): boolean {
    return this.#status >= 200;
  }

  /** Sends an answer: any number of provisional ones, then one final answer; further ones are ignored. */
  respond(status: number, { headers = [], body }: Answer = {}): void {
    if (this.isAnswered) return;
    const { flow, t1Ms, reliable } = this.#deps;
    this.#status = status;
    this.#last = writeResponse(status, this.#headers(status, headers), body);
    flow.send(this.#last);
    if (status < 200) return;
    if (this.request.method !== 'INVITE') {
      this.#endIn(reliable ? 0 : GIVE_UP * t1Ms);
      return;
    }
    // A 2xx is retransmitted over any transport, since it must reach the other end.
    if (!reliable || status < 300) this.#again(t1Ms);
    this.#end = setTimeout(() => {
      this.end();
      if (status < 300) this.onNoAck();
    }, GIVE_UP * t1Ms);
  }

  /** Handles a retransmission of the request. */
  repeat(): void {
    if (this.#last && !this.#acknowledged) this.#deps.flow.send(this.#last);
  }

  /** Handles the ACK. */
  acknowledge(ack: SipRequest): void {
    if (!this.isAnswered || this.#acknowledged) return;
    const { reliable, t1Ms } = this.#deps;
    this.#acknowledged = true;
    clearTimeout(this.#copies);
    clearTimeout(this.#end);
    this.#endIn(reliable ? 0 : (this.#status < 300 ? GIVE_UP : T4) * t1Ms);
    if (this.#status < 300) this.onAck(ack);
  }

  /** Ends the transaction. */
  end(): void {
    clearTimeout(this.#copies);
    clearTimeout(this.#end);
    this.#deps.ended();
  }

  #endIn(milliseconds: number): void {
    this.#end = setTimeout(() => this.end(), milliseconds);
  }

  #again(pause: number): void {
    this.#copies = setTimeout(() => {
      this.#deps.flow.send(this.#last!);
      this.#again(Math.min(2 * pause, T2 * this.#deps.t1Ms));
    }, pause);
  }

  #headers(status: number, more: NonNullable<Answer['headers']>): Headers {
    const { request } = this.#deps;
    const headers = new Headers();
    const [top, ...rest] = request.headers.list('Via');
    for (const via of [this.#received(top!), ...rest]) headers.add('Via', via);
    if (request.method === 'INVITE' && status > 100 && status < 300) {
      for (const route of request.headers.list('Record-Route')) headers.add('Record-Route', route);
    }
    const to = request.headers.get('To')!;
    headers.add('From', request.headers.get('From')!);
    headers.add('To', request.toTag || status === 100 ? to : `${to};tag=${this.tag}`);
    headers.add('Call-ID', request.callId);
    headers.add('CSeq', `${request.sequence} ${request.method}`);
    for (const [name, value] of more) headers.add(name, value);
    return headers;
  }

  /** Returns the topmost Via with the source address of the request added (18.2.1, RFC 3581). */
  #received(via: string): string {
    const { address, port } = this.from.peer;
    const { host, params } = this.request.via;
    if (params.has('rport')) return `${via.replace(/;\s*rport[^;]*/i, `;rport=${port}`)};received=${address}`;
    return host === address ? via : `${via};received=${address}`;
  }
}
