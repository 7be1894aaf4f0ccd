import { createSocket, type Socket, type SocketOptions } from 'node:dgram';
import { isIP } from 'node:net';
import { parseMessage } from './parser.ts';
import type { Flow, Peer, Transport, TransportEvents } from './transport.ts';

/** Keep-alives of the other side (RFC 5626, 4.4.1) are shorter than any message. In bytes. */
const SHORTEST = 16;

/** Returns a socket of the address's family that does no name lookup: all peers are addresses here. */
export function openSocket(address: string, options: Partial<SocketOptions> = {}): Socket {
  const family = isIP(address) === 6 ? 6 : 4;
  return createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    lookup: (host, _options, done) => done(null, host, family),
    ...options,
  });
}

/** Binds a socket. Rejects with system errors, like EADDRINUSE. */
export async function bindSocket(socket: Socket, port: number, address: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ port, address, exclusive: true }, () => {
      socket.off('error', reject);
      resolve();
    });
  });
}

/** SIP over UDP: each datagram is a message. */
export class UdpTransport implements Transport {
  readonly protocol = 'UDP';
  readonly reliable = false;
  local: Peer;
  #socket: Socket | undefined;

  /** Port 0 selects any free port. */
  constructor(local: Peer) {
    this.local = local;
  }

  async open(events: TransportEvents): Promise<void> {
    const socket = openSocket(this.local.address, { recvBufferSize: 1 << 20 });
    try {
      await bindSocket(socket, this.local.port, this.local.address);
    } catch (error) {
      socket.close();
      throw error;
    }
    // Ignore network errors of sent datagrams: transactions detect the loss by their timeouts.
    socket.on('error', () => {});
    socket.on('message', (bytes, { address, port }) => {
      if (bytes.length < SHORTEST) return;
      try {
        events.message(parseMessage(bytes), this.flowTo({ address, port }));
      } catch (error) {
        events.malformed(error as Error);
      }
    });
    this.local = { address: this.local.address, port: socket.address().port };
    this.#socket = socket;
  }

  flowTo(peer: Peer): Flow {
    return {
      peer,
      closed: false,
      send: (bytes) => this.#socket?.send(bytes, peer.port, peer.address, () => {}),
    };
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket) await new Promise<void>((resolve) => socket.close(resolve));
  }
}
