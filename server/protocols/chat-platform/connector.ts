import type {
  CarrierListener,
  NewCarrier,
  OutgoingMessage,
  SubmitOutcome,
} from '../../engine/carriers/carrier.ts';
import { Throttle } from '../../engine/carriers/throttle.ts';
import { allowedOf, ReadyTimer, untilIdle } from '../../engine/carriers/waits.ts';
import {
  type ConnectorFault,
  connectorFault,
  connectorFaultOf,
  RecentFault,
} from '../../kit/connector-faults.ts';
import type { BusinessNumber, ChatPlatformClient } from './client.ts';
import type { PlatformReason } from './errors.ts';
import type { PlatformMessage } from './messages.ts';
import type { NotDone, SendOutcome } from './outcomes.ts';

/** Milliseconds that a message whose answer was lost waits for the webhook that confirms its acceptance. */
const SETTLE_MS = 10_000;
/** Maximum number of clients whose last message time is kept, for the pause between two messages to one client. */
const CLIENTS_KEPT = 10_000;
/** Maximum number of messages waiting for their client's pause before messages to other clients are held up too. */
const MAX_WAITING = 1_000;
/** Minimum milliseconds between two reports of a lasting problem. */
const TELL_MS = 60_000;
/** Minimum pause of a number, in milliseconds, when the platform is unreachable or throttles it. */
const PAUSE_MS = 100;

interface ChatConnectorSettings extends BusinessNumber {
  /** 0 means no limit. */
  readonly messagesPerSecond: number;
}

export interface ChatConnectorOptions {
  /** Name of the connector: the route of the number. */
  readonly name: string;
  readonly client: Pick<ChatPlatformClient, 'sendMessage'>;
  /**
   * Converts a submitted message to the platform's format; its `reference` identifies it in status webhooks. First
   * uploads a file that the message needs; if that fails, returns the outcome of the failure.
   */
  readonly read: (
    message: OutgoingMessage,
    number: BusinessNumber,
    signal: AbortSignal,
  ) => PlatformMessage | Promise<PlatformMessage | NotDone>;
  /** Delivery status of a message that the platform rejected. */
  readonly refusedStatus: number;
  /** Maximum number of messages under way. */
  readonly window: number;
  /** Milliseconds between two messages to one client; 0 means no pause. */
  readonly clientPauseMs: number;
  /** Called when the number cannot send for a reason that somebody must fix, and every minute while it lasts. */
  readonly onTrouble?: (reason: PlatformReason, error?: unknown) => void;
}

/**
 * Connector for a business number. It sends at the rate allowed for the number, one message at a time to each client
 * with a pause between them, and slows down when the platform asks for it. After a lost answer it waits for a webhook:
 * if a webhook reports the message as accepted, the message is not sent again.
 */
export class ChatConnector implements NewCarrier {
  readonly name: string;
  readonly #options: ChatConnectorOptions;
  #settings: ChatConnectorSettings;
  #throttle: Throttle;
  #listener: CarrierListener | undefined;
  /** Messages submitted to this connector. `#waiting` of them wait for their client's pause and have not been sent. */
  #inFlight = 0;
  #waiting = 0;
  readonly #fault = new RecentFault();
  readonly #wake = new ReadyTimer(() => this.#listener?.ready());
  #toldAt = Number.NEGATIVE_INFINITY;
  /** Aborts pauses and requests. */
  readonly #leaving = new AbortController();
  readonly #stopped = new AbortController();
  /** Earliest time of the next message to each client, in monotonic milliseconds. */
  readonly #freeAt = new Map<string, number>();

  constructor(settings: ChatConnectorSettings, options: ChatConnectorOptions) {
    this.#settings = settings;
    this.#options = options;
    this.name = options.name;
    this.#throttle = new Throttle(settings.messagesPerSecond, performance.now());
  }

  get up(): boolean {
    return this.#listener !== undefined;
  }

  get fault(): ConnectorFault | undefined {
    return this.#fault.current;
  }

  /** Messages waiting for their client's pause have not been sent, so they take no capacity from messages to others. */
  get window(): number {
    return this.#options.window + this.#waiting;
  }

  /** Applies changed settings of the number. Ends a pause that the old settings caused. */
  update(settings: ChatConnectorSettings): void {
    const { messagesPerSecond, phoneNumberId, token } = this.#settings;
    if (
      settings.messagesPerSecond !== messagesPerSecond ||
      settings.phoneNumberId !== phoneNumberId ||
      settings.token !== token
    ) {
      this.#throttle = new Throttle(settings.messagesPerSecond, performance.now());
    }
    this.#settings = settings;
  }

  start(listener: CarrierListener): void {
    this.#listener = listener;
    listener.ready();
  }

  async stop(graceMs: number): Promise<void> {
    this.#listener = undefined;
    this.#wake.cancel();
    this.#leaving.abort();
    await untilIdle(() => this.#inFlight, graceMs);
    this.#stopped.abort();
    // Wait until the outcomes of the aborted requests are reported.
    while (this.#inFlight > 0) await new Promise(setImmediate);
  }

  capacity(): number {
    if (!this.up || this.#waiting >= MAX_WAITING) return 0;
    return allowedOf(this.window - this.#inFlight, this.#throttle, this.#wake);
  }

  submit(message: OutgoingMessage, settle: (outcome: SubmitOutcome) => void): void {
    this.#inFlight++;
    const turn = this.#clientsTurn(message.destination);
    if (turn === 0) this.#throttle.take(performance.now());
    void this.#send(message, turn)
      .catch((error: unknown): SubmitOutcome => {
        // A message that cannot be encoded must not stop messages to others.
        this.#options.onTrouble?.('request', error);
        return { kind: 'refused', status: this.#options.refusedStatus, code: 'request' };
      })
      .then((outcome) => {
        this.#inFlight--;
        settle(outcome);
        this.#listener?.ready();
      });
  }

  async #send(message: OutgoingMessage, turn: number): Promise<SubmitOutcome> {
    if (turn > 0) {
      this.#waiting++;
      await this.#pause(turn);
      this.#waiting--;
      this.#throttle.take(performance.now());
    }
    if (this.#leaving.signal.aborted) return { kind: 'again' };
    const { client, read } = this.#options;
    const { signal } = this.#stopped;
    const made = await read(message, this.#settings, signal);
    if ('outcome' in made) {
      return made.outcome === 'unknown' ? { kind: 'retry', code: 'platform' } : this.#judge(made);
    }
    const outcome = await client.sendMessage(this.#settings, made, signal);
    if (outcome.outcome === 'unknown') {
      const began = performance.now();
      await this.#pause(SETTLE_MS);
      return {
        kind: 'unknown',
        afterMs: Math.max(0, Math.ceil(SETTLE_MS - (performance.now() - began))),
      };
    }
    return this.#judge(outcome);
  }

  #judge(outcome: Exclude<SendOutcome, { outcome: 'unknown' }>): SubmitOutcome {
    const fault = faultOf(outcome);
    if (fault) this.#fault.failed(fault);
    else this.#fault.worked();
    if (outcome.outcome !== 'again') this.#throttle.accepted(performance.now());
    switch (outcome.outcome) {
      case 'accepted':
        return { kind: 'accepted', carrierIds: [outcome.platformId] };
      case 'refused':
        return { kind: 'refused', status: this.#options.refusedStatus, code: outcome.reason };
      case 'again':
        if (outcome.throttled || !outcome.reached || outcome.reason === 'access') {
          if (outcome.reason === 'access') this.#tell(outcome.reason);
          this.#throttle.throttled(performance.now(), outcome.afterMs ?? PAUSE_MS);
          return { kind: 'again' };
        }
        return { kind: 'retry', code: outcome.reason };
    }
  }

  #tell(reason: PlatformReason): void {
    const now = performance.now();
    if (now - this.#toldAt < TELL_MS) return;
    this.#toldAt = now;
    this.#options.onTrouble?.(reason);
  }

  /** Returns the milliseconds until this message may go to the client. Messages to one client keep their order. */
  #clientsTurn(client: string): number {
    const { clientPauseMs } = this.#options;
    if (clientPauseMs === 0) return 0;
    const now = performance.now();
    const turn = Math.max(now, this.#freeAt.get(client) ?? 0);
    this.#freeAt.delete(client);
    this.#freeAt.set(client, turn + clientPauseMs);
    if (this.#freeAt.size > CLIENTS_KEPT) {
      // The map is ordered by time; its first entry is the oldest.
      for (const [oldest, at] of this.#freeAt) {
        if (at > now) break;
        this.#freeAt.delete(oldest);
      }
    }
    return turn - now;
  }

  /** Resolves after this time, or as soon as the connector is stopped. */
  #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#leaving;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}

/** Returns why the platform accepts nothing from the number: unreachable, or the access token is rejected. */
function faultOf(outcome: Exclude<SendOutcome, { outcome: 'unknown' }>): ConnectorFault | undefined {
  if (outcome.outcome !== 'again') return undefined;
  const { reached, error, reason, title } = outcome;
  if (!reached) return error ? connectorFaultOf(error) : connectorFault('other', title);
  return reason === 'access' ? connectorFault('access', title) : undefined;
}
