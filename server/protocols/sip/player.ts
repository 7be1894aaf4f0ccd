import { randomBytes, randomInt } from 'node:crypto';
import { type Law, silence } from './g711.ts';
import type { MediaPair } from './media-ports.ts';
import { type Paced, pacer } from './pacer.ts';
import { Playback } from './playback.ts';
import type { SpokenMessage } from './prompt.ts';
import { PACKET_SAMPLES, writeRtcp, writeRtp } from './rtp.ts';
import { type AudioDescription, isListening } from './sdp.ts';

/** Average milliseconds between two reports (RFC 3550, 6.2: at least five seconds). */
const RTCP_MS = 5_000;
const TIMESTAMPS = 2 ** 32;

const quiet: Readonly<Record<Law, Buffer>> = {
  PCMU: Buffer.alloc(PACKET_SAMPLES, silence.PCMU),
  PCMA: Buffer.alloc(PACKET_SAMPLES, silence.PCMA),
};

interface PlayerOptions {
  readonly pair: MediaPair;
  readonly spoken: SpokenMessage;
  /** Milliseconds of silence before the first word. */
  readonly startDelayMs: number;
  /** Its first element is set to the number of packets whose send time has passed. */
  readonly progress: Int32Array;
  /** Called when everything was sent. */
  readonly onDone: () => void;
}

/** Plays a message to a callee: a packet every 20 ms, timed by the process's pacer, and RTCP reports. */
export class Player implements Paced {
  readonly #options: PlayerOptions;
  readonly #playback: Playback;
  readonly #ssrc = randomBytes(4).readUInt32BE();
  readonly #cname = randomBytes(12).toString('base64url');
  #target: AudioDescription;
  #law: Law = 'PCMA';
  #payloadType = 8;
  #sequence = randomInt(0x10000);
  #timestamp = randomInt(TIMESTAMPS);
  /** Number of packets whose send time has passed. */
  #position = 0;
  #sent = 0;
  #wasSilent = true;
  #nextReport = 0;
  #state: 'ready' | 'playing' | 'over' = 'ready';

  /** `target` must have a codec. */
  constructor(target: AudioDescription, options: PlayerOptions) {
    this.#options = options;
    this.#target = target;
    this.#playback = new Playback(options.spoken, options.startDelayMs);
    this.retarget(target);
  }

  start(): void {
    this.#state = 'playing';
    this.#nextReport = performance.now() + reportPause();
    pacer.add(this);
  }

  /** Applies a change by the other side: another address, another codec, or no audio for now (hold). */
  retarget(target: AudioDescription): void {
    const [codec] = target.codecs;
    if (codec) {
      this.#law = codec.law;
      this.#payloadType = codec.payloadType;
    }
    this.#target = target;
  }

  /** Ends the stream, with an RTCP BYE if it had begun. */
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
    if (this.#position >= this.#playback.end) {
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
    Atomics.store(this.#options.progress, 0, ++this.#position);
    this.#sent++;
  }

  #payload(): Uint8Array {
    const none = quiet[this.#law];
    const { lead, prompt: length, round, repeat } = this.#playback;
    const behind = this.#position - lead;
    const at = behind % round;
    if (behind < 0 || at >= length || behind >= round * repeat) return none;
    const { prompt } = this.#options.spoken;
    const audio = this.#law === 'PCMA' ? prompt.pcma : prompt.pcmu;
    const piece = audio.subarray(at * PACKET_SAMPLES, (at + 1) * PACKET_SAMPLES);
    // The last packet is padded, since every packet has the same duration.
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

/** Random, so that the reports of many calls spread out (RFC 3550, 6.3.1). */
const reportPause = () => RTCP_MS * (0.5 + Math.random());
