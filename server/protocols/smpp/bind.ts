import { type ConnectorFault, connectorFault, connectorFaultOf } from '../../kit/connector-faults.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { Outage } from '../../kit/observability/outages.ts';
import { TlsPeer } from '../../kit/tls-faults.ts';
import { TransientMap } from '../../kit/transient.ts';
import { command } from './commands.ts';
import { SmppConnection } from './connection.ts';
import { errorCode, errorName } from './errors.ts';
import type { BindPdu, DataPdu, MessagePdu, MessageRespPdu, Pdu } from './pdu.ts';
import type { SmppConnectorSettings } from './settings.ts';
import { openSocket } from './socket.ts';

export type BindMode = 'transceiver' | 'transmitter' | 'receiver';

const bindCommand = {
  transceiver: command.bindTransceiver,
  transmitter: command.bindTransmitter,
  receiver: command.bindReceiver,
} as const;

/** Statuses of a bind rejected for its system id or password (SMPP 3.4, 5.1.3). */
const accessErrors: ReadonlySet<number> = new Set([
  errorCode.ESME_RBINDFAIL,
  errorCode.ESME_RINVPASWD,
  errorCode.ESME_RINVSYSID,
]);
const interfaceVersion = 0x34;
/** Milliseconds to wait for an unbind, in either direction. */
const unbindMs = 1_000;
/**
 * A session without any answer to a request for this many `responseTimeoutMs` is closed, even if its peer answers
 * enquire_link.
 */
const STUCK_TIMEOUTS = 4;
/** Number of the latest overdue requests whose answers are still recognized. */
const MAX_OVERDUE = 10_000;

/** Receives the events of a bind. `Flight` is the owner's data about a request until its answer. */
export interface BindEvents<Flight> {
  bound(): void;
  /** The session is gone; its open requests (`flights`) will not be answered. */
  lost(reason: string, flights: Iterable<Flight>): void;
  reconnecting(): void;
  answered(flight: Flight, status: number, messageId: string, flownMs: number): void;
  /** The answer to this request could not be read. */
  unreadable(flight: Flight): void;
  /** No answer in `responseTimeoutMs`, from a peer that is alive: the answer may still come (`late`). */
  overdue(flight: Flight): void;
  /** The answer to an overdue request. */
  late(flight: Flight, status: number, messageId: string): void;
  /** deliver_sm or data_sm. `respond` answers it, and does nothing when the session is gone. */
  delivery(pdu: MessagePdu | DataPdu, respond: (status: number) => void): void;
  badPdu(): void;
}

interface Flying<Flight> {
  readonly flight: Flight;
  readonly since: number;
}

/**
 * One bind: connects, binds, keeps the session alive, and reconnects after growing random pauses. Matches requests to
 * their answers. After a request without an answer in `responseTimeoutMs`, it checks by enquire_link whether the peer
 * is alive. A dead peer is disconnected; from a live one, the answer is accepted whenever it comes.
 */
export class Bind<Flight> {
  readonly #settings: SmppConnectorSettings;
  readonly #mode: BindMode;
  readonly #events: BindEvents<Flight>;
  readonly #log: Logger;
  readonly #tls: TlsPeer;
  readonly #outage: Outage;
  /** The last status with which the carrier rejected the bind, so that it is logged once. */
  #refusal: string | undefined;
  /** Whether the log already has that the peer answers the bind without speaking SMPP. */
  #isForeign = false;
  #connection: SmppConnection | null = null;
  #bound = false;
  /** One of the sides has sent unbind: nothing more is sent. */
  #leaving = false;
  /** Sequence number of the SMSC's unbind while it waits for our answer. */
  #unbindSequence: number | null = null;
  #stopped = false;
  #stopping: Promise<void> | undefined;
  /** Why the last attempt failed; undefined while bound. */
  #fault: ConnectorFault | undefined;
  /** Fault of the attempt under way, or of the session. */
  #failure: ConnectorFault | undefined;
  #attempt = 0;
  #timer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #flying = new TransientMap<number, Flying<Flight>>();
  readonly #overdue = new Map<number, Flying<Flight>>();
  /** Time of the last answer to a request, in monotonic milliseconds. */
  #answeredAt = 0;
  #onGone: (() => void) | null = null;

  constructor(settings: SmppConnectorSettings, mode: BindMode, events: BindEvents<Flight>, log: Logger) {
    this.#settings = settings;
    this.#mode = mode;
    this.#events = events;
    this.#log = log.child({ bind: mode });
    this.#tls = new TlsPeer(settings.name, log);
    const gone = 'carrier connection lost';
    this.#outage = new Outage({ kind: 'carrier', log: this.#log, gone, back: 'bound again' });
  }

  get bound(): boolean {
    return this.#bound && !this.#leaving;
  }

  /** Why there is no session, according to the last attempt. */
  get fault(): ConnectorFault | undefined {
    return this.#fault;
  }

  /** Whether submit_sm may be sent now. */
  get canSend(): boolean {
    return this.#bound && !this.#leaving && this.#mode !== 'receiver';
  }

  start(): void {
    this.#connect();
  }

  /** Unbinds and disconnects. Resolves when the socket is closed; never rejects. May be called again. */
  stop(): Promise<void> {
    this.#stopping ??= this.#disconnect();
    return this.#stopping;
  }

  #disconnect(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const connection = this.#connection;
    if (!connection) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onGone = resolve;
      if (!this.#bound) {
        connection.destroy('stopped');
        return;
      }
      this.#leaving = true;
      connection.send({ command: command.unbind, status: 0, sequence: connection.nextSequence() });
      this.#timer = setTimeout(() => connection.destroy('no answer to unbind'), unbindMs);
    });
  }

  /**
   * Sends a request. The caller must have checked `canSend`.
   *
   * @throws RangeError when the PDU is too long
   */
  request(pdu: MessagePdu, flight: Flight): void {
    this.#connection!.send(pdu);
    this.#flying.add(pdu.sequence, { flight, since: performance.now() });
  }

  nextSequence(): number {
    return this.#connection!.nextSequence();
  }

  #connect(): void {
    const { socket, connected } = openSocket(this.#settings, (secured) => this.#tls.watch(secured));
    const connection = new SmppConnection(socket, {
      pdu: (pdu) => this.#received(pdu),
      bad: (bad, fatal) => this.#bad(bad.sequence, bad.command, bad.reason, fatal),
      fault: (error) =>
        this.#log.error({ err: error }, 'PDU of the carrier not processed: error of the service'),
      closed: (reason) => this.#closed(reason),
    });
    this.#connection = connection;
    this.#failure = undefined;
    socket.on('error', (error) => {
      this.#failure ??= connectorFaultOf(error);
    });
    const limit = this.#settings.bindTimeoutMs;
    this.#timer = setTimeout(() => {
      this.#failure ??= connectorFault('timeout', 'no answer to bind');
      connection.destroy('no answer to bind');
    }, limit);
    socket.once(connected, () => {
      connection.send(this.#bindPdu(connection.nextSequence()));
    });
  }

  #bindPdu(sequence: number): BindPdu {
    const { systemId, password, systemType } = this.#settings;
    return {
      command: bindCommand[this.#mode],
      status: 0,
      sequence,
      systemId,
      password,
      systemType,
      interfaceVersion,
      addressTon: 0,
      addressNpi: 0,
      addressRange: '',
      tlvs: [],
    };
  }

  #received(pdu: Pdu): void {
    switch (pdu.command) {
      case command.submitSmResp:
      case command.dataSmResp:
        this.#answered(pdu);
        break;
      case command.deliverSm:
      case command.dataSm:
        this.#delivered(pdu);
        break;
      case command.genericNack:
        this.#nacked(pdu.sequence, pdu.status);
        break;
      case command.bindTransceiverResp:
      case command.bindTransmitterResp:
      case command.bindReceiverResp:
        this.#bindAnswered(pdu.status);
        break;
      case command.unbind:
        this.#leave(pdu.sequence);
        break;
      case command.unbindResp:
        this.#connection!.end('unbound');
        break;
      case command.enquireLink:
      case command.enquireLinkResp:
      case command.deliverSmResp:
      case command.querySmResp:
      case command.cancelSmResp:
      case command.submitMultiResp:
        break;
      default:
        // A request that only an SMSC accepts.
        this.#connection!.send({
          command: command.genericNack,
          status: errorCode.ESME_RINVCMDID,
          sequence: pdu.sequence,
        });
    }
  }

  #bindAnswered(status: number): void {
    clearTimeout(this.#timer);
    if (status !== 0) {
      const refusal = errorName(status);
      if (refusal !== this.#refusal) this.#log.error({ status: refusal }, 'bind refused');
      this.#refusal = refusal;
      const reason = accessErrors.has(status) ? 'access' : 'rejected';
      this.#failure = connectorFault(reason, `bind: ${refusal}`);
      this.#connection!.destroy('bind refused');
      return;
    }
    if (this.#bound || this.#stopped) return;
    this.#bound = true;
    this.#fault = undefined;
    this.#attempt = 0;
    this.#answeredAt = performance.now();
    const { enquireLinkMs, responseTimeoutMs } = this.#settings;
    this.#connection!.keepAlive(enquireLinkMs, responseTimeoutMs);
    this.#watch = setInterval(() => this.#watchAnswers(), Math.min(1_000, responseTimeoutMs / 4));
    this.#refusal = undefined;
    this.#isForeign = false;
    if (this.#outage.isOn) this.#outage.worked();
    else this.#log.info('bound');
    this.#events.bound();
  }

  #answered(pdu: MessageRespPdu): void {
    const flying = this.#land(pdu.sequence);
    const now = performance.now();
    if (flying) {
      this.#answeredAt = now;
      this.#events.answered(flying.flight, pdu.status, pdu.messageId, now - flying.since);
      return;
    }
    const late = this.#overdue.get(pdu.sequence);
    if (!late) return;
    this.#overdue.delete(pdu.sequence);
    this.#answeredAt = now;
    this.#events.late(late.flight, pdu.status, pdu.messageId);
  }

  #land(sequence: number): Flying<Flight> | undefined {
    const flying = this.#flying.remove(sequence);
    if (flying && this.#unbindSequence !== null && this.#flying.size === 0) this.#left();
    return flying;
  }

  /** A generic_nack answers a request; one for the bind ends the session. */
  #nacked(sequence: number, status: number): void {
    const flying = this.#land(sequence);
    if (flying) this.#events.answered(flying.flight, status, '', performance.now() - flying.since);
    else if (!this.#bound) this.#bindAnswered(status === 0 ? errorCode.ESME_RBINDFAIL : status);
  }

  #delivered(pdu: MessagePdu | DataPdu): void {
    const connection = this.#connection!;
    const answer = pdu.command === command.deliverSm ? command.deliverSmResp : command.dataSmResp;
    this.#events.delivery(pdu, (status) =>
      connection.send({ command: answer, status, sequence: pdu.sequence, messageId: '', tlvs: [] }),
    );
  }

  #bad(sequence: number, id: number, reason: string, fatal: boolean): void {
    const isForeign = fatal && !this.#bound;
    if (isForeign) this.#failure = connectorFault('other', `the peer does not speak SMPP (${reason})`);
    // Logged once per outage, since each attempt has the same result.
    if (!isForeign || !this.#isForeign)
      this.#log.warn({ command: `0x${id.toString(16)}`, reason, fatal }, 'bad PDU');
    this.#isForeign = isForeign;
    this.#events.badPdu();
    if (id < command.genericNack) return;
    const flying = this.#land(sequence);
    if (flying) this.#events.unreadable(flying.flight);
  }

  /**
   * Handles the SMSC's unbind: nothing more is sent. Its unbind is answered when all requests are answered, or after a
   * second, because an SMSC closes the connection on the answer.
   */
  #leave(sequence: number): void {
    this.#leaving = true;
    this.#unbindSequence = sequence;
    if (this.#flying.size === 0) this.#left();
    else this.#timer = setTimeout(() => this.#left(), unbindMs);
  }

  #left(): void {
    const connection = this.#connection!;
    clearTimeout(this.#timer);
    connection.send({ command: command.unbindResp, status: 0, sequence: this.#unbindSequence! });
    this.#unbindSequence = null;
    connection.end('unbound by the SMSC');
  }

  #watchAnswers(): void {
    const { responseTimeoutMs } = this.#settings;
    const connection = this.#connection!;
    const now = performance.now();
    for (const [sequence, flying] of this.#flying.entries()) {
      if (now - flying.since <= responseTimeoutMs) break;
      if (connection.heardAt <= flying.since) {
        connection.ask();
        break;
      }
      this.#land(sequence);
      this.#overdue.set(sequence, flying);
      this.#events.overdue(flying.flight);
    }
    for (const sequence of this.#overdue.keys()) {
      if (this.#overdue.size <= MAX_OVERDUE) break;
      this.#overdue.delete(sequence);
    }
    const [oldest] = this.#overdue.values();
    if (oldest && now - Math.max(this.#answeredAt, oldest.since) > STUCK_TIMEOUTS * responseTimeoutMs)
      connection.destroy('no request is answered');
  }

  #closed(reason: string): void {
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    const wasBound = this.#bound;
    const flying = this.#flying;
    this.#connection = null;
    this.#bound = false;
    this.#leaving = false;
    this.#unbindSequence = null;
    this.#flying = new TransientMap();
    this.#overdue.clear();
    this.#fault = this.#stopped ? undefined : (this.#failure ?? connectorFault('closed', reason));
    if (this.#stopped) this.#log.info({ reason }, 'connection closed');
    else this.#outage.failed({ reason });
    if (wasBound)
      this.#events.lost(
        reason,
        Array.from(flying.entries(), ([, { flight }]) => flight),
      );
    this.#onGone?.();
    if (!this.#stopped) this.#reconnect();
  }

  #reconnect(): void {
    const { reconnectMinMs, reconnectMaxMs } = this.#settings;
    const bound = Math.min(reconnectMaxMs, reconnectMinMs * 2 ** Math.min(this.#attempt++, 20));
    const pause = reconnectMinMs + Math.random() * (bound - reconnectMinMs);
    this.#timer = setTimeout(() => {
      this.#events.reconnecting();
      this.#connect();
    }, pause);
  }
}
