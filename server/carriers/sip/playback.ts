import type { SpokenMessage } from './prompt.ts';
import { PACKET_MS, PACKET_SAMPLES } from './rtp.ts';

/** Silence behind the last word, so that nothing of it is lost in the other side's buffer. */
const TAIL_MS = 200;

/** How a message is laid out in packets of 20 ms, counted from 0. */
export class Playback {
  /** Packets of silence before the first word. */
  readonly lead: number;
  /** Packets of the message, once. */
  readonly prompt: number;
  /** Packets from one repetition to the next. */
  readonly round: number;
  /** Packets in all. */
  readonly end: number;
  readonly repeat: number;

  constructor(
    { prompt, repeat, pauseMs }: Omit<SpokenMessage, 'prompt'> & { readonly prompt: { samples: number } },
    startDelayMs: number,
  ) {
    this.repeat = repeat;
    this.lead = Math.ceil(startDelayMs / PACKET_MS);
    this.prompt = Math.ceil(prompt.samples / PACKET_SAMPLES);
    this.round = Math.max(1, this.prompt + Math.ceil(pauseMs / PACKET_MS));
    this.end = this.lead + this.round * (repeat - 1) + this.prompt + TAIL_MS / PACKET_MS;
  }

  /** How long it takes when nothing holds it up, in milliseconds. */
  get lengthMs(): number {
    return this.end * PACKET_MS;
  }

  /** Seconds of the message behind so many packets, pauses between its repetitions included. */
  heardSeconds(position: number): number {
    const most = this.end - this.lead - TAIL_MS / PACKET_MS;
    return (Math.min(Math.max(0, position - this.lead), most) * PACKET_MS) / 1000;
  }

  /** How often the message was sent to its end with so many packets. */
  rounds(position: number): number {
    const behind = position - this.lead - this.prompt;
    if (behind < 0) return 0;
    return Math.min(this.repeat, 1 + Math.floor(behind / this.round));
  }
}
