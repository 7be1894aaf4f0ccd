import type {
  CarrierListener,
  NewCarrier,
  OutgoingMessage,
  SubmitOutcome,
} from '../../engine/carriers/carrier.ts';
import { Throttle } from '../../engine/carriers/throttle.ts';
import { ReadyTimer } from '../../engine/carriers/waits.ts';
import type { Clock } from '../../kit/clock.ts';
import type { ConnectorFault } from '../../kit/connector-faults.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { status as deliveryStatus, ownCodes } from '../../kit/statuses.ts';
import { Bind, type BindEvents, type BindMode } from './bind.ts';
import { ConnectorStats } from './connector-metrics.ts';
import { Deliveries } from './deliveries.ts';
import { type ErrorMeaning, errorCode, errorName, meaningsBy } from './errors.ts';
import { Fifo } from './fifo.ts';
import type { Flight, Handing } from './flights.ts';
import { partsOf, submitPdu, ValidityPeriods } from './outgoing.ts';
import { OverdueWarning } from './overdue-warning.ts';
import { compileParameters } from './parameters.ts';
import { SenderQueue } from './sender-queue.ts';
import type { SmppConnectorSettings } from './settings.ts';

/** Multiples of `responseTimeoutMs` to wait for a late answer before the message may be sent again. */
const LATE_TIMEOUTS = 3;
/** Share of the window that messages of senders over their rate may use; the rest stays free for other senders. */
const HELD_SHARE = 0.5;

/**
 * Carrier for an SMSC. Several binds share one window and one throttle and take turns. `clock` is for validity;
 * timeouts use the machine's.
 *
 * @param settings output of `smppConnectorSettings`
 */
export class SmppConnector implements NewCarrier {
  readonly name: string;
  readonly window: number;
  readonly #settings: SmppConnectorSettings;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #stats: ConnectorStats;
  readonly #throttle: Throttle;
  readonly #overdue: OverdueWarning;
  readonly #binds: Bind<Flight>[] = [];
  readonly #meaningOf: (status: number) => ErrorMeaning;
  readonly #parametersOf: ReturnType<typeof compileParameters>;
  readonly #validity: ValidityPeriods;
  /** Parts of accepted messages that the window or the throttle holds back. */
  readonly #waiting = new Fifo<Flight>();
  /** Set if the rate of each sender is limited. */
  readonly #senders: SenderQueue<Flight> | undefined;
  #deliveries: Deliveries | null = null;
  #listener: CarrierListener | null = null;
  #inFlight = 0;
  #turn = 0;
  #stopping = false;
  #stopped: Promise<void> | undefined;
  /** Set when the dispatcher may have used up the capacity it saw: it must be notified when there is capacity again. */
  #starved = false;
  #telling = false;
  #pumpTimer: NodeJS.Timeout | undefined;
  readonly #wake = new ReadyTimer(() => this.#tell());
  #onIdle: (() => void) | null = null;
  #sampled = false;

  constructor(settings: SmppConnectorSettings, { log, clock }: { log: Logger; clock: Clock }) {
    this.name = settings.name;
    this.window = settings.window;
    this.#settings = settings;
    this.#log = log.child({ link: settings.name });
    this.#clock = clock;
    this.#stats = new ConnectorStats(settings.name);
    this.#overdue = new OverdueWarning(this.#log);
    this.#throttle = new Throttle(settings.messagesPerSecond, performance.now());
    this.#validity = new ValidityPeriods(settings.validity);
    this.#parametersOf = compileParameters(settings.parameters);
    const { senderMessagesPerSecond: perSecond } = settings;
    if (perSecond > 0)
      this.#senders = new SenderQueue(perSecond, settings.window * HELD_SHARE, (flight) => {
        this.#waiting.push(flight);
        this.#pump();
      });
    this.#meaningOf = meaningsBy(settings.errorMeanings);
    const modes: BindMode[] = settings.bindMode === 'pair' ? ['transmitter', 'receiver'] : ['transceiver'];
    for (let i = 0; i < settings.binds; i++) {
      for (const mode of modes) this.#binds.push(new Bind(settings, mode, this.#bindEvents(), this.#log));
    }
  }

  start(listener: CarrierListener): void {
    this.#listener = listener;
    this.#deliveries = new Deliveries(this.#settings, listener, this.#stats, this.#log);
    for (const bind of this.#binds) bind.start();
  }

  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  async #stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#idle(graceMs);
    clearTimeout(this.#pumpTimer);
    this.#wake.cancel();
    this.#giveBackWaiting();
    await Promise.all(this.#binds.map((bind) => bind.stop()));
    this.#stats.retire();
  }

  get up(): boolean {
    return !this.#stopping && this.#binds.some((bind) => bind.canSend);
  }

  get fault(): ConnectorFault | undefined {
    return this.up ? undefined : this.#binds.find(({ fault }) => fault)?.fault;
  }

  capacity(): number {
    const room = this.#room();
    if (room === 0) this.#starve();
    return room;
  }

  limit(perSecond: number): void {
    this.#throttle.limit(perSecond, performance.now());
    clearTimeout(this.#pumpTimer);
    this.#pumpTimer = undefined;
    this.#wake.cancel();
    this.#pumpSoon();
    this.#listener?.ready();
  }

  submit(message: OutgoingMessage<string>, settle: (outcome: SubmitOutcome) => void): void {
    const handing: Handing = { message, settle, ids: [], unanswered: 0, sent: 0 };
    if (!this.up) {
      this.#settle(handing, { kind: 'retry', code: ownCodes.down });
      return;
    }
    const parts = partsOf(message, this.#settings, this.#parametersOf(message));
    if (!parts) {
      this.#settle(handing, {
        kind: 'refused',
        status: deliveryStatus.undelivered,
        code: ownCodes.tooLong,
      });
      return;
    }
    const { source } = message;
    const until = this.#senders?.deferral(source, parts.length, performance.now(), this.#clock.now());
    if (until !== undefined) {
      this.#settle(handing, {
        ...{ kind: 'retry', code: ownCodes.senderRate },
        until: Math.min(until, message.validUntil),
      });
      return;
    }
    handing.unanswered = parts.length;
    for (let index = 0; index < parts.length; index++) {
      this.#waiting.push({ source, handing, part: parts[index]!, index });
    }
    this.#pump();
    // Also when capacity is left: the throttle may have allowed more since the dispatcher asked.
    this.#starved = true;
    if (this.#room() === 0) this.#starve();
  }

  /** Returns how many more submit_sm the window and the throttle allow. */
  #room(): number {
    if (!this.up) return 0;
    const { length } = this.#waiting;
    const free = this.#settings.window - this.#inFlight - length;
    if (free <= 0) return 0;
    return Math.max(0, Math.min(free, this.#throttle.available(performance.now()) - length));
  }

  /** Sends waiting parts, as far as the window and the throttle allow. */
  #pump(): void {
    const { window } = this.#settings;
    let now = -1;
    while (this.#waiting.length > 0 && this.#inFlight < window) {
      if (now < 0) now = performance.now();
      if (this.#throttle.available(now) < 1) {
        this.#pumpLater(this.#throttle.wait(now));
        return;
      }
      const flight = this.#waiting.peek()!;
      // Already settled: another part was rejected, or was lost with its session.
      if (flight.handing.settle === null) {
        this.#waiting.shift();
        continue;
      }
      const bind = this.#nextBind();
      if (!bind) return;
      this.#waiting.shift();
      if (this.#senders?.mayPass(flight, now) === false) continue;
      if (!this.#send(bind, flight)) continue;
      this.#throttle.take(now);
      this.#senders?.took(flight, now);
    }
    const held = this.#senders?.length ?? 0;
    if (this.#waiting.length === 0 && this.#inFlight === 0 && held === 0) this.#onIdle?.();
  }

  #pumpLater(milliseconds: number): void {
    if (this.#pumpTimer) return;
    this.#pumpTimer = setTimeout(() => {
      this.#pumpTimer = undefined;
      this.#pump();
      this.#tell();
    }, milliseconds);
  }

  #nextBind(): Bind<Flight> | null {
    const binds = this.#binds;
    for (let tried = 0; tried < binds.length; tried++) {
      this.#turn = this.#turn + 1 < binds.length ? this.#turn + 1 : 0;
      const bind = binds[this.#turn]!;
      if (bind.canSend) return bind;
    }
    return null;
  }

  #send(bind: Bind<Flight>, flight: Flight): boolean {
    const { handing, part } = flight;
    const { message } = handing;
    const now = this.#clock.now();
    if (message.validUntil <= now) {
      this.#settle(handing, { kind: 'expired' });
      return false;
    }
    const validity = this.#validity.of(message.validUntil - now, now);
    bind.request(submitPdu(message, part, validity, bind.nextSequence(), this.#settings), flight);
    handing.sent++;
    this.#inFlight++;
    this.#stats.inFlight = this.#inFlight;
    return true;
  }

  #bindEvents(): BindEvents<Flight> {
    return {
      bound: () => {
        this.#stats.boundBinds = this.#binds.filter((bind) => bind.bound).length;
        this.#pump();
        this.#listener!.ready();
      },
      lost: (_reason, flights) => this.#lost(flights),
      reconnecting: () => {
        this.#stats.reconnects++;
      },
      answered: (flight, status, messageId, flownMs) => {
        this.#landed();
        if (!this.#sampled) this.#sample(flownMs);
        this.#answered(flight, status, messageId);
        this.#pumpSoon();
      },
      unreadable: (flight) => {
        this.#landed();
        this.#settle(flight.handing, { kind: 'unknown' });
        this.#pumpSoon();
      },
      overdue: (flight) => {
        this.#landed();
        this.#stats.overdue++;
        this.#overdue.tell(this.#settings.responseTimeoutMs);
        this.#settle(flight.handing, {
          kind: 'unknown',
          afterMs: LATE_TIMEOUTS * this.#settings.responseTimeoutMs,
        });
        this.#pumpSoon();
      },
      late: (flight, status, messageId) => {
        if (this.#meaningOf(status).kind === 'accepted') this.#accepted(flight, messageId);
      },
      delivery: (pdu, respond) => this.#deliveries!.take(pdu, respond),
      badPdu: () => {
        this.#stats.badPdus++;
      },
    };
  }

  #landed(): void {
    this.#inFlight--;
    this.#stats.inFlight = this.#inFlight;
  }

  #sample(flownMs: number): void {
    this.#sampled = true;
    this.#stats.sampleLatency(flownMs);
  }

  #answered(flight: Flight, status: number, messageId: string): void {
    const { handing } = flight;
    const meaning = this.#meaningOf(status);
    if (meaning.kind === 'throttled') {
      this.#throttled(flight);
      return;
    }
    // The full queue may be that of one phone, so the message waits; the throttle counts it in its rate.
    if (status === errorCode.ESME_RMSGQFUL) this.#throttle.throttled(performance.now());
    else this.#throttle.accepted(performance.now());
    switch (meaning.kind) {
      case 'accepted':
        this.#accepted(flight, messageId);
        return;
      case 'retry':
        this.#settle(handing, { kind: 'retry', code: errorName(status), ...partialOf(handing) });
        return;
      case 'refused': {
        const partial = partialOf(handing);
        this.#settle(handing, {
          kind: 'refused',
          status: meaning.status,
          code: errorName(status),
          ...partial,
        });
        return;
      }
    }
  }

  /** Settles a message when the SMSC has accepted its last part, even if it had already been reported as unanswered. */
  #accepted({ handing, index }: Flight, messageId: string): void {
    handing.ids[index] = messageId;
    if (--handing.unanswered > 0) return;
    if (handing.settle === null) this.#listener!.late(handing.message, handing.ids);
    else this.#settle(handing, { kind: 'accepted', carrierIds: handing.ids });
  }

  /**
   * Returns the message to the dispatcher. If other parts of it were sent, this part is submitted again before all
   * waiting ones, unless the message has expired or no bind can send.
   */
  #throttled(flight: Flight): void {
    this.#stats.throttled++;
    this.#throttle.throttled(performance.now());
    const { handing } = flight;
    handing.sent--;
    if (handing.settle === null) return;
    if (handing.sent === 0 && handing.ids.length === 0) this.#settle(handing, { kind: 'again' });
    else if (handing.message.validUntil <= this.#clock.now() || !this.#mayHold())
      this.#settle(handing, { kind: 'retry', code: errorName(errorCode.ESME_RTHROTTLED) });
    else this.#waiting.putBack([flight]);
  }

  /** Whether a part that is held back can still be sent by this connector. */
  #mayHold(): boolean {
    return this.#binds.some((bind) => bind.canSend);
  }

  #lost(flights: Iterable<Flight>): void {
    for (const flight of flights) {
      this.#landed();
      this.#settle(flight.handing, { kind: 'unknown' });
    }
    this.#stats.boundBinds = this.#binds.filter((bind) => bind.bound).length;
    // Parts that were never sent return to the dispatcher, which can use another connector.
    if (!this.#mayHold()) this.#giveBackWaiting();
    this.#pump();
    this.#listener!.ready();
  }

  #giveBackWaiting(): void {
    for (const { handing } of [...this.#waiting.drain(), ...(this.#senders?.drain() ?? [])]) {
      const untouched = handing.sent === 0;
      this.#settle(handing, untouched ? { kind: 'retry', code: ownCodes.down } : { kind: 'unknown' });
    }
  }

  #settle(handing: Handing, outcome: SubmitOutcome): void {
    const { settle } = handing;
    if (settle === null) return;
    handing.settle = null;
    this.#stats.count(outcome.kind);
    settle(outcome);
  }

  #starve(): void {
    this.#starved = true;
    if (this.#wake.isSet || !this.up) return;
    const wait = this.#throttle.wait(performance.now());
    // With a full window the next answer notifies the dispatcher. Otherwise capacity has become free since it asked.
    if (wait === 0 && this.#room() === 0) return;
    this.#wake.in(wait);
  }

  /** Runs once for all answers that arrived together: sends waiting parts and notifies the dispatcher. */
  #pumpSoon(): void {
    if (this.#telling) return;
    this.#telling = true;
    setImmediate(() => {
      this.#telling = false;
      this.#sampled = false;
      this.#pump();
      this.#tell();
    });
  }

  #tell(): void {
    if (!this.#starved) return;
    if (this.#room() === 0) {
      this.#starve();
      return;
    }
    this.#starved = false;
    this.#listener?.ready();
  }

  /** Resolves when nothing is in flight, or after `graceMs`. */
  async #idle(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#pump();
    });
    await this.#deliveries?.idle(Math.max(0, deadline - performance.now()));
  }
}

/** Whether the SMSC may have other parts of a message, one part of which it did not take. */
const partialOf = ({ sent }: Handing) => sent > 1 && { isPartial: true as const };
