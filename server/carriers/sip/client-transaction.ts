import { Headers, type SipResponse, writeRequest } from './message.ts';
import type { Flow } from './transport.ts';

/** A request of ours, as it goes out. */
interface ClientRequest {
  readonly method: string;
  readonly uri: string;
  /** With its Via. */
  readonly headers: Headers;
  readonly body?: Buffer;
}

/** Who hears of a request's answers. */
export interface ClientEvents {
  /** Every provisional answer, then the final one; of an INVITE every 2xx, those that come again too. */
  response(response: SipResponse): void;
  /** No final answer has come, and none will. Called once, and never after a final answer. */
  failed(reason: 'timeout' | 'transport'): void;
}

interface ClientDeps {
  readonly request: ClientRequest;
  readonly flow: Flow;
  readonly reliable: boolean;
  readonly t1Ms: number;
  readonly events: ClientEvents;
  /** The transaction is over and can be forgotten. */
  readonly ended: () => void;
}

/** The longest pause between two copies, and how long the last answers of a request are on their way, of T1. */
const T2 = 8;
const T4 = 10;
const GIVE_UP = 64;

/**
 * A client transaction (RFC 3261, 17.1; for INVITE with the state "accepted" of RFC 6026): sends the request again until it
 * is answered, acknowledges final answers to INVITE other than 2xx, and gives up after 64 × T1.
 */
export class ClientTransaction {
  readonly request: ClientRequest;
  readonly #deps: ClientDeps;
  /** Gone once it need not be sent again. */
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

  /** Whether a final answer may still come. */
  get isOpen(): boolean {
    return this.#state === 'calling' || this.#state === 'proceeding';
  }

  /** Whether something has answered, so that CANCEL may go out (RFC 3261, 9.1). */
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

  /** Takes an answer that is this transaction's. */
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

  /** Waits for no answer any more. */
  fail(reason: 'timeout' | 'transport'): void {
    const wasOpen = this.isOpen;
    this.end();
    if (wasOpen) this.#deps.events.failed(reason);
  }

  /** Forgets the transaction, without a word. */
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
    // Over a reliable transport nothing comes again but 2xx, which come from end to end.
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
