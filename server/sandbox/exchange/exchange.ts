import type { Clock } from '../../kit/clock.ts';
import { type Logger, maskNumber } from '../../kit/observability/log.ts';
import { Endpoint } from '../../protocols/sip/endpoint.ts';
import { MediaPorts } from '../../protocols/sip/media-ports.ts';
import { parseNameAddress, type SipRequest } from '../../protocols/sip/message.ts';
import { parseSdp } from '../../protocols/sip/sdp.ts';
import { sdpOf } from '../../protocols/sip/sdp-body.ts';
import type { ServerTransaction } from '../../protocols/sip/server-transaction.ts';
import { StreamTransport } from '../../protocols/sip/stream.ts';
import type { Transport } from '../../protocols/sip/transport.ts';
import { UdpTransport } from '../../protocols/sip/udp.ts';
import { hostPort, parseSipUri } from '../../protocols/sip/uri.ts';
import { lastDigits } from '../endings.ts';
import { FailsOnce } from '../inbox.ts';
import { callService, type Service } from './calling-phone.ts';
import { Guard, type GuardOptions } from './guard.ts';
import { type HeardCall, HeardCalls } from './heard-calls.ts';
import { PhoneCall } from './phone-call.ts';
import { isOverloadedFirst, simulatedOutcomeOf } from './simulated-outcomes.ts';

const HOST = '127.0.0.1';
const MEDIA_PORTS = { from: 32_768, to: 60_999 };
const RETRY_AFTER_S = 1;

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds that phones ring before they answer. */
  readonly ringMs: number;
  /** Returns the ending of a number, which decides the outcome of its calls; its last digits by default. */
  readonly endingOf?: (number: string) => string;
  /** UDP by default. */
  readonly transport?: 'udp' | 'tcp' | 'tls';
  /** PEM key and certificate for TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** If set, calls and registrations need these credentials. */
  readonly guard?: GuardOptions;
  /** 0 selects any free port. */
  readonly port?: number;
  /** T1 of RFC 3261 in milliseconds. */
  readonly t1Ms?: number;
  /** False stores no audio, for measurements. */
  readonly keepsCalls?: boolean;
  /** Called with the number of a phone when its answered call has ended and is stored. */
  readonly onHeard?: (number: string) => void;
  /** Called with the Call-ID for every audio packet that a phone receives. */
  readonly onPacket?: (callId: string) => void;
}

/** Counts since the exchange was created. */
interface ExchangeCounts {
  invites: number;
  answered: number;
  ended: number;
  registered: number;
}

/**
 * The sandbox's telephone exchange: speaks SIP and RTP on a local socket, with simulated phones. The ending of the
 * number decides the outcome of a call (simulated-outcomes.ts).
 */
export class Exchange {
  readonly counts: ExchangeCounts = { invites: 0, answered: 0, ended: 0, registered: 0 };
  readonly #options: ExchangeOptions;
  readonly #heard = new HeardCalls();
  readonly #calls = new Map<string, PhoneCall>();
  readonly #overloadedOnce = new FailsOnce();
  readonly #guard: Guard | undefined;
  #endpoint: Endpoint | undefined;
  #ports: MediaPorts | undefined;
  /** Last known address of the service. */
  #service: Service | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#guard = options.guard && new Guard(options.guard);
  }

  /** Listens on the loopback address; `uri` is for a trunk's settings. */
  async start(): Promise<{ uri: string }> {
    const { transport = 'udp', t1Ms = 500, log } = this.#options;
    this.#ports = new MediaPorts(HOST, MEDIA_PORTS);
    this.#endpoint = new Endpoint({
      transport: this.#transport(),
      t1Ms,
      onRequest: (transaction) => {
        this.#take(transaction).catch((err: unknown) => {
          log.warn({ err }, 'the exchange could not take a request');
          transaction.respond(500);
        });
      },
    });
    await this.#endpoint.open();
    return { uri: `sip:${hostPort(HOST, this.#endpoint.contact.port)};transport=${transport}` };
  }

  /** Hangs up all calls and stops listening. Recordings stay. */
  async stop(): Promise<void> {
    for (const call of [...this.#calls.values()]) call.hangUp();
    this.#ports?.close();
    await this.#endpoint?.close();
  }

  /** Returns the ended calls that the number (as dialled, without `+`) answered, oldest first. */
  calls(number: string): readonly HeardCall[] {
    return this.#heard.list(number);
  }

  /** Number of calls under way. */
  get open(): number {
    return this.#calls.size;
  }

  /** Hangs up all calls from the phones' side. */
  hangUp(): void {
    for (const call of [...this.#calls.values()]) call.hangUp();
  }

  /**
   * Calls the service from a phone, at its registered or last known address. Returns the final SIP status (408 when
   * nothing answers). Rejects when the exchange does not know the service's address.
   */
  async callIn(from: string, to: string): Promise<number> {
    const endpoint = this.#endpoint;
    if (!endpoint || !this.#service) throw new Error('the exchange does not know where the service is');
    const pair = await this.#ports!.acquire();
    try {
      return await callService(endpoint, this.#service, { from, to, port: pair.port });
    } finally {
      this.#ports!.release(pair);
    }
  }

  #transport(): Transport {
    const { transport, tls, port = 0 } = this.#options;
    const local = { address: HOST, port };
    if (transport === 'tls') {
      return new StreamTransport({
        local,
        listens: true,
        tls: { client: { ca: tls!.cert }, server: { ...tls } },
      });
    }
    return transport === 'tcp' ? new StreamTransport({ local, listens: true }) : new UdpTransport(local);
  }

  async #take(transaction: ServerTransaction): Promise<void> {
    const { request } = transaction;
    if (request.toTag !== '') {
      if (!this.#calls.get(request.callId)?.take(transaction)) transaction.respond(481);
      return;
    }
    switch (request.method) {
      case 'OPTIONS':
        this.#remember(transaction);
        transaction.respond(200);
        break;
      case 'REGISTER':
        this.#register(transaction);
        break;
      case 'INVITE':
        await this.#ring(transaction);
        break;
      default:
        transaction.respond(405);
    }
  }

  #register(transaction: ServerTransaction): void {
    if (!this.#admits(transaction)) return;
    const { headers } = transaction.request;
    const expires = headers.get('Expires') ?? '3600';
    if (expires === '0') this.#service = undefined;
    else this.#remember(transaction);
    this.counts.registered++;
    const contact = headers.list('Contact').map((one) => ['Contact', `${one};expires=${expires}`] as const);
    transaction.respond(200, { headers: contact });
  }

  #remember({ request, from }: ServerTransaction): void {
    const uri = parseNameAddress(request.headers.list('Contact')[0] ?? '')?.uri;
    if (uri !== undefined && parseSipUri(uri)) this.#service = { peer: from.peer, uri };
  }

  #admits(transaction: ServerTransaction): boolean {
    if (!this.#guard || this.#guard.admits(transaction.request)) return true;
    transaction.respond(this.#guard.status, { headers: [this.#guard.challenge()] });
    return false;
  }

  async #ring(transaction: ServerTransaction): Promise<void> {
    const { request } = transaction;
    this.counts.invites++;
    if (!this.#admits(transaction)) return;
    const number = numberOf(request);
    const ending = (this.#options.endingOf ?? lastDigits)(number);
    const outcome = simulatedOutcomeOf(ending);
    if (isOverloadedFirst(ending) && this.#overloadedOnce.isFirst(number)) {
      transaction.respond(503, { headers: [['Retry-After', String(RETRY_AFTER_S)]] });
      return;
    }
    const offer = parseSdp(sdpOf(request));
    if (outcome.kind === 'refuses') transaction.respond(outcome.status);
    else if (!offer || offer.codecs.length === 0) transaction.respond(488);
    else {
      const pair = await this.#ports!.acquire();
      const { ringMs, onPacket, clock } = this.#options;
      const at = clock.now();
      let answeredAt = at;
      let answered = 0;
      const call = new PhoneCall({
        endpoint: this.#endpoint!,
        transaction,
        pair,
        offer,
        ringMs: outcome.kind === 'rings' ? Number.POSITIVE_INFINITY : ringMs,
        hangsUpAfterMs:
          outcome.kind === 'answers'
            ? (outcome.hangsUpAfterMs ?? Number.POSITIVE_INFINITY)
            : Number.POSITIVE_INFINITY,
        onPacket,
        onAnswer: () => {
          this.counts.answered++;
          answeredAt = clock.now();
          answered = performance.now();
        },
        onEnd: (ended, recording) => {
          this.#ports!.release(pair);
          this.#calls.delete(request.callId);
          this.counts.ended++;
          if (!recording || this.#options.keepsCalls === false) return;
          const seconds = Math.round((performance.now() - answered) / 100) / 10;
          const from = digitsOf(parseNameAddress(request.headers.get('From')!)?.uri);
          this.#heard.keep(
            number,
            { id: request.callId, from, at, answeredAt, seconds, ended },
            recording.finish(),
          );
          this.#options.onHeard?.(number);
          this.#options.log.debug(
            { number: maskNumber(number), seconds, ended },
            'a simulated phone was called',
          );
        },
      });
      this.#calls.set(request.callId, call);
    }
  }
}

/** Returns the dialled number, as digits. */
function numberOf({ uri }: SipRequest): string {
  return digitsOf(uri);
}

function digitsOf(uri = ''): string {
  return (parseSipUri(uri)?.user ?? '').replace(/\D/g, '');
}
