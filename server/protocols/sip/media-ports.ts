import type { Socket } from 'node:dgram';
import { bindSocket, openSocket } from './udp.ts';

/** A socket for RTP at an even port and one for RTCP at the next port (RFC 3550, 11). */
export interface MediaPair {
  readonly port: number;
  readonly rtp: Socket;
  readonly rtcp: Socket;
  /** Handlers of arriving packets while the pair is in use; null drops them. */
  onRtp: ((packet: Buffer) => void) | null;
  onRtcp: ((packet: Buffer) => void) | null;
}

/**
 * Opens pairs of sockets for the audio of calls and closes them with the call; other processes use the same range of
 * ports. Ports are used in turn, so that late packets of an ended call do not reach the next one.
 */
export class MediaPorts {
  readonly #address: string;
  readonly #first: number;
  readonly #pairs: number;
  readonly #open = new Set<MediaPair>();
  #next: number;
  #isClosed = false;

  /** Ports between `from` and `to`, both inclusive. */
  constructor(address: string, { from, to }: { from: number; to: number }) {
    this.#address = address;
    this.#first = from + (from % 2);
    this.#pairs = Math.floor((to + 1 - this.#first) / 2);
    // A random start keeps the processes of one machine from trying the same ports first.
    this.#next = Math.floor(Math.random() * this.#pairs);
  }

  /** Number of pairs in use. */
  get size(): number {
    return this.#open.size;
  }

  /** Returns a pair for exclusive use until it is released. Throws when every port is in use. */
  async acquire(): Promise<MediaPair> {
    for (let tries = 0; tries < this.#pairs && !this.#isClosed; tries++) {
      const port = this.#first + 2 * this.#next;
      this.#next = (this.#next + 1) % this.#pairs;
      const pair = await this.#bind(port);
      if (!pair) continue;
      this.#open.add(pair);
      if (!this.#isClosed) return pair;
      this.release(pair);
    }
    throw new Error('no port is free for the audio of a call');
  }

  release(pair: MediaPair): void {
    if (!this.#open.delete(pair)) return;
    pair.onRtp = null;
    pair.onRtcp = null;
    pair.rtp.close();
    pair.rtcp.close();
  }

  /** Returns no more pairs; those in use close when they are released. */
  close(): void {
    this.#isClosed = true;
  }

  async #bind(port: number): Promise<MediaPair | undefined> {
    const rtp = openSocket(this.#address);
    const rtcp = openSocket(this.#address);
    try {
      await bindSocket(rtp, port, this.#address);
      await bindSocket(rtcp, port + 1, this.#address);
    } catch (error) {
      rtp.close();
      rtcp.close();
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
      throw error;
    }
    const pair: MediaPair = { port, rtp, rtcp, onRtp: null, onRtcp: null };
    rtp.on('message', (packet) => pair.onRtp?.(packet));
    rtcp.on('message', (packet) => pair.onRtcp?.(packet));
    // Ignore network errors for packets that the other side did not accept.
    rtp.on('error', () => {});
    rtcp.on('error', () => {});
    return pair;
  }
}
