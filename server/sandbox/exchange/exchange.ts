import { Endpoint } from '../../carriers/sip/endpoint.ts';
import { MediaPorts } from '../../carriers/sip/media-ports.ts';
import { parseNameAddress, type SipRequest } from '../../carriers/sip/message.ts';
import { parseSdp } from '../../carriers/sip/sdp.ts';
import { sdpOf } from '../../carriers/sip/sdp-body.ts';
import type { ServerTransaction } from '../../carriers/sip/server-transaction.ts';
import { StreamTransport } from '../../carriers/sip/stream.ts';
import type { Transport } from '../../carriers/sip/transport.ts';
import { UdpTransport } from '../../carriers/sip/udp.ts';
import { hostPort, parseSipUri } from '../../carriers/sip/uri.ts';
import type { Clock } from '../../clock.ts';
import { type Logger, maskNumber } from '../../observability/log.ts';
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
  /** How long phones ring before they are answered, in milliseconds. */
  readonly ringMs: number;
  /** The ending of a number, which its calls go by; its last digits by default. */
  readonly endingOf?: (number: string) => string;
  /** UDP when left out. */
  readonly transport?: 'udp' | 'tcp' | 'tls';
  /** PEM key and certificate for TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Calls and registrations are let in with these credentials only. */
  readonly guard?: GuardOptions;
  /** 0 is any free port. */
  readonly port?: number;
  /** T1 of RFC 3261. */
  readonly t1Ms?: number;
  /** False forgets what was heard, for measuring. */
  readonly keepsCalls?: boolean;
  /** Told the number of a phone that answered a call, when that is over and kept. */
  readonly onHeard?: (number: string) => void;
  /** Told of every packet of audio that a phone gets, by the Call-ID. */
  readonly onPacket?: (callId: string) => void;
}

/** What the exchange has seen since it was created. */
interface ExchangeCounts {
  invites: number;
  answered: number;
  ended: number;
  registered: number;
}

/**
 * The sandbox's telephone exchange: speaks SIP and RTP on a socket of this machine, with simulated phones behind it.
 * The outcome of a call is told by the ending of its number (simulated-outcomes.ts).
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
  /** Where the service was last heard of. */
  #service: Service | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#guard = options.guard && new Guard(options.guard);
  }

  /** Listens on the loopback address; `uri` is what a trunk's settings take. */
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

  /** Hangs up everywhere and stops listening. What phones have heard stays. */
  async stop(): Promise<void> {
    for (const call of [...this.#calls.values()]) call.hangUp();
    this.#ports?.close();
    await this.#endpoint?.close();
  }

  /** Calls that the number (as it was dialled, without `+`) answered and that are over, oldest first. */
  calls(number: string): readonly HeardCall[] {
    return this.#heard.list(number);
  }

  /** Calls under way. */
  get open(): number {
    return this.#calls.size;
  }

  /** Every phone that is in a call hangs up. */
  hangUp(): void {
    for (const call of [...this.#calls.values()]) call.hangUp();
  }

  /**
   * A phone calls the service, where it has registered or was last heard of: the final SIP status (408 when nothing answers).
   * Throws when the exchange has never heard of it.
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

/** The number that was dialled, as digits. */
function numberOf({ uri }: SipRequest): string {
  return digitsOf(uri);
}

function digitsOf(uri = ''): string {
  return (parseSipUri(uri)?.user ?? '').replace(/\D/g, '');
}
