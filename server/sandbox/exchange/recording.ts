import { writeWav } from '../../channels/voice/speech/wav.ts';
import { decode, type Law, payloadTypes, silence } from '../../protocols/sip/g711.ts';
import { SAMPLE_RATE } from '../../protocols/sip/prompt.ts';
import { readRtp } from '../../protocols/sip/rtp.ts';

/** Maximum samples of a recording. */
const LONGEST = 900 * SAMPLE_RATE;

/** RTP audio received by a phone, ordered by timestamps; lost packets are silence. */
export class Recording {
  #law: Law = 'PCMA';
  #ssrc: number | undefined;
  #first = 0;
  #pieces: { readonly at: number; readonly codes: Buffer }[] = [];
  #samples = 0;
  #packets = 0;

  /** Number of accepted packets. */
  get packets(): number {
    return this.#packets;
  }

  /** Adds a packet; ignores those that are not G.711 of this stream. */
  take(packet: Buffer): void {
    const read = readRtp(packet);
    if (!read) return;
    const law = read.payloadType === payloadTypes.PCMU ? 'PCMU' : 'PCMA';
    if (read.payloadType !== payloadTypes[law]) return;
    if (this.#ssrc === undefined) {
      this.#ssrc = read.ssrc;
      this.#first = read.timestamp;
      this.#law = law;
    }
    const at = (read.timestamp - this.#first) >>> 0;
    if (read.ssrc !== this.#ssrc || law !== this.#law || at + read.payload.length > LONGEST) return;
    this.#packets++;
    this.#pieces.push({ at, codes: read.payload });
    this.#samples = Math.max(this.#samples, at + read.payload.length);
  }

  /** Returns the audio, one octet per sample. */
  finish(): { readonly law: Law; readonly codes: Buffer } {
    const codes = Buffer.alloc(this.#samples, silence[this.#law]);
    for (const piece of this.#pieces) piece.codes.copy(codes, piece.at);
    this.#pieces = [];
    return { law: this.#law, codes };
  }
}

/** Returns the audio as a WAV of 16-bit samples, which every browser plays. */
export function wavOfCodes({ law, codes }: { law: Law; codes: Buffer }): Buffer {
  return writeWav({ sampleRate: SAMPLE_RATE, samples: decode(law, codes) });
}
