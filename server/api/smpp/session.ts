import type { Socket } from 'node:net';
import type { Logger } from '../../kit/observability/log.ts';
import { command, tag } from '../../protocols/smpp/commands.ts';
import { SmppConnection } from '../../protocols/smpp/connection.ts';
import { errorCode, errorName } from '../../protocols/smpp/errors.ts';
import type {
  BindPdu,
  BindRespPdu,
  CancelPdu,
  DataPdu,
  MessagePdu,
  MessageRespPdu,
  Pdu,
  QueryPdu,
  ReplacePdu,
  SubmitMultiPdu,
  SubmitMultiRespPdu,
} from '../../protocols/smpp/pdu.ts';
import type { BindMode } from './binds.ts';
import type { SmppClient } from './clients.ts';
import { submits } from './metrics.ts';
import type { Receiver } from './outbox.ts';
import { type Answer, notQueried, type Requests } from './requests.ts';

/** Milliseconds from the connection to the bind. */
const BIND_MS = 30_000;
/** Silence after which the client is asked by enquire_link, and the time that it has to send anything. */
const ENQUIRE_MS = 30_000;
const ENQUIRE_ANSWER_MS = 15_000;
/** Milliseconds that a client has to answer deliver_sm. */
const DELIVER_MS = 30_000;
/** Milliseconds for running requests and the answer to our unbind when a session ends. */
const UNBIND_MS = 2_000;
/** Maximum unsent bytes: some thousand answers. A client that does not read them is disconnected. */
const MAX_UNSENT = 1024 * 1024;
/** PDUs that cannot be decoded, after which a session ends. */
const MAX_BAD = 50;
/** From this version on, the answer to a bind has optional parameters. */
const VERSION_34 = 0x34;

/** system_id of the server in its answers. */
const SERVER_ID = 'carillon';

/** Kind of a bind by its command. */
const modes: Readonly<Record<BindPdu['command'], BindMode>> = {
  [command.bindReceiver]: 'receiver',
  [command.bindTransmitter]: 'transmitter',
  [command.bindTransceiver]: 'transceiver',
};

/** A client that may bind, and its bind. */
export interface SignedIn {
  readonly bindId: number;
  readonly client: SmppClient;
}

/** Parts of the server that a session uses. */
export interface SessionOwner {
  readonly log: Logger;
  /** Checks a bind. Resolves with the command_status of a refusal, or with the client. */
  signIn(pdu: BindPdu, mode: BindMode, session: SmppSession): Promise<SignedIn | number>;
  /** Returns the present settings of a client; undefined for a removed or disabled client. */
  current(clientId: number): SmppClient | undefined;
  /** Counts messages against the rate of their client. Returns false beyond it. */
  takeRate(client: SmppClient, count: number): boolean;
  readonly requests: Requests;
  /** The session is bound and its answer was sent. */
  bound(session: SmppSession): void;
  ended(session: SmppSession, reason: string): void;
}

type ChangeRespId = (typeof command)['cancelSmResp' | 'replaceSmResp'];

interface Waiting {
  readonly resolve: (status: number | undefined) => void;
  readonly timer: NodeJS.Timeout;
}

/** One connection of a client, from the connection to its end. */
export class SmppSession implements Receiver {
  readonly address: string;
  /** Whether it uses TLS. */
  readonly isSecure: boolean;
  /** Messages accepted and refused, and the last refusal. */
  readonly counts = { accepted: 0, refused: 0, lastError: '' };
  readonly #owner: SessionOwner;
  readonly #connection: SmppConnection;
  readonly #delivering = new Map<number, Waiting>();
  #state: 'open' | 'binding' | 'bound' | 'leaving' = 'open';
  #signedIn: SignedIn | undefined;
  #mode: BindMode | undefined;
  /** Requests of the client that wait for their answers. */
  #running = 0;
  #bad = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Called when the last running request was answered. */
  #onIdle: (() => void) | undefined;

  constructor(socket: Socket, isSecure: boolean, owner: SessionOwner) {
    this.address = socket.remoteAddress ?? '';
    this.isSecure = isSecure;
    this.#owner = owner;
    this.#connection = new SmppConnection(
      socket,
      {
        pdu: (pdu) => this.#received(pdu),
        bad: () => this.#badPdu(),
        fault: (error) =>
          owner.log.error({ err: error }, 'PDU of an SMPP client not processed: error of the service'),
        closed: (reason) => this.#closed(reason),
      },
      MAX_UNSENT,
    );
    this.#timer = setTimeout(() => this.#connection.end('no bind in time'), BIND_MS);
  }

  get signedIn(): SignedIn | undefined {
    return this.#signedIn;
  }

  get isBound(): boolean {
    return this.#state === 'bound';
  }

  get receives(): boolean {
    return this.isBound && this.#mode !== 'transmitter';
  }

  /** Number of deliver_sm that may be sent now. */
  get room(): number {
    return this.receives ? Math.max(0, this.#signedIn!.client.window - this.#delivering.size) : 0;
  }

  deliver(pdu: MessagePdu): Promise<number | undefined> {
    if (!this.receives || this.#connection.closed) return Promise.resolve(undefined);
    const sequence = this.#connection.nextSequence();
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const timer = setTimeout(() => this.#delivered(sequence, errorCode.ESME_RX_T_APPN), DELIVER_MS);
    this.#delivering.set(sequence, { resolve, timer });
    this.#connection.send({ ...pdu, sequence });
    return promise;
  }

  /** Unbinds, or disconnects a client that is not bound. Running requests are answered before. */
  leave(reason: string): void {
    if (this.#state === 'leaving' || this.#connection.closed) return;
    const wasBound = this.#state === 'bound';
    this.#state = 'leaving';
    if (!wasBound) {
      this.#connection.end(reason);
      return;
    }
    this.#whenIdle(() => {
      this.#connection.send({
        command: command.unbind,
        status: 0,
        sequence: this.#connection.nextSequence(),
      });
      this.#timer = setTimeout(() => this.#connection.end(reason), UNBIND_MS);
    });
  }

  /** Disconnects now. */
  destroy(reason: string): void {
    this.#connection.destroy(reason);
  }

  #received(pdu: Pdu): void {
    switch (pdu.command) {
      case command.bindReceiver:
      case command.bindTransmitter:
      case command.bindTransceiver:
        void this.#bind(pdu);
        break;
      case command.submitSm:
      case command.dataSm:
        this.#submit(pdu);
        break;
      case command.submitMulti:
        this.#submitMulti(pdu);
        break;
      case command.querySm:
        this.#query(pdu);
        break;
      case command.cancelSm:
        this.#change(pdu, 0, (client, requests) => requests.cancel(client, pdu));
        break;
      case command.replaceSm:
        this.#change(pdu, 1, (client, requests) => requests.replace(client, pdu));
        break;
      case command.deliverSmResp:
      case command.genericNack:
        this.#delivered(pdu.sequence, pdu.status);
        break;
      case command.unbind:
        this.#unbind(pdu.sequence);
        break;
      case command.unbindResp:
        if (this.#state === 'leaving') this.#connection.end('unbound');
        break;
      case command.enquireLinkResp:
        break;
      default:
        // A response to a request that was not sent is ignored (SMPP 3.4, 4.3).
        if (pdu.command < command.genericNack)
          this.#connection.send({
            command: command.genericNack,
            status: errorCode.ESME_RINVCMDID,
            sequence: pdu.sequence,
          });
    }
  }

  async #bind(pdu: BindPdu): Promise<void> {
    if (this.#state !== 'open') {
      this.#bindResp(pdu, errorCode.ESME_RALYBND);
      return;
    }
    this.#state = 'binding';
    const mode = modes[pdu.command];
    const result = await this.#owner.signIn(pdu, mode, this).catch((error: unknown) => {
      this.#owner.log.warn({ err: error }, 'bind of an SMPP client not checked');
      return errorCode.ESME_RSYSERR;
    });
    if (typeof result !== 'number') this.#signedIn = result;
    if (this.#connection.closed) {
      this.#owner.ended(this, 'closed by the peer');
      return;
    }
    if (typeof result === 'number') {
      this.#state = 'leaving';
      this.#bindResp(pdu, result);
      this.#connection.end('bind refused');
      return;
    }
    clearTimeout(this.#timer);
    this.#mode = mode;
    this.#bindResp(pdu, 0);
    if (this.#state !== 'binding') {
      this.#connection.end('unbound');
      return;
    }
    this.#state = 'bound';
    this.#connection.keepAlive(ENQUIRE_MS, ENQUIRE_ANSWER_MS);
    this.#owner.bound(this);
  }

  #bindResp(pdu: BindPdu, status: number): void {
    const hasVersion = status === 0 && pdu.interfaceVersion >= VERSION_34;
    this.#connection.send({
      command: (pdu.command + command.genericNack) as BindRespPdu['command'],
      status,
      sequence: pdu.sequence,
      systemId: status === 0 ? SERVER_ID : '',
      tlvs: hasVersion ? [{ tag: tag.scInterfaceVersion, value: Buffer.of(VERSION_34) }] : [],
    });
  }

  #submit(pdu: MessagePdu | DataPdu): void {
    this.#request(
      1,
      { messageId: '' },
      (client, requests) => requests.submit(client, pdu),
      ({ status, messageId }) => {
        this.#count(status);
        this.#connection.send({
          command: (pdu.command + command.genericNack) as MessageRespPdu['command'],
          ...{ status, sequence: pdu.sequence, messageId, tlvs: [] },
        });
      },
    );
  }

  #submitMulti(pdu: SubmitMultiPdu): void {
    const { sequence, destinations } = pdu;
    this.#request(
      destinations.length,
      { messageId: '', refused: [] as SubmitMultiRespPdu['refused'] },
      (client, requests) => requests.submitMulti(client, pdu),
      ({ status, messageId, refused }) => {
        this.#count(status);
        this.#connection.send({ command: command.submitMultiResp, status, sequence, messageId, refused });
      },
    );
  }

  #query(pdu: QueryPdu): void {
    const { sequence, messageId } = pdu;
    this.#request(
      0,
      notQueried(messageId),
      (client, requests) => requests.query(client, pdu),
      (state) => this.#connection.send({ command: command.querySmResp, sequence, ...state }),
    );
  }

  /** Answers a request that changes a message by its command_status alone. */
  #change(
    { command: id, sequence }: CancelPdu | ReplacePdu,
    messages: number,
    work: (client: SmppClient, requests: Requests) => Promise<Answer>,
  ): void {
    this.#request(messages, {}, work, ({ status }) =>
      this.#connection.send({ command: (id + command.genericNack) as ChangeRespId, status, sequence }),
    );
  }

  /**
   * Answers a request when it is done, or immediately when it is refused now.
   *
   * @param messages number of its messages, which count against the rate
   * @param none fields of the answer that refuses it
   */
  #request<Fields extends object>(
    messages: number,
    none: Fields,
    work: (client: SmppClient, requests: Requests) => Promise<Fields & Answer>,
    answer: (result: Fields & Answer) => void,
  ): void {
    const client = this.#admit(messages);
    if (typeof client === 'number') answer({ ...none, status: client });
    else this.#run(work(client, this.#owner.requests), answer);
  }

  /**
   * Returns the client with its present settings, or the command_status with which a request is refused now.
   *
   * @param messages number of messages of the request, which count against the rate
   */
  #admit(messages: number): SmppClient | number {
    if (this.#state !== 'bound' || this.#mode === 'receiver') return errorCode.ESME_RINVBNDSTS;
    const client = this.#owner.current(this.#signedIn!.client.id);
    if (!client) return errorCode.ESME_RINVBNDSTS;
    const isAdmitted =
      this.#running < client.window && (messages === 0 || this.#owner.takeRate(client, messages));
    return isAdmitted ? client : errorCode.ESME_RTHROTTLED;
  }

  /** Answers a request when it is done. */
  #run<T>(work: Promise<T>, answer: (result: T) => void): void {
    this.#running++;
    work
      .then(answer, (error: unknown) => {
        this.#owner.log.error({ err: error }, 'request of an SMPP client failed: error of the service');
        this.destroy('fault');
      })
      .finally(() => {
        this.#running--;
        if (this.#running === 0) this.#onIdle?.();
      });
  }

  #count(status: number): void {
    const name = errorName(status);
    submits.inc({ status: name });
    if (status === 0) this.counts.accepted++;
    else {
      this.counts.refused++;
      this.counts.lastError = name;
    }
  }

  #delivered(sequence: number, status: number | undefined): void {
    const waiting = this.#delivering.get(sequence);
    if (!waiting) return;
    this.#delivering.delete(sequence);
    clearTimeout(waiting.timer);
    waiting.resolve(status);
  }

  /** The unbind of the client is answered after its requests. */
  #unbind(sequence: number): void {
    this.#state = 'leaving';
    this.#whenIdle(() => {
      this.#connection.send({ command: command.unbindResp, status: 0, sequence });
      this.#connection.end('unbound by the client');
    });
  }

  /** Calls `work` when no request runs, at the latest after a moment. */
  #whenIdle(work: () => void): void {
    if (this.#running === 0) {
      work();
      return;
    }
    const timer = setTimeout(() => this.#onIdle?.(), UNBIND_MS);
    this.#onIdle = () => {
      clearTimeout(timer);
      this.#onIdle = undefined;
      work();
    };
  }

  /** It was answered. A client that is not bound has no second attempt. */
  #badPdu(): void {
    this.#bad++;
    if (!this.#signedIn || this.#bad >= MAX_BAD) this.#connection.end('PDUs that cannot be decoded');
  }

  #closed(reason: string): void {
    clearTimeout(this.#timer);
    this.#onIdle = undefined;
    const wasBinding = this.#state === 'binding';
    this.#state = 'leaving';
    for (const sequence of [...this.#delivering.keys()]) this.#delivered(sequence, undefined);
    // `#bind` reports the end of a session whose bind is being checked.
    if (!wasBinding) this.#owner.ended(this, reason);
  }
}
