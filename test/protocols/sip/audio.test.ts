import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decode, encode, type Law } from '../../../server/protocols/sip/g711.ts';
import { Pacer } from '../../../server/protocols/sip/pacer.ts';
import { promptOf } from '../../../server/protocols/sip/prompt.ts';
import { readRtp, rtcpTypes, writeRtcp, writeRtp } from '../../../server/protocols/sip/rtp.ts';
import { Recording, wavOfCodes } from '../../../server/sandbox/exchange/recording.ts';
import { waitFor } from '../../support/wait-for.ts';

const laws: readonly Law[] = ['PCMA', 'PCMU'];
const every = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);

test('known codes of both laws (ITU-T G.711, tables 1 and 2)', () => {
  // Extremes, the values around zero, and one from a segment in between, as 16-bit samples.
  assert.deepEqual(
    [...encode('PCMU', Int16Array.of(0, 32_767, -32_768, 1_000, -1_000))],
    [0xff, 0x80, 0x00, 0xce, 0x4e],
  );
  assert.deepEqual(
    [...decode('PCMU', Buffer.of(0xff, 0x80, 0x00, 0x7f))],
    [0, 32_124, -32_124, 0].map((x) => x || 0),
  );
  assert.deepEqual(
    [...encode('PCMA', Int16Array.of(0, 32_767, -32_768, 1_000, -1_000))],
    [0xd5, 0xaa, 0x2a, 0xfa, 0x7a],
  );
  assert.deepEqual([...decode('PCMA', Buffer.of(0xd5, 0xaa, 0x2a, 0x55))], [8, 32_256, -32_256, -8]);
});

for (const law of laws) {
  test(`${law}: every code is what its sample is encoded as`, () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const again = encode(law, decode(law, codes));
    // The µ-law has two codes for zero, of which one is sent.
    const expected = Buffer.from(codes.map((code) => (law === 'PCMU' && code === 0x7f ? 0xff : code)));
    assert.deepEqual(again, expected);
  });

  test(`${law}: louder stays louder, and no sample is off by more than its step`, () => {
    const heard = decode(law, encode(law, every));
    for (let i = 0; i < every.length; i++) {
      const sample = every[i]!;
      if (i > 0) assert.ok(heard[i]! >= heard[i - 1]!, `${sample}`);
      // Half a step, which is at most a thirty-second of the lower end of its segment; the loudest of the µ-law is cut off.
      const loudness = Math.abs(sample);
      const cut = law === 'PCMU' ? Math.max(0, loudness - 32_635) : 0;
      assert.ok(Math.abs(heard[i]! - sample) <= (loudness + 132) / 32 + 8 + cut, `${sample}`);
    }
  });
}

test('a prompt has both laws, an octet a sample', () => {
  const prompt = promptOf(Int16Array.of(0, 1_000, -1_000));
  assert.equal(prompt.samples, 3);
  assert.deepEqual(prompt.pcma, Buffer.of(0xd5, 0xfa, 0x7a));
  assert.deepEqual(prompt.pcmu, Buffer.of(0xff, 0xce, 0x4e));
});

test('RTP packets are read as they were written; any bytes are read or refused', () => {
  const header = fc.record({
    payloadType: fc.integer({ min: 0, max: 127 }),
    marker: fc.boolean(),
    sequence: fc.integer({ min: 0, max: 0xffff }),
    timestamp: fc.integer({ min: 0, max: 0xffffffff }),
    ssrc: fc.integer({ min: 0, max: 0xffffffff }),
  });
  fc.assert(
    fc.property(header, fc.uint8Array({ maxLength: 200 }), (fields, payload) => {
      const { payload: read, ...rest } = readRtp(writeRtp(fields, payload))!;
      assert.deepEqual(rest, { ...fields });
      assert.deepEqual(new Uint8Array(read), payload);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      readRtp(Buffer.from(bytes));
      rtcpTypes(Buffer.from(bytes));
    }),
  );
});

test('RTCP: SR and SDES, and BYE at the end, on boundaries of four octets', () => {
  for (const cname of ['a', 'ab', 'abc', 'abcd', 'abcde']) {
    const state = { ssrc: 7, cname, timestamp: 160, now: 1_500, packets: 3, octets: 480 };
    const report = writeRtcp(state);
    assert.equal(report.length % 4, 0);
    assert.deepEqual(rtcpTypes(report), [200, 202]);
    assert.deepEqual(rtcpTypes(writeRtcp(state, true)), [200, 202, 203]);
    // 1.5 seconds after 1970 in NTP's count.
    assert.equal(report.readUInt32BE(8), 2_208_988_801);
    assert.equal(report.readUInt32BE(12), 2 ** 31);
    assert.equal(report.readUInt32BE(20), 3);
    assert.equal(report.toString('ascii', 38, 38 + cname.length), cname);
    assert.equal(report[38 + cname.length], 0);
  }
});

test('the pacer: every stream has its turns, as many as the time that has passed, and the timer ends with the last', async () => {
  const pacer = new Pacer();
  const ticks = Array.from({ length: 10 }, () => [] as number[]);
  const streams = ticks.map((own) => ({
    tick(due: number) {
      own.push(due);
      if (own.length === 20) pacer.remove(this);
    },
  }));
  for (const stream of streams) pacer.add(stream);
  assert.equal(pacer.size, 10);
  await waitFor('all to be over', () => pacer.size === 0);
  for (const own of ticks) {
    assert.equal(own.length, 20);
    // What a tick is due at does not drift, however late it was.
    const spacings = own.slice(1).map((due, index) => Math.round(due - own[index]!));
    const late = spacings.filter((spacing) => spacing !== 20);
    assert.ok(late.length <= 2, `spacings ${spacings}`);
  }
  // Begun anew by a stream that comes when another is just over.
  let turns = 0;
  const second = {
    tick() {
      turns++;
      pacer.remove(second);
    },
  };
  const first = {
    tick() {
      pacer.remove(first);
      pacer.add(second);
    },
  };
  pacer.add(first);
  await waitFor('the second to be over', () => turns === 1 && pacer.size === 0);
});

test('a recording puts packets in their place, whatever was lost, late or double', () => {
  const packet = (index: number, code: number, ssrc = 1) =>
    writeRtp(
      {
        payloadType: 8,
        marker: false,
        sequence: index,
        timestamp: (2 ** 32 - 160 + 160 * index) % 2 ** 32,
        ssrc,
      },
      Buffer.alloc(160, code),
    );
  const recording = new Recording();
  for (const one of [packet(0, 1), packet(3, 4), packet(1, 2), packet(1, 2), packet(2, 9, 77)])
    recording.take(one);
  recording.take(Buffer.from('no RTP'));
  const { law, codes } = recording.finish();
  assert.equal(law, 'PCMA');
  assert.deepEqual(
    [0, 160, 320, 480].map((at) => codes[at]),
    [1, 2, 0xd5, 4],
  );
  assert.equal(codes.length, 640);
  const wav = wavOfCodes({ law, codes });
  assert.equal(wav.length, 44 + 2 * 640);
  assert.equal(wav.readUInt32LE(24), 8_000);
});
