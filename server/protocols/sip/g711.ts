/* G.711 in both laws, by tables: 64 kilobytes each for encoding, 512 bytes each for decoding. */

/** The two codecs that every telephone network supports (RFC 3551, 4.5.14), by their names in SDP. */
export type Law = 'PCMU' | 'PCMA';

/** RTP payload types (RFC 3551, table 4). */
export const payloadTypes: Readonly<Record<Law, number>> = { PCMU: 0, PCMA: 8 };

/** Octet of silence: the code of the sample 0. */
export const silence: Readonly<Record<Law, number>> = { PCMU: 0xff, PCMA: 0xd5 };

/** Added before taking the logarithm of the µ-law, on the 16-bit scale. */
const MU_BIAS = 0x84;
const MU_CLIP = 32_635;

function decodeMu(code: number): number {
  const inverted = ~code & 0xff;
  const magnitude = ((((inverted & 0x0f) << 3) + MU_BIAS) << ((inverted & 0x70) >> 4)) - MU_BIAS;
  return inverted & 0x80 ? -magnitude : magnitude;
}

function decodeA(code: number): number {
  // Every other bit is inverted on the line.
  const plain = code ^ 0x55;
  const segment = (plain & 0x70) >> 4;
  const step = ((plain & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 0x100) << (segment - 1);
  return plain & 0x80 ? magnitude : -magnitude;
}

function encodeMu(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), MU_CLIP) + MU_BIAS;
  const segment = 24 - Math.clz32(magnitude);
  const code = (segment << 4) | ((magnitude >> (segment + 3)) & 0x0f);
  return ~(sample < 0 ? code | 0x80 : code) & 0xff;
}

function encodeA(sample: number): number {
  // Magnitudes of negative samples are counted from -1, so that both halves have the same number of steps.
  const magnitude = sample < 0 ? ~sample : sample;
  const segment = Math.max(0, 24 - Math.clz32(magnitude));
  const step = (magnitude >> (segment === 0 ? 4 : segment + 3)) & 0x0f;
  return ((sample < 0 ? 0 : 0x80) | (segment << 4) | step) ^ 0x55;
}

const encoders: Readonly<Record<Law, Uint8Array>> = { PCMU: encoding(encodeMu), PCMA: encoding(encodeA) };
const decoders: Readonly<Record<Law, Int16Array>> = {
  PCMU: Int16Array.from({ length: 256 }, (_, code) => decodeMu(code)),
  PCMA: Int16Array.from({ length: 256 }, (_, code) => decodeA(code)),
};

function encoding(encode: (sample: number) => number): Uint8Array {
  return Uint8Array.from({ length: 65_536 }, (_, index) => encode((index << 16) >> 16));
}

/** Encodes samples, one octet each. */
export function encode(law: Law, samples: Int16Array): Buffer {
  const table = encoders[law];
  const codes = Buffer.allocUnsafeSlow(samples.length);
  for (let i = 0; i < samples.length; i++) codes[i] = table[samples[i]! & 0xffff]!;
  return codes;
}

/** Decodes octets to samples. */
export function decode(law: Law, codes: Uint8Array): Int16Array {
  const table = decoders[law];
  return Int16Array.from(codes, (code) => table[code]!);
}
