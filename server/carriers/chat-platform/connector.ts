import {
  type ConnectorFault,
  connectorFault,
  connectorFaultOf,
  RecentFault,
} from '../../connector-faults.ts';
import type { CarrierListener, NewCarrier, OutgoingMessage, SubmitOutcome } from '../carrier.ts';
import { Throttle } from '../throttle.ts';
import { allowedOf, ReadyTimer, untilIdle } from '../waits.ts';
import type { BusinessNumber, ChatPlatformClient } from './client.ts';
import type { PlatformReason } from './errors.ts';
import type { PlatformMessage } from './messages.ts';
import type { NotDone, SendOutcome } from './outcomes.ts';

/** How long a message waits for the platform's webhook to say that it was taken, when its answer was lost. */
const SETTLE_MS = 10_000;
/** Clients whose last message is remembered, for the pause between two to one of them. */
const CLIENTS_KEPT = 10_000;
/** Messages that wait for their client's pause, at most, before they hold up those to others. */
const MAX_WAITING = 1_000;
/** A trouble that goes on is told once in this time. */
const TELL_MS = 60_000;
/** How long a number rests when the platform is away or says that it is too fast, at least. */
const PAUSE_MS = 100;

interface ChatConnectorSettings extends BusinessNumber {
  /** 0 is no limit. */
  readonly messagesPerSecond: number;
}

export interface ChatConnectorOptions {
  /** The link's name: the number's route. */
  readonly name: string;
  readonly client: Pick<ChatPlatformClient, 'sendMessage'>;
  /**
   * Makes the platform's message of what is submitted; its `reference` is for the status webhooks. Where something has to be
   * on the platform before (a file), it is brought there, and what keeps it from that is the outcome.
   */
  readonly read: (
    message: OutgoingMessage,
    number: BusinessNumber,
    signal: AbortSignal,
  ) => PlatformMessage | Promise<PlatformMessage | NotDone>;
  /** Delivery status of a message that the platform refused. */
  readonly refusedStatus: number;
  /** Messages under way at a time, at most. */
  readonly window: number;
  /** Between two messages to one client, in milliseconds; 0 is no pause. */
  readonly clientPauseMs: number;
  /** Told when the number cannot send for a reason that somebody has to do away with, and again every minute. */
  readonly onTrouble?: (reason: PlatformReason, error?: unknown) => void;
}

/**
 * Connector for a business number. It sends at the rate allowed for the number, one message at a time to each client with a
 * pause between them, and slows down when the platform asks for it. After a lost answer it waits for a webhook: a webhook that
 * reports the message as accepted keeps it from being sent again.
 */
export class ChatConnector implements NewCarrier {
  readonly name: string;
  readonly #options: ChatConnectorOptions;
  #settings: ChatConnectorSettings;
  #throttle: Throttle;
  #listener: CarrierListener | undefined;
  /** Submitted to this link; of these wait for their client's pause, and are not sent. */
  #inFlight = 0;
  #waiting = 0;
  readonly #fault = new RecentFault();
  readonly #wake = new ReadyTimer(() => this.#listener?.ready());
  #toldAt = Number.NEGATIVE_INFINITY;
  /** Ends pauses, and requests. */
  readonly #leaving = new AbortController();
  readonly #stopped = new AbortController();
  /** When the next message may go to each client, monotonic milliseconds. */
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

  /** What waits for its client's pause was not sent, and takes no room from messages to others. */
  get window(): number {
    return this.#options.window + this.#waiting;
  }

  /** Takes changed settings of the number. A pause because of the old ones is over. */
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
    // Until the outcomes of those that were cut off are told.
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
        // A message that cannot be made keeps nobody else from being sent to.
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

  /** Milliseconds until a message may go to a client, in the order in which they were submitted. */
  #clientsTurn(client: string): number {
    const { clientPauseMs } = this.#options;
    if (clientPauseMs === 0) return 0;
    const now = performance.now();
    const turn = Math.max(now, this.#freeAt.get(client) ?? 0);
    this.#freeAt.delete(client);
    this.#freeAt.set(client, turn + clientPauseMs);
    if (this.#freeAt.size > CLIENTS_KEPT) {
      // The first is the one that was written to longest ago.
      for (const [oldest, at] of this.#freeAt) {
        if (at > now) break;
        this.#freeAt.delete(oldest);
      }
    }
    return turn - now;
  }

  /** Shorter when the link is stopped meanwhile. */
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

/** Why the platform takes nothing from the number: it is not reached, or does not accept the access token. */
function faultOf(outcome: Exclude<SendOutcome, { outcome: 'unknown' }>): ConnectorFault | undefined {
  if (outcome.outcome !== 'again') return undefined;
  const { reached, error, reason, title } = outcome;
  if (!reached) return error ? connectorFaultOf(error) : connectorFault('other', title);
  return reason === 'access' ? connectorFault('access', title) : undefined;
}
