import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type IdForm, normaliseId, receiptIdCandidates } from '../../../server/protocols/smpp/message-id.ts';

const keys = (id: string, known?: IdForm) => receiptIdCandidates(id, known).map(({ key }) => key);

test('case and leading zeros do not tell ids apart', () => {
  assert.equal(normaliseId('000ABC'), 'abc');
  assert.equal(normaliseId('abc'), 'abc');
  assert.equal(normaliseId(' 0012 '), '12');
  assert.equal(normaliseId('000'), '0');
  assert.equal(normaliseId(''), '');
});

test('an id is searched unchanged, and converted both ways', () => {
  assert.deepEqual(receiptIdCandidates('0FF'), [
    { form: 'same', key: 'ff' },
    { form: 'hex-to-decimal', key: '255' },
  ]);
  assert.deepEqual(receiptIdCandidates('255'), [
    { form: 'same', key: '255' },
    { form: 'hex-to-decimal', key: '597' },
    { form: 'decimal-to-hex', key: 'ff' },
  ]);
});

test('the form that matched before comes first', () => {
  assert.deepEqual(keys('255', 'decimal-to-hex'), ['ff', '255', '597']);
  assert.deepEqual(keys('255', 'hex-to-decimal'), ['597', '255', 'ff']);
  // Not a decimal number: the known form has no candidate.
  assert.deepEqual(keys('ff', 'decimal-to-hex'), ['ff', '255']);
});

test('ids over 2^53 are exact, and what is no number of 64 bits is not converted', () => {
  assert.deepEqual(keys('FFFFFFFFFFFFFFFF'), ['ffffffffffffffff', '18446744073709551615']);
  assert.ok(keys('18446744073709551615').includes('ffffffffffffffff'));
  assert.deepEqual(keys('3F2504E0-4F89-11D3-9A0C-0305E82C3301'), ['3f2504e0-4f89-11d3-9a0c-0305e82c3301']);
  assert.deepEqual(keys('d41d8cd98f00b204e9800998ecf8427e'), ['d41d8cd98f00b204e9800998ecf8427e']);
  assert.deepEqual(keys('msg_17'), ['msg_17']);
});

test('whatever the spellings of answer and receipt, the message is found', () => {
  const pad = (text: string, length: number) => text.padStart(length, '0');
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat({ max: 24 }), (id, width) => {
      const decimal = pad(id.toString(), Math.min(width, 20));
      const hex = pad(id.toString(16).toUpperCase(), Math.min(width, 16));
      assert.equal(keys(hex, 'hex-to-decimal')[0], normaliseId(decimal));
      assert.equal(keys(decimal, 'decimal-to-hex')[0], normaliseId(hex));
      assert.ok(keys(decimal).includes(normaliseId(id.toString())));
      assert.ok(keys(hex).includes(normaliseId(decimal)));
      assert.ok(keys(decimal).includes(normaliseId(hex)));
    }),
  );
});

test('no key comes twice, and no text throws', () => {
  fc.assert(
    fc.property(fc.string(), (id) => {
      const found = keys(id);
      assert.equal(new Set(found).size, found.length);
      assert.equal(found[0], normaliseId(id));
    }),
  );
});
