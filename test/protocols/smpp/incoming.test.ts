import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Charset, type EncodedPart, joinParts } from '../../../server/kit/text/charsets.ts';
import { command, tag } from '../../../server/protocols/smpp/commands.ts';
import { readIncoming } from '../../../server/protocols/smpp/incoming.ts';
import type { MessagePdu } from '../../../server/protocols/smpp/pdu.ts';
import { messagePdu } from './support.ts';

const read = (fields: Partial<MessagePdu>, alphabet: 'gsm' | 'latin1' = 'gsm') =>
  readIncoming(
    { ...messagePdu(command.deliverSm), source: '+972501', destination: '1234', ...fields },
    alphabet,
  );

const whole = (text: string) => ({ kind: 'whole', message: { from: '972501', to: '1234', text } });
const part = (text: string, reference: number, total: number, sequence: number) => ({
  kind: 'part',
  part: {
    ...{ from: '972501', to: '1234', reference, total, sequence },
    ...{ octets: Buffer.from(text), charset: 'gsm', dataCoding: 0 },
  },
});

test('each data_coding has its alphabet', () => {
  const cases: [dataCoding: number, octets: number[], text: string][] = [
    [0, [0x00, 0x1b, 0x65], '@€'],
    [1, [0x41, 0x40], 'A@'],
    [3, [0xe9, 0x41], 'éA'],
    [6, [0xbf], 'П'],
    [7, [0xf9, 0xec, 0xe5, 0xed], 'שלום'],
    [8, [0x05, 0xe9], 'ש'],
    [0x0a, [0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42, 0x41], 'あA'],
    [0x0e, [0xb0, 0xa1, 0x41], '가A'],
    [0xf0, [0x00], '@'],
  ];
  for (const [dataCoding, octets, text] of cases)
    assert.deepEqual(read({ dataCoding, shortMessage: Buffer.from(octets) }), whole(text));
  assert.deepEqual(read({ shortMessage: Buffer.from([0xe9]) }, 'latin1'), whole('é'));
});

test('the groups of GSM 03.38 have their alphabets: classes, deletion, message waiting', () => {
  const stop = { gsm: [0x53, 0x54, 0x4f, 0x50], ucs2: [0, 0x53, 0, 0x54, 0, 0x4f, 0, 0x50] };
  const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const gsm = [
    ...[...span(0x10, 0x13), ...span(0x1c, 0x1f), ...span(0x40, 0x43), ...span(0x50, 0x53)],
    ...[...span(0x80, 0xdf), ...span(0xf0, 0xf3), ...span(0xf8, 0xfb)],
  ];
  const ucs2 = [...span(0x18, 0x1b), ...span(0x48, 0x4b), ...span(0x58, 0x5b), ...span(0xe0, 0xef)];
  for (const dataCoding of gsm)
    assert.deepEqual(
      read({ dataCoding, shortMessage: Buffer.from(stop.gsm) }),
      whole('STOP'),
      `${dataCoding}`,
    );
  for (const dataCoding of ucs2)
    assert.deepEqual(
      read({ dataCoding, shortMessage: Buffer.from(stop.ucs2) }),
      whole('STOP'),
      `${dataCoding}`,
    );
});

test('what cannot be read is kept as octets and shown as such', () => {
  const octets = Buffer.from([0x00, 0xff, 0x41]);
  for (const dataCoding of [2, 4, 5, 9, 0x0f, 0x14, 0x17, 0x20, 0x3b, 0x54, 0xf5, 0xff]) {
    const text = `binary(${dataCoding}): 00FF41`;
    const message = { from: '972501', to: '1234', text, binary: { octets, dataCoding } };
    assert.deepEqual(read({ dataCoding, shortMessage: octets }), { kind: 'whole', message });
  }
});

test('a character cut between two parts is whole again', () => {
  const encoded = (charset: Charset, sequence: number, ...octets: number[]): EncodedPart => {
    return { charset, sequence, octets: Buffer.from(octets), dataCoding: charset === 'ucs2' ? 8 : 0 };
  };
  // U+1F600 is D83D DE00.
  assert.deepEqual(joinParts([encoded('ucs2', 2, 0xde, 0x00), encoded('ucs2', 1, 0xd8, 0x3d)]), {
    text: '😀',
  });
  assert.deepEqual(joinParts([encoded('ucs2', 1, 0xd8, 0x3d, 0xde), encoded('ucs2', 2, 0x00)]), {
    text: '😀',
  });
  assert.deepEqual(joinParts([encoded('gsm', 1, 0x41, 0x1b), encoded('gsm', 2, 0x65)]), { text: 'A€' });
  // With a part missing between them they are no pair.
  const halves = joinParts([
    encoded('ucs2', 1, 0, 0x41, 0xd8, 0x3d),
    encoded('ucs2', 3, 0xde, 0x00, 0, 0x42),
  ]);
  assert.deepEqual(halves, { text: 'A\ufffd\ufffdB' });
  assert.deepEqual(joinParts([encoded('gsm', 1, 0x41), encoded('ucs2', 2, 0x05, 0xe9)]), { text: 'Aש' });
  assert.deepEqual(joinParts([encoded('binary', 2, 2), encoded('binary', 1, 1)]), {
    text: 'binary(0): 0102',
    binary: { octets: Buffer.from([1, 2]), dataCoding: 0 },
  });
});

test('parts are recognized by headers with references of 8 and 16 bits', () => {
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

test('parts are recognized by the sar parameters, and whole messages arrive in message_payload', () => {
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

test('texts of national languages are read by the tables that their header names', () => {
  const shifted = (header: number[], septets: number[]) =>
    read({ esmClass: 0x40, shortMessage: Buffer.from([header.length, ...header, ...septets]) });
  const single = (language: number) => [0x24, 1, language];
  const locking = (language: number) => [0x25, 1, language];
  const esc = 0x1b;
  // Turkish: single shift, locking shift, and both.
  assert.deepEqual(shifted(single(1), [esc, 0x53, esc, 0x69, 0x41]), whole('ŞıA'));
  assert.deepEqual(shifted(locking(1), [0x04, 0x07, 0x0b, 0x0c, 0x1c, 0x1d, 0x40, 0x60]), whole('€ıĞğŞşİç'));
  assert.deepEqual(shifted([...locking(1), ...single(1)], [0x1d, esc, 0x65, esc, 0x41]), whole('ş€A'));
  // Spanish has a single shift table alone.
  const spanish = [0x09, 0x41, 0x49, 0x4f, 0x55, 0x61, 0x69, 0x6f, 0x75].flatMap((septet) => [esc, septet]);
  assert.deepEqual(shifted(single(2), spanish), whole('çÁÍÓÚáíóú'));
  const portuguese = [0x05, 0x0b, 0x1f, 0x5b, 0x5c, 0x61, 0x7b, 0x7c, 0x7f].flatMap((septet) => [
    esc,
    septet,
  ]);
  assert.deepEqual(shifted(single(3), portuguese), whole('êÔÊÃÕÂãõâ'));
  assert.deepEqual(shifted(locking(3), [0x04, 0x0c, 0x13, 0x17, 0x5b, 0x60, 0x7b, 0x7d]), whole('êôÇ\\Ã~ã`'));
  // What every table has.
  assert.deepEqual(shifted(single(3), [esc, 0x28, esc, 0x65, esc, 0x40]), whole('{€|'));
  // A language whose table is not here, and Spanish where it has none: the octets are kept.
  for (const header of [single(14), locking(14), locking(2)]) {
    const octets = Buffer.from([0x41, 0x42]);
    const message = {
      from: '972501',
      to: '1234',
      text: 'binary(0): 4142',
      binary: { octets, dataCoding: 0 },
    };
    assert.deepEqual(shifted(header, [...octets]), { kind: 'whole', message });
  }
  // Only the default alphabet is shifted.
  const ucs2 = read({
    esmClass: 0x40,
    dataCoding: 8,
    shortMessage: Buffer.from([3, ...single(1), 0x05, 0xe9]),
  });
  assert.deepEqual(ucs2, whole('ש'));
});

test('texts in the languages of India are read by their tables', () => {
  // Septets as the tables of 3GPP TS 23.038 have them, A.3.4 to A.3.13, and a digit after an escape by A.2.4 to A.2.13.
  const cases: [language: number, septets: string, text: string][] = [
    [4, '40 50 01 46 50 1B 19', 'বাংলা০'],
    [5, '2F 42 4C 5F 27 59 1B 21', 'નમસ્તે૫'],
    [6, '2F 42 4C 5F 27 59 1B 21', 'नमस्ते५'],
    [7, '15 2F 5F 2F 24 1B 25', 'ಕನ್ನಡ೯'],
    [8, '42 46 43 50 47 01 1B 30', 'മലയാളംൻ'],
    [9, '13 24 4E 51 04 1B 20', 'ଓଡ଼ିଆ୪'],
    [10, '3D 7B 1D 50 40 52 1B 1C', 'ਪੰਜਾਬੀ੦'],
    [11, '27 42 51 48 5F 1B 24', 'தமிழ்௮'],
    [12, '27 58 46 53 17 53 1B 1D', 'తెలుగు౧'],
    [13, '00 25 1A 53 1B 3F', 'اردو۔'],
  ];
  for (const [language, septets, text] of cases) {
    const content = Buffer.from(septets.replaceAll(' ', ''), 'hex');
    // Digits, small letters and line ends are where they always are; capitals are in the single shift table.
    const common = Buffer.from([0x20, 0x31, 0x61, 0x0a, 0x1b, 0x41, 0x1b, 0x65, 0x1b, 0x3c]);
    const header = Buffer.from([6, 0x25, 1, language, 0x24, 1, language]);
    const shortMessage = Buffer.concat([header, content, common]);
    assert.deepEqual(read({ esmClass: 0x40, shortMessage }), whole(`${text} 1a\nA€[`), `${language}`);
  }
  // A septet that the table of the language leaves free.
  const free = Buffer.from([3, 0x25, 1, 11, 0x2c, 0x2b]);
  assert.deepEqual(read({ esmClass: 0x40, shortMessage: free }), whole(',\ufffd'));
});

test('what is no text of its East Asian set is kept as octets, in one part and in several', () => {
  const octets = Buffer.from([0xff, 0xfe, 0x41]);
  for (const dataCoding of [0x0a, 0x0e]) {
    const text = `binary(${dataCoding}): FFFE41`;
    const message = { from: '972501', to: '1234', text, binary: { octets, dataCoding } };
    assert.deepEqual(read({ dataCoding, shortMessage: octets }), { kind: 'whole', message });
  }
  const parts = [octets.subarray(2), octets.subarray(0, 2)].map((each, i): EncodedPart => {
    return { charset: 'euc-kr', sequence: 2 - i, octets: each, dataCoding: 14 };
  });
  assert.deepEqual(joinParts(parts), { text: 'binary(14): FFFE41', binary: { octets, dataCoding: 14 } });
  // A character of two octets that is cut between two parts.
  const cut = [[0xb0], [0xa1, 0x41]].map((each, i): EncodedPart => {
    return { charset: 'euc-kr', sequence: i + 1, octets: Buffer.from(each), dataCoding: 14 };
  });
  assert.deepEqual(joinParts(cut), { text: '가A' });
});

test('application ports are kept, of 8 and of 16 bits', () => {
  const octets = Buffer.from([0x01, 0x06]);
  const to = (header: number[]) =>
    read({ esmClass: 0x40, dataCoding: 4, shortMessage: Buffer.from([header.length, ...header, ...octets]) });
  const kept = (ports: object) => ({
    kind: 'whole',
    message: {
      ...{ from: '972501', to: '1234', ports },
      ...{ text: 'binary(4): 0106', binary: { octets, dataCoding: 4 } },
    },
  });
  assert.deepEqual(to([5, 4, 0x0b, 0x84, 0x23, 0xf0]), kept({ destination: 2948, source: 9200 }));
  assert.deepEqual(to([4, 2, 240, 241]), kept({ destination: 240, source: 241 }));
});
