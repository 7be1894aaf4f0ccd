import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Logger } from '../../kit/observability/log.ts';
import { joinParts } from '../../kit/text/charsets.ts';
import { messageStates } from '../../protocols/smpp/commands.ts';
import { errorCode } from '../../protocols/smpp/errors.ts';
import { Fifo } from '../../protocols/smpp/fifo.ts';
import { contentOf, readIncoming } from '../../protocols/smpp/incoming.ts';
import { defaultPartSettings, type Part, partsOf } from '../../protocols/smpp/outgoing.ts';
import type { DataPdu, MessagePdu } from '../../protocols/smpp/pdu.ts';
import { lastDigits } from '../endings.ts';
import { FailsOnce } from '../inbox.ts';
import type { Delivery } from './deliveries.ts';
import {
  defaultBehaviour,
  type SandboxBehaviour,
  type SandboxSmscOptions,
  type SandboxSubmit,
  spellId,
} from './options.ts';
import { Outbox } from './outbox.ts';
import { Phones } from './phones.ts';
import { Session, type SessionOwner } from './session.ts';
import { isThrottledFirst, type SimulatedOutcome, simulatedOutcomeOf } from './simulated-outcomes.ts';

/** Counts since the SMSC was created. */
interface SandboxCounts {
  submitted: number;
  accepted: number;
  throttled: number;
  refused: number;
  deliveriesSent: number;
  deliveriesAcknowledged: number;
}

/** A message under way in the network. */
interface InTransit {
  readonly dueAt: number;
  readonly systemId: string;
  readonly id: number;
  readonly from: string;
  readonly to: string;
  readonly submittedAt: number;
  readonly wantsReceipt: boolean;
  readonly receiptDone: boolean;
  /** Null when texts are not stored. */
  readonly pdu: MessagePdu | DataPdu | null;
}

/** Messages due within this many milliseconds are handled together. */
const tickMs = 5;
const statesByName: ReadonlyMap<string, number> = new Map(
  messageStates.map(([state, name]) => [name, state]),
);

/**
 * The sandbox's network: an SMSC that speaks SMPP 3.4 on a socket, with simulated phones. The ending of the number
 * (simulated-outcomes.ts) and `behaviour` decide the outcome of a message.
 */
export class SandboxSmsc implements SessionOwner {
  readonly phones = new Phones();
  readonly log: Logger;
  readonly counts: SandboxCounts = {
    submitted: 0,
    accepted: 0,
    throttled: 0,
    refused: 0,
    deliveriesSent: 0,
    deliveriesAcknowledged: 0,
  };
  behaviour: SandboxBehaviour;
  readonly #options: SandboxSmscOptions;
  readonly #sessions = new Set<Session>();
  readonly #receivers = new Map<string, Session[]>();
  readonly #outboxes = new Map<string, Outbox>();
  readonly #transit = new Fifo<InTransit>();
  readonly #throttledOnce = new FailsOnce();
  readonly #delayed = new Map<NodeJS.Timeout, () => void>();
  #server: Server | null = null;
  #transitTimer: NodeJS.Timeout | undefined;
  #overdueTimer: NodeJS.Timeout | undefined;
  #lastId: number;
  #lastPhoneId = 0;
  #second = { number: 0, count: 0 };

  constructor(options: SandboxSmscOptions) {
    const { accounts: _accounts, log, clock, tls: _tls, accountOf: _accountOf, ...behaviour } = options;
    this.#options = options;
    this.log = log;
    this.behaviour = { ...defaultBehaviour, ...behaviour };
    // Ids start from the time, so that those of two runs over one database differ. They stay under 2^53 until 2255.
    this.#lastId = clock.now() * 1000;
  }

  /** Changes the network's behaviour. */
  change(behaviour: Partial<SandboxBehaviour>): void {
    this.behaviour = { ...this.behaviour, ...behaviour };
  }

  /** Listens (port 0: any free port) and returns the port. May be called again after `close`. */
  async listen(port: number, host = '127.0.0.1'): Promise<number> {
    const { tls } = this.#options;
    const onSocket = (socket: Socket) => {
      this.#sessions.add(new Session(socket, this));
    };
    const server = tls ? createTlsServer({ ...tls }, onSocket) : createServer(onSocket);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // The processes of a group would share it otherwise (node:cluster).
      server.listen({ port, host, exclusive: true }, resolve);
    });
    this.#server = server;
    if (this.#transit.length > 0) this.#transitTimer = setTimeout(() => this.#arrive(), tickMs);
    this.#overdueTimer = setInterval(() => this.#redeliverOverdue(), 250);
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  /** Stops listening and cuts all connections. Messages under way and those on phones are kept. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    clearTimeout(this.#transitTimer);
    this.#transitTimer = undefined;
    clearInterval(this.#overdueTimer);
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.disconnect();
    await closed;
    // Deliveries scheduled for a retry return to their outbox; delayed answers have no connection left.
    for (const [timer, work] of this.#delayed) {
      clearTimeout(timer);
      work();
    }
    this.#delayed.clear();
  }

  /** Cuts all connections, and continues to listen. */
  disconnect(): void {
    for (const session of this.#sessions) session.connection.destroy('cut');
  }

  /** Asks all bound sessions to unbind. */
  unbindAll(): void {
    for (const session of this.#sessions) session.unbind();
  }

  /** Number of bound sessions. */
  get boundSessions(): number {
    return [...this.#sessions].filter((session) => session.canSubmit || session.canReceive).length;
  }

  /** Number of receipts and phones' messages that wait for a receiver, without those being sent. */
  get waitingDeliveries(): number {
    let sum = 0;
    for (const outbox of this.#outboxes.values()) sum += outbox.length;
    return sum;
  }

  /**
   * Sends an SMS from a phone; long texts have several parts. `from` and `to` are digits. Returns the SMS's id in the
   * sandbox. Throws RangeError when it would need over 255 parts.
   */
  sendFromPhone(sms: { from: string; to: string; text: string }): { id: string } {
    const number = ++this.#lastPhoneId;
    const parts = partsOf({ id: number, payload: sms.text }, defaultPartSettings);
    if (!parts) throw new RangeError('text over 255 parts');
    const systemId = this.#options.accountOf?.(sms.to) ?? Object.keys(this.#options.accounts)[0]!;
    for (const part of parts) this.#bring(systemId, { kind: 'phone', from: sms.from, to: sms.to, part });
    const id = `mo-${number}`;
    const at = new Date(this.#options.clock.now()).toISOString();
    this.phones.keepSent(sms.from, { id, to: sms.to, text: sms.text, at });
    return { id };
  }

  /** Sends parts as any phone may write them: in any coding, split anywhere. `from` and `to` are digits. */
  sendPartsFromPhone(systemId: string, from: string, to: string, parts: readonly Part[]): void {
    for (const part of parts) this.#bring(systemId, { kind: 'phone', from, to, part });
  }

  /** Sends any receipt, also for ids that the ESME never received and for states that no ending produces. */
  sendReceipt(
    systemId: string,
    receipt: { id: string; from: string; to: string; stat: string; error?: string },
  ): void {
    const now = this.#options.clock.now();
    const state = statesByName.get(receipt.stat) ?? 7;
    const { error = '000' } = receipt;
    this.#bring(systemId, { ...receipt, kind: 'receipt', error, state, submittedAt: now, doneAt: now });
  }

  admit(systemId: string, password: string): number {
    const { accounts } = this.#options;
    if (!Object.hasOwn(accounts, systemId)) return errorCode.ESME_RINVSYSID;
    return accounts[systemId] === password ? 0 : errorCode.ESME_RINVPASWD;
  }

  bound(session: Session): void {
    if (!session.canReceive) return;
    const receivers = this.#receivers.get(session.systemId) ?? [];
    receivers.push(session);
    this.#receivers.set(session.systemId, receivers);
    this.#pump(session.systemId);
  }

  closed(session: Session): void {
    this.#sessions.delete(session);
    const receivers = this.#receivers.get(session.systemId);
    if (!receivers) return;
    this.#receivers.set(
      session.systemId,
      receivers.filter((receiver) => receiver !== session),
    );
    this.#pump(session.systemId);
  }

  acknowledged(session: Session, _delivery: Delivery): void {
    this.counts.deliveriesAcknowledged++;
    this.#pump(session.systemId);
  }

  undelivered(session: Session, deliveries: Delivery[], atOnce: boolean): void {
    if (deliveries.length === 0) return;
    const { systemId } = session;
    if (atOnce) {
      this.#outboxOf(systemId).putBack(deliveries);
      return;
    }
    this.#later(this.behaviour.redeliverMs, () => {
      this.#outboxOf(systemId).putBack(deliveries);
      this.#pump(systemId);
    });
  }

  submitted(session: Session, pdu: MessagePdu | DataPdu): void {
    this.counts.submitted++;
    const { behaviour } = this;
    const id = ++this.#lastId;
    const hooked =
      behaviour.onSubmit !== null ||
      behaviour.answerStatus !== null ||
      typeof behaviour.answerDelayMs === 'function';
    const submit = hooked ? this.#describe(session, pdu, id) : null;
    const status = this.#statusFor(pdu, submit);
    if (status === 0) {
      this.counts.accepted++;
      if (submit) behaviour.onSubmit?.(submit);
      this.#accept(session, pdu, id);
    } else if (status === errorCode.ESME_RTHROTTLED) {
      this.counts.throttled++;
    } else {
      this.counts.refused++;
    }
    const { answerDelayMs } = behaviour;
    const delay = typeof answerDelayMs === 'function' ? answerDelayMs(submit!) : answerDelayMs;
    const answer = () => session.answer(pdu, status, status === 0 ? spellId(id, behaviour.answerIds) : '');
    if (delay === 0) answer();
    else if (delay !== Number.POSITIVE_INFINITY) this.#later(delay, answer);
  }

  #statusFor(pdu: MessagePdu | DataPdu, submit: SandboxSubmit | null): number {
    const asked = submit && this.behaviour.answerStatus?.(submit);
    if (asked) return asked;
    if (this.#isOverRate()) return errorCode.ESME_RTHROTTLED;
    if (isThrottledFirst(this.#endingOf(pdu.destination)) && this.#isFirstTry(pdu))
      return errorCode.ESME_RTHROTTLED;
    return 0;
  }

  #endingOf(number: string): string {
    return (this.#options.endingOf ?? lastDigits)(number);
  }

  #isOverRate(): boolean {
    const { messagesPerSecond } = this.behaviour;
    if (messagesPerSecond === 0) return false;
    const number = Math.floor(performance.now() / 1000);
    if (number !== this.#second.number) this.#second = { number, count: 0 };
    return ++this.#second.count > messagesPerSecond;
  }

  /** Identifies a message by its addresses and its octets, which only a retry repeats. */
  #isFirstTry(pdu: MessagePdu | DataPdu): boolean {
    const octets = Buffer.from(contentOf(pdu)).toString('base64');
    const key = `${pdu.source}\n${pdu.destination}\n${octets}`;
    return this.#throttledOnce.isFirst(key);
  }

  #accept(session: Session, pdu: MessagePdu | DataPdu, id: number): void {
    const { behaviour } = this;
    const now = this.#options.clock.now();
    const message: InTransit = {
      dueAt: performance.now() + behaviour.receiptDelayMs,
      systemId: session.systemId,
      id,
      from: pdu.source,
      to: pdu.destination,
      submittedAt: now,
      wantsReceipt: (pdu.registeredDelivery & 3) !== 0,
      receiptDone: behaviour.earlyReceipts,
      pdu: behaviour.keepTexts ? pdu : null,
    };
    if (behaviour.earlyReceipts) this.#bringReceipt(message, simulatedOutcomeOf(this.#endingOf(message.to)));
    this.#transit.push(message);
    this.#transitTimer ??= setTimeout(() => this.#arrive(), behaviour.receiptDelayMs);
  }

  /** Delivers due messages to their phones, and their receipts to the ESME. */
  #arrive(): void {
    const until = performance.now() + tickMs;
    const due: InTransit[] = [];
    while (this.#transit.length > 0 && this.#transit.peek()!.dueAt <= until) due.push(this.#transit.shift()!);
    if (this.behaviour.reversedReceipts) due.reverse();
    for (const message of due) {
      const outcome = simulatedOutcomeOf(this.#endingOf(message.to));
      if (outcome.stat === 'DELIVRD') {
        this.phones.parts++;
        if (message.pdu) this.phones.receive(message.pdu, message.id.toString(), this.#options.clock.now());
      }
      if (!message.receiptDone) this.#bringReceipt(message, outcome);
    }
    const next = this.#transit.peek();
    this.#transitTimer = next && setTimeout(() => this.#arrive(), Math.max(tickMs, next.dueAt - until));
  }

  #bringReceipt(message: InTransit, outcome: SimulatedOutcome): void {
    if (!message.wantsReceipt || !outcome.hasReceipt) return;
    const { receiptIds, receiptCopies } = this.behaviour;
    const { from, to, submittedAt, systemId } = message;
    const { stat, error, state } = outcome;
    const id = spellId(message.id, receiptIds);
    const doneAt = this.#options.clock.now();
    for (let copy = 0; copy < receiptCopies; copy++)
      this.#bring(systemId, { kind: 'receipt', id, from, to, stat, error, state, submittedAt, doneAt });
  }

  #bring(systemId: string, delivery: Delivery): void {
    this.#outboxOf(systemId).add(delivery);
    this.#pump(systemId);
  }

  #pump(systemId: string): void {
    const receivers = this.#receivers.get(systemId);
    if (receivers) this.counts.deliveriesSent += this.#outboxOf(systemId).pump(receivers);
  }

  #outboxOf(systemId: string): Outbox {
    let outbox = this.#outboxes.get(systemId);
    if (!outbox) {
      outbox = new Outbox();
      this.#outboxes.set(systemId, outbox);
    }
    return outbox;
  }

  #redeliverOverdue(): void {
    const before = performance.now() - this.behaviour.deliverTimeoutMs;
    for (const session of this.#sessions) {
      const overdue = session.takeOverdue(before);
      if (overdue.length === 0) continue;
      this.undelivered(session, overdue, true);
      this.#pump(session.systemId);
    }
  }

  #describe(session: Session, pdu: MessagePdu | DataPdu, id: number): SandboxSubmit {
    const incoming = readIncoming(pdu, 'gsm');
    const { text } = incoming.kind === 'whole' ? incoming.message : joinParts([incoming.part]);
    return {
      systemId: session.systemId,
      id,
      from: pdu.source,
      to: pdu.destination,
      text,
      at: this.#options.clock.now(),
      validityPeriod: 'validityPeriod' in pdu ? pdu.validityPeriod : '',
      dataCoding: pdu.dataCoding,
      // Their octets are views on the buffer of the connection.
      tlvs: pdu.tlvs.map(({ tag, value }) => ({ tag, value: Buffer.from(value) })),
    };
  }

  #later(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#delayed.delete(timer);
      work();
    }, milliseconds);
    this.#delayed.set(timer, work);
  }
}
