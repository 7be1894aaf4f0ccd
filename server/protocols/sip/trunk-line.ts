import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { TlsPeer } from '../../kit/tls-faults.ts';
import type { Authenticator } from './authenticator.ts';
import { Endpoint } from './endpoint.ts';
import { type CallMedia, mediaThread } from './media-thread.ts';
import type { SipRequest } from './message.ts';
import { Registration } from './registration.ts';
import type { ServerTransaction } from './server-transaction.ts';
import { readTrunkUri, type SipTrunkSettings } from './settings.ts';
import { addressTowards, type Flow, type Peer, type Transport } from './transport.ts';
import { authenticatorOf, domainOf, optionsRequest, transportOf } from './trunk-exchange.ts';

/** Maximum milliseconds between checks of a trunk that is down; `keepAliveSeconds` may be shorter. */
const ASK_MS = 5_000;
/**
 * In units of T1: a trunk that has not answered OPTIONS by then is down. That is after four retransmissions over UDP, 4
 * s by default.
 */
const SILENT = 8;

interface TrunkLineOptions {
  readonly settings: SipTrunkSettings;
  /** Receives whether the trunk's TLS certificate was accepted. */
  readonly tlsPeer: TlsPeer;
  readonly onRequest: (transaction: ServerTransaction) => void;
  /** Whether a call with this Call-ID is under way: requests of such calls may come from any address. */
  readonly knows: (callId: string) => boolean;
  /** Called when the trunk starts or stops accepting calls, and again while it stays down. */
  readonly onChange: (reason: string) => void;
  readonly onDropped: (reason: 'malformed' | 'stranger') => void;
  /** Called when the media thread has ended; the next call starts a new one. */
  readonly onMediaFault: (error: Error) => void;
}

/**
 * An open line to a trunk: its socket, the addresses allowed on it, the reachability of the trunk, and the
 * registration.
 */
export class TrunkLine {
  readonly endpoint: Endpoint;
  /** Our address in SDP. */
  readonly mediaAddress: string;
  readonly #options: TrunkLineOptions;
  readonly #peer: Peer;
  #registration: Registration | undefined;
  /** Whether the trunk answered OPTIONS; true for a trunk that is never checked. */
  #answers: boolean;
  #timer: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #isAsking = false;
  #releaseMedia: () => void = () => {};
  #isClosed = false;

  private constructor(options: TrunkLineOptions, transport: Transport, peer: Peer, peers: BlockList) {
    const { settings, onDropped } = options;
    const family = isIP(peer.address) === 6 ? 'ipv6' : 'ipv4';
    this.#options = options;
    this.#peer = peer;
    this.#answers = settings.keepAliveSeconds === 0;
    this.mediaAddress = settings.publicAddress ?? transport.local.address;
    this.endpoint = new Endpoint({
      transport,
      t1Ms: settings.t1Ms,
      publicAddress: settings.publicAddress,
      accepts: (request: SipRequest, { address }: Peer) => {
        if (options.knows(request.callId) || peers.check(address, isIP(address) === 6 ? 'ipv6' : family))
          return true;
        onDropped('stranger');
        return false;
      },
      onRequest: options.onRequest,
      onMalformed: () => onDropped('malformed'),
    });
  }

  /** Looks up the trunk's name and opens the sockets. Rejects with system errors. */
  static async open(options: TrunkLineOptions): Promise<TrunkLine> {
    const { settings } = options;
    const trunk = readTrunkUri(settings.uri)!;
    const { address } = await lookup(trunk.host);
    const peer = { address, port: trunk.port };
    const local = {
      address: settings.localAddress ?? (await addressTowards(peer)),
      port: settings.localPort,
    };
    const peers = new BlockList();
    for (const one of [address, ...settings.peers]) {
      const [network, bits] = one.split('/');
      const family = isIP(network!) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) peers.addAddress(network!, family);
      else peers.addSubnet(network!, Number(bits), family);
    }
    const line = new TrunkLine(options, transportOf(options, trunk, local), peer, peers);
    await line.endpoint.open();
    line.#releaseMedia = mediaThread.hold(options.onMediaFault);
    if (settings.register) line.#register();
    if (settings.keepAliveSeconds > 0) void line.#ask();
    return line;
  }

  /** Whether calls can be made. */
  get up(): boolean {
    return !this.#isClosed && this.#answers && (this.#registration?.holds ?? true);
  }

  /** Domain after `@`. */
  get domain(): string {
    return domainOf(this.#options.settings);
  }

  flow(): Flow {
    return this.endpoint.transport.flowTo(this.#peer);
  }

  /** Returns an object that answers the challenges of one dialog; undefined without a user name. */
  credentials(): Authenticator | undefined {
    return authenticatorOf(this.#options.settings);
  }

  /** Opens ports for the audio of a call. Rejects like MediaThread.open. */
  openMedia(): Promise<CallMedia> {
    return mediaThread.open(this.endpoint.transport.local.address, this.#options.settings.mediaPorts);
  }

  /** Called when a call got no answer: the trunk is down until it answers OPTIONS. */
  suspect(): void {
    if (this.#options.settings.keepAliveSeconds === 0 || !this.#answers) return;
    this.#change(false, 'no answer to INVITE');
    this.check();
  }

  /** Checks immediately whether the trunk is reachable. */
  check(): void {
    if (this.#options.settings.keepAliveSeconds === 0 || this.#isAsking) return;
    clearTimeout(this.#timer);
    void this.#ask();
  }

  /** Removes the registration and closes everything. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    await this.#registration?.stop();
    this.#releaseMedia();
    await this.endpoint.close();
  }

  #register(): void {
    const { settings, onChange } = this.#options;
    this.#registration = new Registration({
      endpoint: this.endpoint,
      flow: () => this.flow(),
      credentials: this.credentials(),
      registrar: `sip:${this.domain}`,
      address: `sip:${settings.username}@${this.domain}`,
      contact: this.endpoint.contactUri(settings.username!),
      seconds: settings.registerSeconds,
      onChange: (_holds, reason) => onChange(reason),
    });
    this.#registration.start();
  }

  #change(answers: boolean, reason: string): void {
    const changed = answers !== this.#answers;
    this.#answers = answers;
    if (changed || !answers) this.#options.onChange(reason);
  }

  /** Sends OPTIONS now and repeatedly. Any answer proves that the trunk is reachable. */
  async #ask(): Promise<void> {
    const { settings } = this.#options;
    const request = optionsRequest(settings, this.endpoint);
    this.#isAsking = true;
    // A later answer still counts: the request continues until 64 × T1.
    this.#silence = setTimeout(() => this.#change(false, 'no answer to OPTIONS'), SILENT * settings.t1Ms);
    const answer = await this.endpoint.ask(
      () => request,
      () => this.flow(),
    );
    clearTimeout(this.#silence);
    this.#isAsking = false;
    if (this.#isClosed) return;
    const answered = typeof answer !== 'string';
    this.#change(answered, answered ? String(answer.status) : answer);
    const everyMs = settings.keepAliveSeconds * 1_000;
    this.#timer = setTimeout(() => void this.#ask(), answered ? everyMs : Math.min(everyMs, ASK_MS));
  }
}
