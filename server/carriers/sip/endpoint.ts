import type { Authenticator } from './authenticator.ts';
import { type ClientEvents, ClientTransaction } from './client-transaction.ts';
import {
  Headers,
  newBranch,
  type SipMessage,
  type SipRequest,
  type SipResponse,
  viaOf,
  writeRequest,
} from './message.ts';
import { ServerTransaction } from './server-transaction.ts';
import type { Flow, Peer, Transport } from './transport.ts';
import { hostPort } from './uri.ts';

/** Requests under way at a time, at most: what comes beyond it is dropped, and comes again. */
const MAX_SERVED = 20_000;
/** Answers to one request that may ask for credentials. */
const MAX_CHALLENGES = 3;

export interface EndpointOptions {
  readonly transport: Transport;
  readonly t1Ms: number;
  /** What the other side knows us as, behind `@` of Contact, where it is not the local address. */
  readonly publicAddress?: string;
  /** Whether a request that belongs to no transaction is looked at; all by default. */
  readonly accepts?: (request: SipRequest, from: Peer) => boolean;
  /** A new request, CANCEL and ACK not among them. It is to be answered. */
  readonly onRequest: (transaction: ServerTransaction) => void;
  /** Something that is no SIP message came. */
  readonly onMalformed?: (error: Error) => void;
}

/** A request to be sent: everything but Via, which the endpoint puts in front. */
export interface NewRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: Headers;
  readonly body?: Buffer;
}

/** One end of SIP: a transport, and the transactions over it (RFC 3261, 17). */
export class Endpoint {
  readonly transport: Transport;
  readonly #options: EndpointOptions;
  readonly #clients = new Map<string, ClientTransaction>();
  readonly #servers = new Map<string, ServerTransaction>();
  /** INVITEs that wait for the ACK of their 2xx, which has a branch of its own. */
  readonly #unacknowledged = new Map<string, ServerTransaction>();

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.transport = options.transport;
  }

  /** Opens the transport; throws what it throws. */
  open(): Promise<void> {
    return this.transport.open({
      message: (message, flow) => this.#take(message, flow),
      closed: (flow) => {
        for (const transaction of this.#clients.values()) {
          if (transaction.flow === flow && transaction.isOpen) transaction.fail('transport');
        }
      },
      malformed: (error) => this.#options.onMalformed?.(error),
    });
  }

  /** Forgets everything that is under way, and closes the transport. */
  async close(): Promise<void> {
    for (const transaction of [...this.#clients.values(), ...this.#servers.values()]) transaction.end();
    await this.transport.close();
  }

  /** Transactions that are kept, of both kinds. */
  get transactions(): number {
    return this.#clients.size + this.#servers.size;
  }

  /** Host and port that the other side reaches us at. */
  get contact(): Peer {
    const { address, port } = this.transport.local;
    return { address: this.#options.publicAddress ?? address, port };
  }

  /** The Contact of requests and answers, with `user` in front of our address. */
  contactUri(user: string): string {
    const { address, port } = this.contact;
    const { protocol } = this.transport;
    const suffix = protocol === 'UDP' ? '' : `;transport=${protocol.toLowerCase()}`;
    return `<sip:${user}@${hostPort(address, port)}${suffix}>`;
  }

  /** Sends a request in a transaction of its own. */
  send(request: NewRequest, flow: Flow, events: ClientEvents): ClientTransaction {
    return this.#start(this.#withVia(request, newBranch()), flow, events);
  }

  /** A request that goes without a transaction, with a branch of its own: the ACK of a 2xx. */
  written(request: NewRequest): Buffer {
    const { method, uri, headers, body } = this.#withVia(request, newBranch());
    return writeRequest(method, uri, headers, body);
  }

  /** CANCEL of an INVITE that has a provisional answer and no final one (9.1). What comes of it, the INVITE's answer says. */
  cancel(invite: ClientTransaction): void {
    const { request, flow } = invite;
    const headers = new Headers();
    for (const name of ['Via', 'Route', 'From', 'To', 'Call-ID', 'Max-Forwards']) {
      for (const value of request.headers.list(name)) headers.add(name, value);
    }
    headers.add('CSeq', `${Number.parseInt(request.headers.get('CSeq')!, 10)} CANCEL`);
    this.#start({ method: 'CANCEL', uri: request.uri, headers }, flow, { response() {}, failed() {} });
  }

  /**
   * Sends a request other than INVITE and waits for its final answer. `next` makes it with the CSeq number that it takes
   * from the dialog; a challenge is answered with `credentials`.
   */
  async ask(
    next: () => NewRequest,
    flow: () => Flow,
    credentials?: Authenticator,
  ): Promise<SipResponse | 'timeout' | 'transport'> {
    for (let challenges = 0; ; challenges++) {
      const request = next();
      for (const field of credentials?.prepared(request.method, request.uri) ?? [])
        request.headers.add(...field);
      const answer = await new Promise<SipResponse | 'timeout' | 'transport'>((resolve) => {
        this.send(request, flow(), {
          response: (response) => {
            if (response.status >= 200) resolve(response);
          },
          failed: resolve,
        });
      });
      if (typeof answer === 'string' || challenges >= MAX_CHALLENGES) return answer;
      if (!credentials?.learn(answer)) return answer;
    }
  }

  #start(request: NewRequest, flow: Flow, events: ClientEvents): ClientTransaction {
    const { transport, t1Ms } = this.#options;
    const branch = /;branch=([^;]+)/.exec(request.headers.get('Via')!)![1]!;
    const key = `${branch} ${request.method}`;
    const transaction = new ClientTransaction({
      request,
      flow,
      reliable: transport.reliable,
      t1Ms,
      events,
      ended: () => this.#clients.delete(key),
    });
    this.#clients.set(key, transaction);
    transaction.start();
    return transaction;
  }

  #withVia(request: NewRequest, branch: string): NewRequest {
    const { address, port } = this.contact;
    const headers = new Headers().add('Via', viaOf(this.transport.protocol, address, port, branch));
    for (const [name, value] of request.headers) headers.add(name, value);
    return { ...request, headers };
  }

  #take(message: SipMessage, from: Flow): void {
    if (message.kind === 'response') {
      this.#clients.get(`${message.via.branch} ${message.cseqMethod}`)?.take(message);
      return;
    }
    if (message.method === 'ACK') {
      (
        this.#servers.get(keyOf(message, 'INVITE')) ?? this.#unacknowledged.get(dialogKey(message))
      )?.acknowledge(message);
      return;
    }
    const key = keyOf(message, message.method);
    const known = this.#servers.get(key);
    if (known) {
      known.repeat();
      return;
    }
    const { accepts } = this.#options;
    if (this.#servers.size >= MAX_SERVED || (accepts && !accepts(message, from.peer))) return;
    const transaction = this.#serve(key, message, from);
    if (message.method !== 'CANCEL') {
      this.#options.onRequest(transaction);
      return;
    }
    const invite = this.#servers.get(keyOf(message, 'INVITE'));
    transaction.respond(invite ? 200 : 481);
    if (invite && !invite.isAnswered) invite.onCancel();
  }

  #serve(key: string, request: SipRequest, from: Flow): ServerTransaction {
    const { transport, t1Ms } = this.#options;
    const { via } = request;
    const acknowledged = dialogKey(request);
    const isInvite = request.method === 'INVITE';
    const transaction = new ServerTransaction({
      request,
      from,
      // Without rport the answer goes to the port that Via names (18.2.2).
      flow:
        transport.reliable || via.params.has('rport')
          ? from
          : transport.flowTo({ address: from.peer.address, port: via.port ?? 5060 }),
      reliable: transport.reliable,
      t1Ms,
      ended: () => {
        this.#servers.delete(key);
        if (isInvite && this.#unacknowledged.get(acknowledged) === transaction) {
          this.#unacknowledged.delete(acknowledged);
        }
      },
    });
    this.#servers.set(key, transaction);
    if (isInvite) this.#unacknowledged.set(acknowledged, transaction);
    return transaction;
  }
}

/** What makes a request and its copies one (17.2.3). */
function keyOf({ via, callId, sequence }: SipRequest, method: string): string {
  return `${via.branch} ${via.host}:${via.port ?? 0} ${callId} ${sequence} ${method}`;
}

/** What an INVITE and the ACK of its 2xx have in common. */
function dialogKey({ callId, fromTag, sequence }: SipRequest): string {
  return `${callId} ${fromTag} ${sequence}`;
}
