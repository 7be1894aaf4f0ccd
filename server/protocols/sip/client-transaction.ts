import { Headers, type SipResponse, writeRequest } from './message.ts';
import type { Flow } from './transport.ts';

/** A request as it is sent. */
interface ClientRequest {
  readonly method: string;
  readonly uri: string;
  /** Including its Via. */
  readonly headers: Headers;
  readonly body?: Buffer;
}

/** Receives the answers to a request. */
export interface ClientEvents {
  /**
   * Called with every provisional answer, then the final one. For an INVITE, called with every 2xx, including
   * retransmissions.
   */
  response(response: SipResponse): void;
  /** Called once when no final answer will come, and never after a final answer. */
  failed(reason: 'timeout' | 'transport'): void;
}

interface ClientDeps {
  readonly request: ClientRequest;
  readonly flow: Flow;
  readonly reliable: boolean;
  readonly t1Ms: number;
  readonly events: ClientEvents;
  /** Called when the transaction is over and can be removed. */
  readonly ended: () => void;
}

/**
 * In units of T1: the longest interval between two retransmissions (T2), and the time that a request's last answers
 * stay in the network (T4).
 */
const T2 = 8;
const T4 = 10;
const GIVE_UP = 64;

/**
 * A client transaction (RFC 3261, 17.1; for INVITE with the state "accepted" of RFC 6026). Retransmits the request
 * until it is answered, acknowledges final answers to INVITE other than 2xx, and fails after 64 × T1.
 */
export class ClientTransaction {
  readonly request: ClientRequest;
  readonly #deps: ClientDeps;
  /** Undefined when the request need not be sent again. */
  #bytes: Buffer | undefined;
  readonly #isInvite: boolean;
  #state: 'calling' | 'proceeding' | 'accepted' | 'completed' | 'ended' = 'calling';
  #ack: Buffer | undefined;
  #copies: NodeJS.Timeout | undefined;
  #end: NodeJS.Timeout | undefined;

  constructor(deps: ClientDeps) {
    const { request } = deps;
    this.#deps = deps;
    this.request = request;
    this.#isInvite = request.method === 'INVITE';
    this.#bytes = writeRequest(request.method, request.uri, request.headers, request.body);
  }

  /** Whether a final answer is still expected. */
  get isOpen(): boolean {
    return this.#state === 'calling' || this.#state === 'proceeding';
  }

  /** Whether a provisional answer has come, so that CANCEL may be sent (RFC 3261, 9.1). */
  get isProceeding(): boolean {
    return this.#state === 'proceeding';
  }

  get flow(): Flow {
    return this.#deps.flow;
  }

  start(): void {
    const { flow, reliable, t1Ms } = this.#deps;
    flow.send(this.#bytes!);
    if (!reliable) this.#again(t1Ms);
    this.#end = setTimeout(() => this.fail('timeout'), GIVE_UP * t1Ms);
  }

  /** Handles a response of this transaction. */
  take(response: SipResponse): void {
    const { events } = this.#deps;
    if (response.status < 200) {
      if (!this.isOpen) return;
      this.#state = 'proceeding';
      if (this.#isInvite) this.#stop();
      events.response(response);
    } else if (this.#isInvite && response.status < 300) {
      if (this.isOpen) this.#finish('accepted', GIVE_UP);
      if (this.#state === 'accepted') events.response(response);
    } else if (this.isOpen) {
      if (this.#isInvite) {
        this.#ack = this.#acknowledgement(response);
        this.#deps.flow.send(this.#ack);
      }
      this.#finish('completed', this.#isInvite ? GIVE_UP : T4);
      events.response(response);
    } else if (this.#ack) {
      this.#deps.flow.send(this.#ack);
    }
  }

  /** Ends the transaction and reports the failure, if no final answer has come. */
  fail(reason: 'timeout' | 'transport'): void {
    const wasOpen = this.isOpen;
    this.end();
    if (wasOpen) this.#deps.events.failed(reason);
  }

  /** Ends the transaction without reporting anything. */
  end(): void {
    this.#stop();
    this.#state = 'ended';
    this.#deps.ended();
  }

  #finish(state: 'accepted' | 'completed', times: number): void {
    const { reliable, t1Ms } = this.#deps;
    this.#stop();
    this.#bytes = undefined;
    this.#state = state;
    // A reliable transport repeats nothing but 2xx, which are sent end to end.
    const wait = reliable && state === 'completed' ? 0 : times * t1Ms;
    this.#end = setTimeout(() => this.end(), wait);
  }

  #again(pause: number): void {
    const { flow, t1Ms } = this.#deps;
    this.#copies = setTimeout(() => {
      flow.send(this.#bytes!);
      const proceeding = this.#state === 'proceeding';
      const next = this.#isInvite ? 2 * pause : proceeding ? T2 * t1Ms : Math.min(2 * pause, T2 * t1Ms);
      this.#again(next);
    }, pause);
  }

  #stop(): void {
    clearTimeout(this.#copies);
    clearTimeout(this.#end);
  }

  /** ACK of a final answer other than 2xx (17.1.1.3). */
  #acknowledgement(response: SipResponse): Buffer {
    const { uri, headers } = this.request;
    const ack = new Headers().add('Via', headers.get('Via')!).add('Max-Forwards', '70');
    for (const route of headers.list('Route')) ack.add('Route', route);
    ack.add('From', headers.get('From')!);
    ack.add('To', response.headers.get('To')!);
    ack.add('Call-ID', headers.get('Call-ID')!);
    ack.add('CSeq', `${Number.parseInt(headers.get('CSeq')!, 10)} ACK`);
    return writeRequest('ACK', uri, ack);
  }
}
