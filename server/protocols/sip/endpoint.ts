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

/** Maximum number of requests under way. Further ones are dropped; their senders retransmit them. */
const MAX_SERVED = 20_000;
/** Maximum number of answers to one request that may ask for credentials. */
const MAX_CHALLENGES = 3;

export interface EndpointOptions {
  readonly transport: Transport;
  readonly t1Ms: number;
  /** Host by which the other side reaches us, after `@` in Contact, if it differs from the local address. */
  readonly publicAddress?: string;
  /** Whether to process a request that belongs to no transaction; by default all are processed. */
  readonly accepts?: (request: SipRequest, from: Peer) => boolean;
  /** Called for each new request except CANCEL and ACK. It must be answered. */
  readonly onRequest: (transaction: ServerTransaction) => void;
  /** Called when a message is not valid SIP. */
  readonly onMalformed?: (error: Error) => void;
}

/** A request to send: everything but Via, which the endpoint adds. */
export interface NewRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: Headers;
  readonly body?: Buffer;
}

/** A SIP endpoint: a transport, and the transactions over it (RFC 3261, 17). */
export class Endpoint {
  readonly transport: Transport;
  readonly #options: EndpointOptions;
  readonly #clients = new Map<string, ClientTransaction>();
  readonly #servers = new Map<string, ServerTransaction>();
  /** INVITEs that wait for the ACK of their 2xx, which has a different branch. */
  readonly #unacknowledged = new Map<string, ServerTransaction>();

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.transport = options.transport;
  }

  /** Opens the transport. Rejects with the transport's errors. */
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

  /** Drops everything that is under way, and closes the transport. */
  async close(): Promise<void> {
    for (const transaction of [...this.#clients.values(), ...this.#servers.values()]) transaction.end();
    await this.transport.close();
  }

  /** Number of transactions of both kinds. */
  get transactions(): number {
    return this.#clients.size + this.#servers.size;
  }

  /** Host and port at which the other side reaches us. */
  get contact(): Peer {
    const { address, port } = this.transport.local;
    return { address: this.#options.publicAddress ?? address, port };
  }

  /** Returns the Contact of requests and answers, with `user` before our address. */
  contactUri(user: string): string {
    const { address, port } = this.contact;
    const { protocol } = this.transport;
    const suffix = protocol === 'UDP' ? '' : `;transport=${protocol.toLowerCase()}`;
    return `<sip:${user}@${hostPort(address, port)}${suffix}>`;
  }

  /** Sends a request in a new transaction. */
  send(request: NewRequest, flow: Flow, events: ClientEvents): ClientTransaction {
    return this.#start(this.#withVia(request, newBranch()), flow, events);
  }

  /** Returns the bytes of a request that needs no transaction, with a new branch: the ACK of a 2xx. */
  written(request: NewRequest): Buffer {
    const { method, uri, headers, body } = this.#withVia(request, newBranch());
    return writeRequest(method, uri, headers, body);
  }

  /**
   * Sends CANCEL for an INVITE that has a provisional answer and no final one (9.1). The answer to the INVITE shows the
   * result.
   */
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
   * Sends a request other than INVITE and returns its final answer. `next` makes the request with the next CSeq number
   * of the dialog. Challenges are answered with `credentials`.
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
      // Without rport the answer goes to the port named in Via (18.2.2).
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

/** Returns the key that a request shares with its retransmissions (17.2.3). */
function keyOf({ via, callId, sequence }: SipRequest, method: string): string {
  return `${via.branch} ${via.host}:${via.port ?? 0} ${callId} ${sequence} ${method}`;
}

/** Returns the key that an INVITE shares with the ACK of its 2xx. */
function dialogKey({ callId, fromTag, sequence }: SipRequest): string {
  return `${callId} ${fromTag} ${sequence}`;
}
