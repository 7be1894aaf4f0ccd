import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fingerprintOf } from '../../../server/api/send-keys/fingerprint.ts';
import { readSendKey } from '../../../server/api/send-keys/key.ts';
import { Refusal } from '../../../server/kit/errors.ts';

const key = randomBytes(32);
const same = async (one: unknown, other: unknown) =>
  (await fingerprintOf(key, 'sms', one)).equals(await fingerprintOf(key, 'sms', other));

test('a key is read from the header, in quotes or bare, and from the field', () => {
  for (const [header, read] of [
    ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
    ['8e03978e-40d5-43e8-bc93-6894a57f9324', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
    ['  "a b"  ', 'a b'],
    ['"say \\"hi\\" \\\\"', 'say "hi" \\'],
    ['"a, b"', 'a, b'],
    ['x', 'x'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ] as const) {
    assert.equal(readSendKey(header, undefined), read);
  }
  assert.equal(readSendKey(undefined, 'a, "b"'), 'a, "b"');
  assert.equal(readSendKey('"a"', 'a'), 'a');
  assert.equal(readSendKey(undefined, undefined), undefined);
});

test('a key that cannot be used is refused, and the message names where it stands', () => {
  for (const [header, field, name] of [
    ['', undefined, 'Idempotency-Key'],
    ['""', undefined, 'Idempotency-Key'],
    ['"a', undefined, 'Idempotency-Key'],
    ['"a"b"', undefined, 'Idempotency-Key'],
    ['"a";q=1', undefined, 'Idempotency-Key'],
    ['"a", "b"', undefined, 'Idempotency-Key'],
    ['a, b', undefined, 'Idempotency-Key'],
    ['é', undefined, 'Idempotency-Key'],
    ['x'.repeat(256), undefined, 'Idempotency-Key'],
    [undefined, '', 'send_key'],
    [undefined, 'a\nb', 'send_key'],
    [undefined, 'שלום', 'send_key'],
    [undefined, 'x'.repeat(256), 'send_key'],
    ['a', 'b', 'send_key'],
  ] as const) {
    assert.throws(
      () => readSendKey(header, field),
      (error) =>
        error instanceof Refusal && error.code === 'bad-field' && error.message.startsWith(`${name}: `),
      `${header} ${field}`,
    );
  }
});

test('requests that mean the same have one fingerprint', async () => {
  assert.ok(await same({ a: 1, b: [{ c: 'x', d: 2 }] }, { b: [{ d: '2', c: 'x' }], a: '1' }));
  assert.ok(await same({ a: undefined, b: null, c: true }, { c: 'true' }));
  assert.ok(await same({ password: 'one', name: 'x' }, { password: 'two', name: 'x' }));
});

test('requests that differ have different fingerprints, wherever the difference is', async () => {
  for (const [one, other] of [
    [{ a: 'x' }, { a: 'y' }],
    [{ a: 'x' }, { b: 'x' }],
    [{ a: ['x', 'y'] }, { a: ['y', 'x'] }],
    [{ a: ['x', 'y'] }, { a: ['xy'] }],
    [{ a: ['1:x'] }, { a: ['1', 'x'] }],
    [{ a: { b: 'x' } }, { a: ['b', 'x'] }],
    [{ a: [{ b: 'x' }], c: 'y' }, { a: [{ b: 'x', c: 'y' }] }],
    [{ a: ['', 'x'] }, { a: ['x', ''] }],
    [[], ['']],
  ] as const) {
    assert.equal(await same(one, other), false, JSON.stringify([one, other]));
  }
  const content = { a: 'x' };
  const [sms, bulk, elsewhere] = await Promise.all([
    fingerprintOf(key, 'sms', content),
    fingerprintOf(key, 'bulk', content),
    fingerprintOf(randomBytes(32), 'sms', content),
  ]);
  assert.equal(sms.length, 16);
  assert.equal(sms.equals(bulk), false);
  assert.equal(sms.equals(elsewhere), false);
});

test('a long request is read to its end', async () => {
  const phones = Array.from({ length: 50_000 }, (_, index) => ({ text: `05${index}`, id: undefined }));
  const other = [...phones.slice(0, -1), { text: 'x', id: undefined }];
  assert.ok(await same({ phones }, { phones: structuredClone(phones) }));
  assert.equal(await same({ phones }, { phones: other }), false);
});
