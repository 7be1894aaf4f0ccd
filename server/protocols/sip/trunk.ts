import type {
  CarrierListener,
  CarrierReceipt,
  NewCarrier,
  OutgoingMessage,
  SubmitOutcome,
} from '../../engine/carriers/carrier.ts';
import { Throttle } from '../../engine/carriers/throttle.ts';
import { allowedOf, ReadyTimer, untilIdle } from '../../engine/carriers/waits.ts';
import { type ConnectorFault, connectorFault, connectorFaultOf } from '../../kit/connector-faults.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { Outage } from '../../kit/observability/outages.ts';
import { TlsPeer } from '../../kit/tls-faults.ts';
import { OutgoingCall } from './call.ts';
import { incomingCall } from './incoming-call.ts';
import { ALLOWED, refuseMethod } from './methods.ts';
import { callsEnded, callsHeard, callsIn, callsOpen, sipDropped, trunksUp } from './metrics.ts';
import type { SipTrunkOptions } from './options.ts';
import { type CallEnd, heardOf, treatmentOf, wordOf } from './outcomes.ts';
import type { SpokenMessage } from './prompt.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { SipTrunkSettings } from './settings.ts';
import { TrunkLine } from './trunk-line.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Milliseconds that the last messages of calls get when the service stops and hangs them up. */
const FAREWELL_MS = 1_000;
/** Minimum milliseconds between two log lines about a lasting problem. */
const TELL_MS = 60_000;

interface Handed {
  readonly message: OutgoingMessage;
  readonly settle: (outcome: SubmitOutcome) => void;
}

/** SIP statuses that reject the user name or the password. */
const ACCESS_STATUSES: ReadonlySet<string> = new Set(['401', '403', '407']);

/**
 * Connector for a SIP trunk: each message is a call, and the end of the call decides the outcome. This folder has its
 * own user agent because the npm packages are for browsers (sip.js, JsSIP: WebSocket and WebRTC only), need a separate
 * server (drachtio-srf), or have no licence and no maintainer (sip).
 */
export class SipTrunk implements NewCarrier {
  readonly name: string;
  readonly window: number;
  readonly #settings: SipTrunkSettings;
  readonly #options: SipTrunkOptions;
  readonly #log: Logger;
  readonly #tlsPeer: TlsPeer;
  readonly #throttle: Throttle;
  readonly #calls = new Map<string, OutgoingCall>();
  /** Messages whose audio is ready and that wait for the rate limit. */
  readonly #waiting: (Handed & { readonly spoken: SpokenMessage })[] = [];
  #line: TrunkLine | undefined;
  #listener: CarrierListener | undefined;
  #inFlight = 0;
  #isStopping = false;
  readonly #wake = new ReadyTimer(() => {
    this.#pump();
    this.#listener?.ready();
  });
  #reopen: NodeJS.Timeout | undefined;
  #opening: Promise<void> | undefined;
  #pause = FIRST_PAUSE_MS;
  #toldAt = Number.NEGATIVE_INFINITY;
  #wasUp = false;
  readonly #outage: Outage;
  #fault: ConnectorFault | undefined;

  /** @param settings output of `sipTrunkSettings` */
  constructor(settings: SipTrunkSettings, options: SipTrunkOptions) {
    this.name = settings.name;
    this.window = settings.callsAtOnce;
    this.#settings = settings;
    this.#options = options;
    this.#log = options.log.child({ trunk: settings.name });
    this.#tlsPeer = new TlsPeer(settings.name, this.#log);
    this.#outage = new Outage({
      kind: 'trunk',
      log: this.#log,
      gone: 'trunk unavailable',
      back: 'trunk available again',
    });
    this.#throttle = new Throttle(settings.callsPerSecond, performance.now());
    trunksUp.set({ trunk: this.name }, 0);
    callsOpen.set({ trunk: this.name }, 0);
  }

  get up(): boolean {
    return !this.#isStopping && (this.#line?.up ?? false);
  }

  get fault(): ConnectorFault | undefined {
    return this.up || this.#isStopping ? undefined : this.#fault;
  }

  /** Number of calls under way. */
  get calls(): number {
    return this.#calls.size;
  }

  start(listener: CarrierListener): void {
    this.#listener = listener;
    this.#opening = this.#open();
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#reopen);
    this.#wake.cancel();
    for (const { settle } of this.#waiting.splice(0)) this.#done(settle, { kind: 'again' });
    await this.#opening;
    await untilIdle(() => this.#inFlight, graceMs);
    for (const call of this.#calls.values()) call.hangUp();
    await untilIdle(() => this.#inFlight, FAREWELL_MS);
    for (const call of this.#calls.values()) call.abandon();
    await this.#line?.close();
    this.#line = undefined;
    this.#tellState('stopped');
  }

  capacity(): number {
    if (!this.up) return 0;
    const waiting = this.#waiting.length;
    return allowedOf(this.window - this.#inFlight, this.#throttle, this.#wake, { waiting });
  }

  limit(perSecond: number): void {
    this.#throttle.limit(perSecond, performance.now());
    this.#wake.cancel();
    this.#pump();
    this.#listener?.ready();
  }

  submit(message: OutgoingMessage, settle: (outcome: SubmitOutcome) => void): void {
    this.#inFlight++;
    void this.#options.prompt(message).then(
      (spoken) => {
        this.#waiting.push({ message, settle, spoken });
        this.#pump();
      },
      (error: unknown) => {
        this.#trouble('speech for a call not rendered', error);
        this.#done(settle, { kind: 'retry', code: 'speech' });
      },
    );
  }

  async #open(): Promise<void> {
    try {
      this.#line = await TrunkLine.open({
        settings: this.#settings,
        tlsPeer: this.#tlsPeer,
        onRequest: (transaction) => this.#take(transaction),
        knows: (callId) => this.#calls.has(callId),
        onChange: (reason) => this.#tellState(reason),
        onMediaFault: (error) => this.#trouble('the media thread has ended', error),
        onDropped: (reason) => sipDropped.inc({ trunk: this.name, reason }),
      });
      this.#pause = FIRST_PAUSE_MS;
      this.#tellState('open');
    } catch (error) {
      this.#fault = connectorFaultOf(error);
      this.#outage.failed({ err: error });
      if (this.#isStopping) return;
      this.#reopen = setTimeout(() => {
        this.#opening = this.#open();
      }, this.#pause);
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
    }
  }

  /** Starts the waiting calls, as fast as the rate limit allows. */
  #pump(): void {
    for (;;) {
      const next = this.#waiting[0];
      if (!next) return;
      if (!this.up) {
        for (const { settle } of this.#waiting.splice(0)) this.#done(settle, { kind: 'again' });
        return;
      }
      const now = performance.now();
      if (this.#throttle.available(now) < 1) {
        this.#wake.in(this.#throttle.wait(now));
        return;
      }
      this.#throttle.take(now);
      this.#waiting.shift();
      void this.#call(next);
    }
  }

  async #call({ message, settle, spoken }: Handed & { spoken: SpokenMessage }): Promise<void> {
    const line = this.#line!;
    const { callerId, assertIdentity, ringSeconds, startDelayMs, t1Ms } = this.#settings;
    const media = await line.openMedia().catch((error: unknown) => {
      this.#trouble('no ports for a call', error);
    });
    if (!media || this.#isStopping) {
      media?.close();
      this.#done(settle, this.#failed({ kind: 'failed', failure: media ? 'stopped' : 'media-ports' }));
      return;
    }
    const caller = `sip:${callerId}@${line.domain}`;
    const call = new OutgoingCall({
      endpoint: line.endpoint,
      flow: () => line.flow(),
      media,
      mediaAddress: line.mediaAddress,
      credentials: line.credentials(),
      uri: `sip:${this.#dialled(message.destination)}@${line.domain}`,
      from: `<${caller}>`,
      identity: assertIdentity ? `<${caller}>` : undefined,
      contact: line.endpoint.contactUri('carillon'),
      spoken,
      ringMs: ringSeconds * 1_000,
      startDelayMs,
      t1Ms,
      onSilent: () => line.check(),
      onEnd: (end) => {
        media.close();
        this.#calls.delete(call.callId);
        callsOpen.set({ trunk: this.name }, this.#calls.size);
        this.#end(end, message, settle);
      },
    });
    this.#calls.set(call.callId, call);
    callsOpen.set({ trunk: this.name }, this.#calls.size);
  }

  #end(end: CallEnd, { destination }: OutgoingMessage, settle: Handed['settle']): void {
    if (end.kind === 'failed') {
      this.#done(settle, this.#failed(end));
      return;
    }
    this.#throttle.accepted(performance.now());
    const { status, code } = heardOf(end);
    callsEnded.inc({ trunk: this.name, outcome: wordOf(code) });
    callsHeard.observe({ trunk: this.name }, end.heardSeconds);
    // The service itself cut off the message, so it is played again in another call.
    if (end.rounds === 0 && end.endedBy === 'us') {
      this.#done(settle, { kind: 'unknown' });
      return;
    }
    this.#done(settle, { kind: 'accepted', carrierIds: [end.callId] });
    void this.#bring({ carrierId: end.callId, status, code, destination });
  }

  #failed({ failure, retryAfterMs = 0 }: CallEnd & { kind: 'failed' }): SubmitOutcome {
    const { code, status, retryMs, disturbs, throttles } = treatmentOf(failure);
    callsEnded.inc({ trunk: this.name, outcome: wordOf(code) });
    if (throttles) this.#throttle.throttled(performance.now());
    if (failure === 'no-response' || failure === 'transport') this.#line?.suspect();
    if (failure === 'credentials') this.#trouble('the trunk refuses our credentials');
    if (retryMs === undefined) return { kind: 'refused', status, code };
    const afterMs = Math.max(retryMs, retryAfterMs);
    return { kind: 'retry', code, afterMs, ...(disturbs && { status }) };
  }

  /** Delivers a receipt, again after each failure, until it is stored. */
  async #bring(receipt: CarrierReceipt): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        await this.#listener!.receipt(receipt);
        return;
      } catch (error) {
        this.#trouble('the outcome of a call could not be stored', error);
        if (this.#isStopping) return;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  #done(settle: Handed['settle'], outcome: SubmitOutcome): void {
    this.#inFlight--;
    settle(outcome);
    this.#listener?.ready();
  }

  /** Handles a request that the other side began. */
  #take(transaction: ServerTransaction): void {
    const { request } = transaction;
    if (request.toTag !== '') {
      if (!this.#calls.get(request.callId)?.take(transaction)) transaction.respond(481);
    } else if (request.method === 'OPTIONS') {
      transaction.respond(200, { headers: [['Allow', ALLOWED]] });
    } else if (request.method === 'INVITE') {
      transaction.respond(603);
      callsIn.inc({ trunk: this.name });
      this.#options.onIncomingCall?.(incomingCall(request));
    } else {
      refuseMethod(transaction);
    }
  }

  #dialled(destination: string): string {
    const { national, numberPrefix } = this.#settings;
    if (!national || !destination.startsWith(national.prefix)) return numberPrefix + destination;
    return national.replacement + destination.slice(national.prefix.length);
  }

  #tellState(reason: string): void {
    const { up } = this;
    if (reason !== 'open') this.#fault = faultOfReason(reason);
    trunksUp.set({ trunk: this.name }, up ? 1 : 0);
    if (up && this.#outage.isOn) this.#outage.worked();
    else if (up !== this.#wasUp && (up || this.#isStopping))
      this.#log.info({ reason }, up ? 'trunk available' : 'trunk closed');
    else if (!up && !this.#isStopping && (this.#wasUp || reason !== 'open')) this.#outage.failed({ reason });
    this.#wasUp = up;
    if (!up) this.#pump();
    this.#listener?.ready();
  }

  #trouble(what: string, err?: unknown): void {
    const now = performance.now();
    if (now - this.#toldAt < TELL_MS) return;
    this.#toldAt = now;
    this.#log.warn({ err }, what);
  }
}

/** Returns the fault for the line's reason: the status of an answer, or a sentence if there was no answer. */
function faultOfReason(reason: string): ConnectorFault {
  if (ACCESS_STATUSES.has(reason)) return connectorFault('access', reason);
  if (/^\d{3}$/.test(reason)) return connectorFault('rejected', reason);
  return connectorFault(reason === 'transport' ? 'unreachable' : 'timeout', reason);
}
