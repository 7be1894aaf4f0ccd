import type { Socket } from 'node:dgram';
import { bindSocket, openSocket } from './udp.ts';

/** A socket for RTP at an even port and one for RTCP at the next (RFC 3550, 11). */
export interface MediaPair {
  readonly port: number;
  readonly rtp: Socket;
  readonly rtcp: Socket;
  /** What arrives while the pair is in use; null drops it. */
  onRtp: ((packet: Buffer) => void) | null;
  onRtcp: ((packet: Buffer) => void) | null;
}

/**
 * Pairs of sockets for the audio of calls, opened for a call and closed with it: others have the same ports to choose from.
 * They are taken in turn, so that what is still on its way to a call that is over does not reach the next one.
 */
export class MediaPorts {
  readonly #address: string;
  readonly #first: number;
  readonly #pairs: number;
  readonly #open = new Set<MediaPair>();
  #next: number;
  #isClosed = false;

  /** Ports between `from` and `to`, both included. */
  constructor(address: string, { from, to }: { from: number; to: number }) {
    this.#address = address;
    this.#first = from + (from % 2);
    this.#pairs = Math.floor((to + 1 - this.#first) / 2);
    // Not all processes of a machine should try the same ones first.
    this.#next = Math.floor(Math.random() * this.#pairs);
  }

  /** Pairs that are in use. */
  get size(): number {
    return this.#open.size;
  }

  /** A pair of its own until it is released. Throws when every port is taken. */
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

  /** Gives out no more; those that are in use close when they are released. */
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
    // What the network says of packets that nobody took.
    rtp.on('error', () => {});
    rtcp.on('error', () => {});
    return pair;
  }
}
