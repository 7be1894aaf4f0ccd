import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { command, tag } from '../../server/carriers/smpp/commands.ts';
import { readIncoming } from '../../server/carriers/smpp/incoming.ts';
import type { MessagePdu } from '../../server/carriers/smpp/pdu.ts';
import { messagePdu } from './support.ts';

const read = (fields: Partial<MessagePdu>, alphabet: 'gsm' | 'latin1' = 'gsm') =>
  readIncoming(
    { ...messagePdu(command.deliverSm), source: '+972501', destination: '1234', ...fields },
    alphabet,
  );

const whole = (text: string) => ({ kind: 'whole', message: { from: '972501', to: '1234', text } });
const part = (text: string, reference: number, total: number, sequence: number) => ({
  kind: 'part',
  part: { from: '972501', to: '1234', text, reference, total, sequence },
});

test('each data_coding has its alphabet', () => {
  const cases: [dataCoding: number, octets: number[], text: string][] = [
    [0, [0x00, 0x1b, 0x65], '@€'],
    [1, [0x41, 0x40], 'A@'],
    [3, [0xe9, 0x41], 'éA'],
    [6, [0xbf], 'П'],
    [7, [0xf9, 0xec, 0xe5, 0xed], 'שלום'],
    [8, [0x05, 0xe9], 'ש'],
    [0xf0, [0x00], '@'],
  ];
  for (const [dataCoding, octets, text] of cases)
    assert.deepEqual(read({ dataCoding, shortMessage: Buffer.from(octets) }), whole(text));
  assert.deepEqual(read({ shortMessage: Buffer.from([0xe9]) }, 'latin1'), whole('é'));
});

test('binary and unknown codings are nothing to show', () => {
  for (const dataCoding of [2, 4, 9, 0xf5, 0xc0])
    assert.deepEqual(read({ dataCoding, shortMessage: Buffer.from('x') }), { kind: 'unreadable' });
});

test('parts are known by headers with references of 8 and 16 bits', () => {
  const octets = (...header: number[]) => Buffer.from([...header, 0x61]);
  const udh = (...header: number[]) => read({ esmClass: 0x40, shortMessage: octets(...header) });
  assert.deepEqual(udh(5, 0, 3, 200, 2, 1), part('a', 200, 2, 1));
  assert.deepEqual(udh(6, 8, 4, 1, 2, 3, 3), part('a', 258, 3, 3));
  // After another element.
  assert.deepEqual(udh(9, 0x24, 2, 1, 1, 0, 3, 7, 2, 2), part('a', 7, 2, 2));
  // A message of one part is whole; so is one whose header makes no sense.
  assert.deepEqual(udh(5, 0, 3, 200, 1, 1), whole('a'));
  assert.deepEqual(udh(5, 0, 3, 200, 2, 3), whole('a'));
  assert.deepEqual(udh(5, 0, 3, 200, 2, 0), whole('a'));
  assert.deepEqual(udh(2, 0, 3), whole('a'));
  assert.deepEqual(read({ esmClass: 0x40, shortMessage: Buffer.from([200, 1, 2]) }), whole(''));
});

test('parts are known by the sar parameters, and whole messages come in message_payload', () => {
  const tlv = (id: number, ...octets: number[]) => ({ tag: id, value: Buffer.from(octets) });
  const sar = [tlv(tag.sarMsgRefNum, 1, 0), tlv(tag.sarTotalSegments, 2), tlv(tag.sarSegmentSeqnum, 2)];
  assert.deepEqual(read({ shortMessage: Buffer.from('b'), tlvs: sar }), part('b', 256, 2, 2));
  assert.deepEqual(read({ shortMessage: Buffer.from('b'), tlvs: sar.slice(1) }), whole('b'));
  assert.deepEqual(
    read({ tlvs: [{ tag: tag.messagePayload, value: Buffer.from('c'.repeat(500)) }] }),
    whole('c'.repeat(500)),
  );
});

test('any octets, coding and class are read, and never throw', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(octet, octet, fc.uint8Array({ maxLength: 254 }), (dataCoding, esmClass, octets) => {
      read({ dataCoding, esmClass, shortMessage: Buffer.from(octets) });
    }),
    { numRuns: 1_000 },
  );
});
