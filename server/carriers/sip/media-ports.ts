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

/** Pairs of sockets for the audio of calls, used again by later calls: the one that has rested longest is next. */
export class MediaPorts {
  readonly #address: string;
  readonly #first: number;
  readonly #pairs: number;
  readonly #resting: MediaPair[] = [];
  readonly #all = new Set<MediaPair>();
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

  /** Pairs that are open, in use or resting. */
  get size(): number {
    return this.#all.size;
  }

  /** A pair of its own until it is released. Throws when every port is taken. */
  async acquire(): Promise<MediaPair> {
    const rested = this.#resting.shift();
    if (rested) return rested;
    for (let tries = 0; tries < this.#pairs && !this.#isClosed; tries++) {
      const port = this.#first + 2 * this.#next;
      this.#next = (this.#next + 1) % this.#pairs;
      const pair = await this.#open(port);
      if (!pair) continue;
      this.#all.add(pair);
      if (this.#isClosed) this.#shut(pair);
      else return pair;
    }
    throw new Error('no port is free for the audio of a call');
  }

  release(pair: MediaPair): void {
    pair.onRtp = null;
    pair.onRtcp = null;
    if (this.#isClosed) this.#shut(pair);
    else this.#resting.push(pair);
  }

  /** Closes those that rest now, and the others when they are released. */
  close(): void {
    this.#isClosed = true;
    for (const pair of this.#resting.splice(0)) this.#shut(pair);
  }

  #shut(pair: MediaPair): void {
    this.#all.delete(pair);
    pair.rtp.close();
    pair.rtcp.close();
  }

  async #open(port: number): Promise<MediaPair | undefined> {
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
