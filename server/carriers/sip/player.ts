import { randomBytes, randomInt } from 'node:crypto';
import { type Law, silence } from './g711.ts';
import type { MediaPair } from './media-ports.ts';
import { type Paced, pacer } from './pacer.ts';
import type { SpokenMessage } from './prompt.ts';
import { PACKET_MS, PACKET_SAMPLES, writeRtcp, writeRtp } from './rtp.ts';
import { type AudioDescription, isListening } from './sdp.ts';

/** Silence behind the last word, so that nothing of it is lost in the other side's buffer. */
const TAIL_MS = 200;
/** Between two reports, on average (RFC 3550, 6.2: at least five seconds). */
const RTCP_MS = 5_000;
const TIMESTAMPS = 2 ** 32;

const quiet: Readonly<Record<Law, Buffer>> = {
  PCMU: Buffer.alloc(PACKET_SAMPLES, silence.PCMU),
  PCMA: Buffer.alloc(PACKET_SAMPLES, silence.PCMA),
};

export interface PlayerOptions {
  readonly pair: MediaPair;
  readonly spoken: SpokenMessage;
  /** Silence before the first word. */
  readonly startDelayMs: number;
  /** Everything was sent. */
  readonly onDone: () => void;
}

/** Plays a message to a callee: a packet every 20 ms by the process's pacer, and RTCP beside it. */
export class Player implements Paced {
  readonly #options: PlayerOptions;
  readonly #lead: number;
  readonly #prompt: number;
  readonly #round: number;
  readonly #end: number;
  readonly #ssrc = randomBytes(4).readUInt32BE();
  readonly #cname = randomBytes(12).toString('base64url');
  #target: AudioDescription;
  #law: Law = 'PCMA';
  #payloadType = 8;
  #sequence = randomInt(0x10000);
  #timestamp = randomInt(TIMESTAMPS);
  /** Packets of the message that have their turn behind them. */
  #position = 0;
  #sent = 0;
  #wasSilent = true;
  #nextReport = 0;
  #state: 'ready' | 'playing' | 'over' = 'ready';

  /** `target` has a codec. */
  constructor(target: AudioDescription, options: PlayerOptions) {
    const { spoken, startDelayMs } = options;
    this.#options = options;
    this.#target = target;
    this.#lead = Math.ceil(startDelayMs / PACKET_MS);
    this.#prompt = Math.ceil(spoken.prompt.samples / PACKET_SAMPLES);
    this.#round = Math.max(1, this.#prompt + Math.ceil(spoken.pauseMs / PACKET_MS));
    const tail = TAIL_MS / PACKET_MS;
    this.#end = this.#lead + this.#round * (spoken.repeat - 1) + this.#prompt + tail;
    this.retarget(target);
  }

  /** How long it takes when nothing holds it up. */
  get lengthMs(): number {
    return this.#end * PACKET_MS;
  }

  /** Seconds of the message that were sent, pauses between its repetitions included. */
  get heardSeconds(): number {
    const most = this.#end - this.#lead - TAIL_MS / PACKET_MS;
    return (Math.min(Math.max(0, this.#position - this.#lead), most) * PACKET_MS) / 1000;
  }

  /** How often the message was sent to its end. */
  get rounds(): number {
    const behind = this.#position - this.#lead - this.#prompt;
    if (behind < 0) return 0;
    return Math.min(this.#options.spoken.repeat, 1 + Math.floor(behind / this.#round));
  }

  start(): void {
    this.#state = 'playing';
    this.#nextReport = performance.now() + reportPause();
    pacer.add(this);
  }

  /** The other side wants its audio elsewhere, with another codec, or (on hold) not for now. */
  retarget(target: AudioDescription): void {
    const [codec] = target.codecs;
    if (codec) {
      this.#law = codec.law;
      this.#payloadType = codec.payloadType;
    }
    this.#target = target;
  }

  /** Ends the stream, with a BYE in RTCP when it had begun. */
  stop(): void {
    if (this.#state !== 'playing') return;
    this.#state = 'over';
    pacer.remove(this);
    this.#report(true);
  }

  tick(now: number): void {
    if (isListening(this.#target)) this.#send();
    else this.#wasSilent = true;
    this.#timestamp = (this.#timestamp + PACKET_SAMPLES) % TIMESTAMPS;
    if (now >= this.#nextReport) {
      this.#nextReport = now + reportPause();
      this.#report(false);
    }
    if (this.#position >= this.#end) {
      this.stop();
      this.#options.onDone();
    }
  }

  #send(): void {
    const packet = writeRtp(
      {
        payloadType: this.#payloadType,
        marker: this.#wasSilent,
        sequence: this.#sequence,
        timestamp: this.#timestamp,
        ssrc: this.#ssrc,
      },
      this.#payload(),
    );
    this.#options.pair.rtp.send(packet, this.#target.port, this.#target.address);
    this.#wasSilent = false;
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#position++;
    this.#sent++;
  }

  #payload(): Uint8Array {
    const none = quiet[this.#law];
    if (this.#position < this.#lead) return none;
    const { prompt, repeat } = this.#options.spoken;
    const behind = this.#position - this.#lead;
    const at = behind % this.#round;
    if (at >= this.#prompt || behind >= this.#round * repeat) return none;
    const audio = this.#law === 'PCMA' ? prompt.pcma : prompt.pcmu;
    const piece = audio.subarray(at * PACKET_SAMPLES, (at + 1) * PACKET_SAMPLES);
    // The last one is filled up, since every packet is as long as its time.
    return piece.length === PACKET_SAMPLES ? piece : Buffer.concat([piece, none], PACKET_SAMPLES);
  }

  #report(bye: boolean): void {
    const { address, rtcpPort } = this.#target;
    if (rtcpPort === 0 || rtcpPort > 65_535 || address === '0.0.0.0') return;
    const packet = writeRtcp(
      {
        ssrc: this.#ssrc,
        cname: this.#cname,
        timestamp: this.#timestamp,
        now: Date.now(),
        packets: this.#sent,
        octets: this.#sent * PACKET_SAMPLES,
      },
      bye,
    );
    this.#options.pair.rtcp.send(packet, rtcpPort, address);
  }
}

/** With the randomness that keeps reports of many calls apart (RFC 3550, 6.3.1). */
const reportPause = () => RTCP_MS * (0.5 + Math.random());
