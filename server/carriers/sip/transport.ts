import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import type { SipMessage } from './message.ts';

/** An address and a port. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** A way to one peer: a connection, or where datagrams go. */
export interface Flow {
  readonly peer: Peer;
  /** A connection that is over, or was never made. */
  readonly closed: boolean;
  /** Never throws; what cannot be sent is lost, and a connection that is lost tells so by `closed`. */
  send(bytes: Buffer): void;
}

/** Who hears of what a transport brings. */
export interface TransportEvents {
  message(message: SipMessage, flow: Flow): void;
  /** A connection has ended: nothing more comes over it. */
  closed(flow: Flow): void;
  /** Something came that is no SIP message; it was dropped, with its connection where there is one. */
  malformed(error: Error): void;
}

/** The transport layer (RFC 3261, 18) over one protocol. */
export interface Transport {
  /** As Via names it. */
  readonly protocol: 'UDP' | 'TCP' | 'TLS';
  /** Whether what is sent arrives or the flow is closed: nothing needs to be sent again. */
  readonly reliable: boolean;
  /** Where the peer finds us; of use once it is open. */
  readonly local: Peer;
  /** Opens it. Throws when the address or the port cannot be used. */
  open(events: TransportEvents): Promise<void>;
  /** The way to a peer: an open connection where there is one. */
  flowTo(peer: Peer): Flow;
  close(): Promise<void>;
}

/** The address of this machine that packets to `peer` leave from. */
export async function addressTowards(peer: Peer): Promise<string> {
  const socket = createSocket(isIP(peer.address) === 6 ? 'udp6' : 'udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      // Sends nothing: it only asks for the route.
      socket.connect(peer.port, peer.address, resolve);
    });
    return socket.address().address;
  } finally {
    socket.close();
  }
}
