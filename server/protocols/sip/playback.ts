import type { SpokenMessage } from './prompt.ts';
import { PACKET_MS, PACKET_SAMPLES } from './rtp.ts';

/** Silence after the last word, so that the other side's buffer does not cut it off. */
const TAIL_MS = 200;

/** Layout of a message in packets of 20 ms, counted from 0. */
export class Playback {
  /** Packets of silence before the first word. */
  readonly lead: number;
  /** Packets of the message, played once. */
  readonly prompt: number;
  /** Packets from one repetition to the next. */
  readonly round: number;
  /** Total number of packets. */
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

  /** Duration of uninterrupted playback, in milliseconds. */
  get lengthMs(): number {
    return this.end * PACKET_MS;
  }

  /** Returns the seconds of the message played after `position` packets, including the pauses between repetitions. */
  heardSeconds(position: number): number {
    const most = this.end - this.lead - TAIL_MS / PACKET_MS;
    return (Math.min(Math.max(0, position - this.lead), most) * PACKET_MS) / 1000;
  }

  /** Returns how many times the message was played completely after `position` packets. */
  rounds(position: number): number {
    const behind = position - this.lead - this.prompt;
    if (behind < 0) return 0;
    return Math.min(this.repeat, 1 + Math.floor(behind / this.round));
  }
}
