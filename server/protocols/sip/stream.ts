import { connect, createServer, type Server, type Socket } from 'node:net';
import {
  type ConnectionOptions,
  connect as connectTls,
  createServer as createTlsServer,
  type TlsOptions,
} from 'node:tls';
import type { TlsPeer } from '../../kit/tls-faults.ts';
import { SipFramer } from './framing.ts';
import type { Flow, Peer, Transport, TransportEvents } from './transport.ts';
import { hostPort } from './uri.ts';

const CONNECT_MS = 10_000;
/** Maximum unsent bytes for a peer that reads nothing. */
const MAX_UNSENT = 1 << 20;
const MAX_CONNECTIONS = 1_000;
const PONG = Buffer.from('\r\n');

interface StreamOptions {
  /** Local address; with `listens` false, connections are only made and not accepted. */
  readonly local: Peer;
  readonly listens: boolean;
  /** TLS options of outgoing (`client`) and incoming (`server`) connections. */
  readonly tls?: { readonly client: ConnectionOptions; readonly server?: TlsOptions };
  /** Receives whether the other side's TLS certificate was accepted. */
  readonly peer?: TlsPeer | undefined;
}

/** SIP over TCP or TLS. Opens connections when needed, keeps them open, and uses them in both directions. */
export class StreamTransport implements Transport {
  readonly protocol: 'TCP' | 'TLS';
  readonly reliable = true;
  local: Peer;
  readonly #options: StreamOptions;
  readonly #flows = new Map<string, Connection>();
  #server: Server | undefined;
  #events: TransportEvents | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.protocol = options.tls ? 'TLS' : 'TCP';
    this.local = options.local;
  }

  async open(events: TransportEvents): Promise<void> {
    this.#events = events;
    const { listens, tls } = this.#options;
    if (!listens) return;
    const take = (socket: Socket) => this.#take(socket);
    const server = tls ? createTlsServer(tls.server ?? {}, take) : createServer(take);
    server.maxConnections = MAX_CONNECTIONS;
    // A failed handshake.
    server.on('tlsClientError', (error: Error) => events.malformed(error));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // The processes of a group would share it otherwise (node:cluster).
      server.listen({ port: this.local.port, host: this.local.address, exclusive: true }, resolve);
    });
    server.on('error', () => {});
    this.#server = server;
    this.local = { ...this.local, port: (server.address() as { port: number }).port };
  }

  flowTo(peer: Peer): Flow {
    const known = this.#flows.get(hostPort(peer.address, peer.port));
    if (known && !known.closed) return known;
    const { tls, local } = this.#options;
    const to = { host: peer.address, port: peer.port, localAddress: local.address };
    const secured = tls && connectTls({ ...tls.client, ...to });
    if (secured) this.#options.peer?.watch(secured);
    const socket = secured ?? connect(to);
    const timer = setTimeout(() => socket.destroy(), CONNECT_MS);
    socket.once(tls ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
    return this.#follow(socket, peer);
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    for (const flow of this.#flows.values()) flow.end();
    await closed;
  }

  #take(socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress === undefined || remotePort === undefined) socket.destroy();
    else this.#follow(socket, { address: remoteAddress, port: remotePort });
  }

  #follow(socket: Socket, peer: Peer): Flow {
    const events = this.#events!;
    const flow = new Connection(socket, peer);
    const key = hostPort(peer.address, peer.port);
    this.#flows.set(key, flow);
    const framer = new SipFramer();
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 30_000);
    socket.on('data', (bytes) => {
      try {
        for (const message of framer.push(bytes, () => flow.send(PONG))) events.message(message, flow);
      } catch (error) {
        socket.destroy();
        events.malformed(error as Error);
      }
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      if (this.#flows.get(key) === flow) this.#flows.delete(key);
      events.closed(flow);
    });
    return flow;
  }
}

class Connection implements Flow {
  readonly peer: Peer;
  readonly #socket: Socket;

  constructor(socket: Socket, peer: Peer) {
    this.#socket = socket;
    this.peer = peer;
  }

  get closed(): boolean {
    return this.#socket.destroyed || !this.#socket.writable;
  }

  send(bytes: Buffer): void {
    if (this.closed) return;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > MAX_UNSENT) this.#socket.destroy();
  }

  /** Closes after the written bytes have been sent. */
  end(): void {
    this.#socket.destroySoon();
  }
}
