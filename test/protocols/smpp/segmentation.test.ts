import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  countSeptets,
  decodeGsm,
  decodeUcs2,
  encodeGsm,
  encodeUcs2,
} from '../../../server/kit/text/gsm0338.ts';
import { countParts, segment, segmentUcs2 } from '../../../server/kit/text/segmentation.ts';

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = '\f^{}\\[~]|€';

const gsmText = fc
  .array(fc.constantFrom(...basic, ...extension), { maxLength: 700 })
  .map((characters) => characters.join(''));
/** Any UTF-16 at all, lone surrogates included, with pairs often enough to fall on a cut. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom('א', 'a', '€', '😀', '\ud800', '\udc00'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 300 },
  )
  .map((pieces) => pieces.join(''));

test('the alphabet is that of 3GPP TS 23.038', () => {
  assert.equal(basic.length, 127);
  assert.deepEqual([...encodeGsm('@Δ_ à')], [0x00, 0x10, 0x11, 0x20, 0x7f]);
  assert.deepEqual([...encodeGsm('€[]{}')], [0x1b, 0x65, 0x1b, 0x3c, 0x1b, 0x3e, 0x1b, 0x28, 0x1b, 0x29]);
  assert.deepEqual([...encodeGsm('\f^\\~|')], [0x1b, 0x0a, 0x1b, 0x14, 0x1b, 0x2f, 0x1b, 0x3d, 0x1b, 0x40]);
  assert.equal(countSeptets('`'), -1);
  assert.equal(countSeptets('ç'), -1);
  assert.equal(countSeptets('\u001b'), -1);
});

test('an unknown extension shows the basic character, an escape at the end a space', () => {
  assert.equal(decodeGsm(Buffer.from([0x1b, 0x41])), 'A');
  assert.equal(decodeGsm(Buffer.from([0x41, 0x1b])), 'A ');
  assert.equal(decodeGsm(Buffer.from([0x1b, 0x1b])), ' ');
});

test('texts of the alphabet come back from septets, all texts from UCS-2', () => {
  fc.assert(fc.property(gsmText, (text) => assert.equal(decodeGsm(encodeGsm(text)), text)));
  fc.assert(fc.property(anyText, (text) => assert.equal(decodeUcs2(encodeUcs2(text)), text)));
  fc.assert(fc.property(fc.uint8Array(), (octets) => assert.equal(typeof decodeGsm(octets), 'string')));
  fc.assert(fc.property(fc.uint8Array(), (octets) => assert.equal(typeof decodeUcs2(octets), 'string')));
});

test('the limits of one part and of several', () => {
  const cases: [text: string, parts: number][] = [
    ['', 1],
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    [`${'€'.repeat(80)}a`, 2],
    // 76 euro signs leave one septet of 153 unused.
    ['€'.repeat(152), 2],
    ['€'.repeat(153), 3],
    ['א'.repeat(70), 1],
    ['א'.repeat(71), 2],
    ['א'.repeat(134), 2],
    ['א'.repeat(135), 3],
    ['😀'.repeat(35), 1],
    ['😀'.repeat(36), 2],
    // 67 units hold 33 pairs.
    ['😀'.repeat(66), 2],
    ['😀'.repeat(67), 3],
    [`${'a'.repeat(160)}\ud800`, 3],
  ];
  for (const [text, parts] of cases) {
    assert.equal(countParts(text), parts, `${text.length} of ${text.slice(0, 2)}`);
    assert.equal(segment(text).parts.length, parts);
  }
});

function checkSegments(text: string): void {
  const { encoding, parts } = segment(text);
  assert.equal(parts.join(''), text);
  assert.equal(countParts(text), parts.length);
  const [alone, several] = encoding === 'gsm7' ? [160, 153] : [70, 67];
  const limit = parts.length === 1 ? alone : several;
  for (const part of parts) {
    const size = encoding === 'gsm7' ? countSeptets(part) : part.length;
    assert.ok(size >= 0 && size <= limit, `${size} in a part of ${encoding}`);
  }
  for (let i = 1; i < parts.length; i++) {
    const before = parts[i - 1]!.charCodeAt(parts[i - 1]!.length - 1);
    const after = parts[i]!.charCodeAt(0);
    assert.ok(!(before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000), 'a split pair');
  }
}

test('parts joined are the text, are within the limits, and are as many as were counted', () => {
  fc.assert(fc.property(gsmText, checkSegments));
  fc.assert(fc.property(anyText, checkSegments));
  fc.assert(fc.property(gsmText, (text) => assert.equal(segment(text).encoding, 'gsm7')));
  fc.assert(fc.property(anyText, (text) => assert.equal(segmentUcs2(text).parts.join(''), text)));
});
