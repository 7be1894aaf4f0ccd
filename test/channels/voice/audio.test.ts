import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resample } from '../../../server/channels/voice/speech/resample.ts';
import { readWav, writeWav } from '../../../server/channels/voice/speech/wav.ts';

function tone(hertz: number, rate: number, seconds = 0.5, amplitude = 10_000): Int16Array {
  const samples = new Int16Array(rate * seconds);
  for (let i = 0; i < samples.length; i++) {
    samples[i] = Math.round(amplitude * Math.sin((2 * Math.PI * hertz * i) / rate));
  }
  return samples;
}

/** The loudness of the middle, where the filter has all its neighbours. */
function loudness(samples: Int16Array): number {
  const middle = samples.subarray(samples.length * 0.25, samples.length * 0.75);
  return Math.sqrt(middle.reduce((sum, value) => sum + value * value, 0) / middle.length);
}

test('what a telephone carries passes unchanged, and what is above does not come back as noise', () => {
  for (const rate of [22_050, 24_000, 16_000, 44_100, 48_000]) {
    for (const hertz of [200, 1_000, 3_000]) {
      const out = resample(tone(hertz, rate), rate, 8_000);
      const expected = tone(hertz, 8_000);
      assert.ok(Math.abs(out.length - expected.length) <= 1);
      for (let i = 1_000; i < 3_000; i++) {
        assert.ok(
          Math.abs(out[i]! - expected[i]!) < 60,
          `${hertz} Hz of ${rate}: ${out[i]} for ${expected[i]}`,
        );
      }
    }
    for (const hertz of [4_400, 6_000, 7_500]) {
      if (hertz * 2 > rate) continue;
      assert.ok(loudness(resample(tone(hertz, rate), rate, 8_000)) < 60, `${hertz} Hz of ${rate} is heard`);
    }
  }
});

test('up, down, or not at all: the length fits, and no sample is out of range', () => {
  const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 400 });
  fc.assert(
    fc.property(samples, fc.constantFrom(8_000, 11_025, 22_050, 24_000), (values, rate) => {
      const out = resample(Int16Array.from(values), rate, 8_000);
      assert.ok(Math.abs(out.length - (values.length * 8_000) / rate) <= 1);
    }),
  );
  const loud = new Int16Array(1_000).map((_, i) => (i % 7 < 3 ? 32_767 : -32_768));
  for (const value of resample(loud, 22_050, 8_000)) assert.ok(Math.abs(value) <= 32_768);
  assert.throws(() => resample(loud, 0, 8_000), RangeError);
  assert.throws(() => resample(loud, 22_050.5, 8_000), RangeError);
  assert.throws(() => resample(loud, 44_100, 48_001), RangeError);
});

test('a WAV is read as it was written, also when its header does not know how long it is', () => {
  const samples = Int16Array.from([0, 1, -1, 32_767, -32_768, 7]);
  const wav = writeWav({ sampleRate: 8_000, samples });
  assert.deepEqual(readWav(wav), { sampleRate: 8_000, samples });
  const piped = Buffer.from(wav);
  piped.writeUInt32LE(0x7ffff000, 40);
  assert.deepEqual(readWav(piped).samples, samples);
  const extra = Buffer.concat([
    wav.subarray(0, 36),
    Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1'),
    wav.subarray(36),
  ]);
  assert.deepEqual(readWav(extra).samples, samples);
  const stereo = writeWav({ sampleRate: 8_000, samples: Int16Array.from([10, 20, -10, -30]) });
  stereo.writeUInt16LE(2, 22);
  assert.deepEqual(readWav(stereo).samples, Int16Array.from([15, -20]));
});

test('what is no 16-bit WAV is refused, whatever it is', () => {
  const wav = writeWav({ sampleRate: 8_000, samples: new Int16Array(10) });
  const eightBit = Buffer.from(wav);
  eightBit.writeUInt16LE(8, 34);
  const muLaw = Buffer.from(wav);
  muLaw.writeUInt16LE(7, 20);
  for (const bad of [
    Buffer.alloc(0),
    Buffer.from('RIFF'),
    wav.subarray(0, 30),
    wav.subarray(0, 40),
    eightBit,
    muLaw,
  ]) {
    assert.throws(() => readWav(bad), RangeError);
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (octets) => {
      const file = Buffer.concat([wav.subarray(0, 12), octets]);
      try {
        readWav(file);
      } catch (error) {
        assert.ok(error instanceof RangeError);
      }
    }),
  );
});
