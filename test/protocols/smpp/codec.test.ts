import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodePdu } from '../../../server/protocols/smpp/codec.ts';
import { command } from '../../../server/protocols/smpp/commands.ts';
import { encodePdu, sizeBound } from '../../../server/protocols/smpp/encoder.ts';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { Framer } from '../../../server/protocols/smpp/framing.ts';
import type { Pdu } from '../../../server/protocols/smpp/pdu.ts';

/** Plain objects, as the codec makes them. */
const record = <T>(fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) =>
  fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;

const octet = fc.integer({ min: 0, max: 255 });
const unsigned = fc.integer({ min: 0, max: 0xffffffff });
/** A C-octet string: Latin-1 without NUL. */
const text = (maxLength: number) =>
  fc.array(fc.integer({ min: 1, max: 255 }), { maxLength }).map((codes) => String.fromCharCode(...codes));
const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes));
const tlvs = fc.array(record({ tag: fc.integer({ min: 0, max: 0xffff }), value: octets(300) }), {
  maxLength: 4,
});

const header = <const Id extends number>(...ids: Id[]) => ({
  command: fc.constantFrom(...ids),
  status: unsigned,
  sequence: unsigned,
});
const addresses = {
  serviceType: text(5),
  sourceTon: octet,
  sourceNpi: octet,
  source: text(20),
  destinationTon: octet,
  destinationNpi: octet,
  destination: text(20),
};

const anyPdu: fc.Arbitrary<Pdu> = fc.oneof(
  record({
    ...header(command.submitSm, command.deliverSm),
    ...addresses,
    esmClass: octet,
    protocolId: octet,
    priority: octet,
    scheduleTime: text(16),
    validityPeriod: text(16),
    registeredDelivery: octet,
    replaceIfPresent: octet,
    dataCoding: octet,
    defaultMessageId: octet,
    shortMessage: octets(254),
    tlvs,
  }),
  record({
    ...header(command.submitSmResp, command.deliverSmResp, command.dataSmResp),
    messageId: text(64),
    tlvs,
  }),
  record({
    ...header(command.bindReceiver, command.bindTransmitter, command.bindTransceiver),
    systemId: text(15),
    password: text(8),
    systemType: text(12),
    interfaceVersion: octet,
    addressTon: octet,
    addressNpi: octet,
    addressRange: text(40),
    tlvs,
  }),
  record({
    ...header(command.bindReceiverResp, command.bindTransmitterResp, command.bindTransceiverResp),
    systemId: text(15),
    tlvs,
  }),
  record({
    ...header(command.dataSm),
    ...addresses,
    esmClass: octet,
    registeredDelivery: octet,
    dataCoding: octet,
    tlvs,
  }),
  record({
    ...header(command.querySm),
    messageId: text(64),
    sourceTon: octet,
    sourceNpi: octet,
    source: text(20),
  }),
  record({
    ...header(command.submitMulti),
    serviceType: text(5),
    sourceTon: octet,
    sourceNpi: octet,
    source: text(20),
    destinations: fc.array(
      fc.oneof(record({ ton: octet, npi: octet, address: text(20) }), record({ list: text(20) })),
      { maxLength: 5 },
    ),
    esmClass: octet,
    protocolId: octet,
    priority: octet,
    scheduleTime: text(16),
    validityPeriod: text(16),
    registeredDelivery: octet,
    replaceIfPresent: octet,
    dataCoding: octet,
    defaultMessageId: octet,
    shortMessage: octets(254),
    tlvs,
  }),
  record({
    ...header(command.submitMultiResp),
    messageId: text(64),
    refused: fc.array(record({ ton: octet, npi: octet, address: text(20), error: unsigned }), {
      maxLength: 5,
    }),
  }),
  record({ ...header(command.cancelSm), ...addresses, messageId: text(64) }),
  record({
    ...header(command.replaceSm),
    messageId: text(64),
    sourceTon: octet,
    sourceNpi: octet,
    source: text(20),
    scheduleTime: text(16),
    validityPeriod: text(16),
    registeredDelivery: octet,
    defaultMessageId: octet,
    shortMessage: octets(254),
    tlvs,
  }),
  record({
    ...header(command.querySmResp),
    messageId: text(64),
    finalDate: text(16),
    messageState: octet,
    errorCode: octet,
  }),
  record(
    header(
      command.genericNack,
      command.unbind,
      command.unbindResp,
      command.enquireLink,
      command.enquireLinkResp,
      command.cancelSmResp,
      command.replaceSmResp,
    ),
  ),
);

const decodeWhole = (buffer: Buffer) => decodePdu(buffer, 0, buffer.length);

test('any PDU comes back as it was', () => {
  fc.assert(
    fc.property(anyPdu, (pdu) => {
      const encoded = encodePdu(pdu);
      assert.ok(encoded.length <= sizeBound(pdu));
      assert.equal(encoded.readUInt32BE(0), encoded.length);
      assert.deepEqual(decodeWhole(encoded), { pdu });
    }),
    { numRuns: 1_000 },
  );
});

test('any octets after a header are a PDU or are refused, and never throw', () => {
  const ids = [...Object.values(command), 0x21, 0x00000103, 0x80000001, 0xffffffff];
  fc.assert(
    fc.property(fc.constantFrom(...ids), octets(400), (id, body) => {
      const header = Buffer.alloc(16);
      header.writeUInt32BE(16 + body.length, 0);
      header.writeUInt32BE(id, 4);
      header.writeUInt32BE(77, 12);
      const decoded = decodeWhole(Buffer.concat([header, body]));
      if (decoded.bad) {
        assert.equal(decoded.bad.sequence, 77);
        assert.notEqual(decoded.bad.answer, 0);
      } else {
        assert.equal(decoded.pdu.command, id);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a PDU cut short anywhere is refused or read, and never throws', () => {
  fc.assert(
    fc.property(anyPdu, fc.nat(), (pdu, at) => {
      const encoded = encodePdu(pdu);
      const length = 16 + (at % (encoded.length - 15));
      decodePdu(encoded, 0, length);
    }),
  );
});

test('a refused answer may leave its body out', () => {
  for (const id of [command.submitSmResp, command.deliverSmResp, command.bindTransceiverResp]) {
    const encoded = Buffer.alloc(16);
    encoded.writeUInt32BE(16, 0);
    encoded.writeUInt32BE(id, 4);
    encoded.writeUInt32BE(errorCode.ESME_RSYSERR, 8);
    const { pdu } = decodeWhole(encoded) as { pdu: Pdu };
    assert.equal(pdu.status, errorCode.ESME_RSYSERR);
  }
});

test('what has no place in a PDU is refused when it is encoded', () => {
  const base = { command: command.submitSmResp, status: 0, sequence: 1, messageId: '' } as const;
  const tlv = (length: number) => ({ tag: 0x424, value: Buffer.alloc(length) });
  assert.throws(() => encodePdu({ ...base, tlvs: [tlv(0x10000)] }), RangeError);
  assert.throws(() => encodePdu({ ...base, tlvs: [tlv(0xffff), tlv(100)] }), RangeError);
});

/** What a framer hands out of a stream cut at the given places. */
function frame(stream: Buffer, cuts: number[]): { frames: string[]; invalid: number[] } {
  const frames: string[] = [];
  const invalid: number[] = [];
  const framer = new Framer(
    (buffer, start, end) => frames.push(buffer.toString('hex', start, end)),
    (length) => invalid.push(length),
  );
  const places = [...new Set(cuts.map((cut) => cut % (stream.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, stream.length]) {
    // A copy, as the octets of a chunk are nobody else's.
    framer.push(Buffer.from(stream.subarray(from, to)));
    from = to;
  }
  return { frames, invalid };
}

test('framing does not depend on how the stream was cut', () => {
  fc.assert(
    fc.property(fc.array(anyPdu, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 40 }), (pdus, cuts) => {
      const encoded = pdus.map(encodePdu);
      const expected = encoded.map((pdu) => pdu.toString('hex'));
      assert.deepEqual(frame(Buffer.concat(encoded), cuts), { frames: expected, invalid: [] });
    }),
  );
});

test('any octets at all are framed the same way in one piece and in many', () => {
  fc.assert(
    fc.property(octets(500), fc.array(fc.nat(), { maxLength: 60 }), (stream, cuts) => {
      const whole = frame(stream, []);
      assert.deepEqual(frame(stream, cuts), whole);
      assert.ok(whole.invalid.length <= 1);
    }),
  );
});

test('a command_length that cannot be ends framing', () => {
  const good = encodePdu({ command: command.enquireLink, status: 0, sequence: 1 });
  for (const length of [0, 15, 64 * 1024 + 1, 0xffffffff]) {
    const bad = Buffer.from(good);
    bad.writeUInt32BE(length, 0);
    const { frames, invalid } = frame(Buffer.concat([good, bad, good]), [17]);
    assert.deepEqual(frames, [good.toString('hex')]);
    assert.deepEqual(invalid, [length]);
  }
});
