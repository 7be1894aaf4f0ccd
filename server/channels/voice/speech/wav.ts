import { resample } from './resample.ts';

/** Mono audio at its original rate. */
interface Audio {
  readonly sampleRate: number;
  readonly samples: Int16Array;
}

const PCM = 1;
const EXTENSIBLE = 0xfffe;

/**
 * Reads a WAV of 16-bit PCM; several channels are averaged. A program that writes to a pipe does not know the length
 * when it writes the header, so the actual length counts. Throws RangeError for other formats.
 */
export function readWav(file: Buffer): Audio {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') {
    throw new RangeError('no WAV');
  }
  let format: { channels: number; sampleRate: number } | undefined;
  for (let at = 12; at + 8 <= file.length; ) {
    const id = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const start = at + 8;
    if (id === 'fmt ') {
      if (start + 16 > file.length) break;
      const kind = file.readUInt16LE(start);
      const channels = file.readUInt16LE(start + 2);
      const sampleRate = file.readUInt32LE(start + 4);
      const bits = file.readUInt16LE(start + 14);
      if ((kind !== PCM && kind !== EXTENSIBLE) || bits !== 16 || channels < 1 || sampleRate < 1) {
        throw new RangeError('a WAV of another kind than 16-bit PCM');
      }
      format = { channels, sampleRate };
    } else if (id === 'data') {
      if (!format) break;
      const data = file.subarray(start, Math.min(file.length, start + size));
      return { sampleRate: format.sampleRate, samples: mixed(data, format.channels) };
    }
    at = start + size + (size % 2);
  }
  throw new RangeError('a WAV without samples');
}

/** Reads samples of little-endian octets; drops an odd one at the end. */
export function readSamples(data: Buffer): Int16Array {
  return mixed(data, 1);
}

/** Writes a WAV of mono 16-bit samples. */
export function writeWav({ sampleRate, samples }: Audio): Buffer {
  const file = Buffer.alloc(44 + samples.length * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(PCM, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.length * 2, 40);
  for (let i = 0; i < samples.length; i++) file.writeInt16LE(samples[i]!, 44 + i * 2);
  return file;
}

/** Returns audio as samples at another rate. */
export function samplesAt({ sampleRate, samples }: Audio, wanted: number): Int16Array {
  return resample(samples, sampleRate, wanted);
}

function mixed(data: Buffer, channels: number): Int16Array {
  const frames = Math.floor(data.length / (2 * channels));
  const samples = new Int16Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      sum += data.readInt16LE((frame * channels + channel) * 2);
    }
    samples[frame] = Math.round(sum / channels);
  }
  return samples;
}
