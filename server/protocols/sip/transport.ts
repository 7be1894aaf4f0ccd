import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import type { SipMessage } from './message.ts';

/** An address and a port. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** A path to one peer: a connection, or a destination of datagrams. */
export interface Flow {
  readonly peer: Peer;
  /** The connection has ended, or was never established. */
  readonly closed: boolean;
  /** Never throws. Bytes that cannot be sent are lost; a lost connection sets `closed`. */
  send(bytes: Buffer): void;
}

/** Receives the events of a transport. */
export interface TransportEvents {
  message(message: SipMessage, flow: Flow): void;
  /** Called when a connection has ended: no more messages arrive on it. */
  closed(flow: Flow): void;
  /** Called when a message is not valid SIP; it was dropped, together with its connection if it had one. */
  malformed(error: Error): void;
}

/** The transport layer (RFC 3261, 18) for one protocol. */
export interface Transport {
  /** Name in Via. */
  readonly protocol: 'UDP' | 'TCP' | 'TLS';
  /** Whether the transport delivers all bytes or closes the flow, so that nothing needs retransmission. */
  readonly reliable: boolean;
  /** Our address as the peer sees it; valid after `open`. */
  readonly local: Peer;
  /** Opens the transport. Rejects when the address or the port cannot be used. */
  open(events: TransportEvents): Promise<void>;
  /** Returns a flow to a peer: the open connection, if one exists. */
  flowTo(peer: Peer): Flow;
  close(): Promise<void>;
}

/** Returns the local source address of packets to `peer`. */
export async function addressTowards(peer: Peer): Promise<string> {
  const socket = createSocket(isIP(peer.address) === 6 ? 'udp6' : 'udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      // Sends nothing: it only looks up the route.
      socket.connect(peer.port, peer.address, resolve);
    });
    return socket.address().address;
  } finally {
    socket.close();
  }
}
