import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CODES, CodeCipher } from '../../../server/engine/links/code-cipher.ts';
import { codeFloor } from '../../../server/engine/links/code-months.ts';
import { CodeNumbers } from '../../../server/engine/links/code-numbers.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { covers } from '../../conformance/covers.ts';
import { createDatabase } from '../../support/database.ts';

const cipher = new CodeCipher(Buffer.alloc(32, 7));
const other = new CodeCipher(Buffer.alloc(32, 8));

test('a code of any number is 7 letters and digits, and is read back', covers('texts.short links'), () => {
  const number = fc.oneof(
    fc.integer({ min: 0, max: CODES - 1 }),
    fc.constantFrom(0, 1, 62 ** 4 - 1, 62 ** 4, CODES - 1),
  );
  fc.assert(
    fc.property(fc.array(number, { maxLength: 50 }), (numbers) => {
      const codes = cipher.encode(numbers);
      for (const code of codes) assert.match(code, /^[0-9A-Za-z]{7}$/);
      assert.deepEqual(cipher.decode(codes), numbers);
    }),
  );
});

test('every code is the code of one number', () => {
  const character = fc.constantFrom(
    ...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split(''),
  );
  fc.assert(
    fc.property(fc.array(character, { minLength: 7, maxLength: 7 }), (characters) => {
      const code = characters.join('');
      const [number] = cipher.decode([code]);
      assert.ok(number !== undefined && number >= 0 && number < CODES);
      assert.deepEqual(cipher.encode([number]), [code]);
    }),
  );
});

test('an invalid code is unknown, and does not shift the other codes', () => {
  const [first, second] = cipher.encode([5, 6]) as [string, string];
  const texts = ['', first, 'abc', `${first}x`, 'äbcdefg', '../../x', second, 'abc def', '0'.repeat(500)];
  assert.deepEqual(cipher.decode(texts), [
    undefined,
    5,
    undefined,
    undefined,
    undefined,
    undefined,
    6,
    undefined,
    undefined,
  ]);
});

test('a number that has no code is refused', () => {
  for (const number of [-1, CODES, Number.NaN]) assert.throws(() => cipher.encode([number]), RangeError);
});

test(
  'neighbours have nothing in common, and another key gives other codes',
  covers('texts.short links'),
  () => {
    const count = 10_000;
    const numbers = Array.from({ length: count }, (_, index) => codeFloor(Date.UTC(2026, 5)) + index);
    const codes = cipher.encode(numbers);
    assert.equal(new Set(codes).size, count);
    // Random codes agree in a place with their neighbour in one of 62 cases: 161, give or take 13.
    for (let place = 0; place < 7; place++) {
      const same = codes.filter(
        (code, index) => index > 0 && code[place] === codes[index - 1]![place],
      ).length;
      assert.ok(same > 80 && same < 250, `place ${place}: ${same} of ${count} are as the code before`);
    }
    const shared = new Set(other.encode(numbers));
    assert.ok(codes.filter((code) => shared.has(code)).length < 3);
  },
);

test('numbers are unique over concurrent processes, and each month has its own', async () => {
  const { sql } = await createDatabase();
  const clock = new AdjustableClock();
  const processes = [new CodeNumbers(sql, clock), new CodeNumbers(sql, clock), new CodeNumbers(sql, clock)];
  const taken = await Promise.all(
    processes.flatMap((one) => [one.take(1), one.take(20_000), one.take(33_000), one.take(0)]),
  );
  const numbers = taken.flat();
  assert.equal(numbers.length, 3 * 53_001);
  assert.equal(new Set(numbers).size, numbers.length);
  const floor = codeFloor(clock.now());
  assert.ok(numbers.every((number) => number >= floor));

  clock.advance(32 * 86_400_000);
  const next = codeFloor(clock.now());
  assert.ok(next > floor);
  for (const number of await processes[0]!.take(10)) {
    assert.ok(number >= next, 'of the new month');
    assert.ok(!numbers.includes(number));
  }
});

test('a month that is used up has no more codes, and takes none of the next', async () => {
  const { sql } = await createDatabase();
  const clock = new AdjustableClock();
  const floor = codeFloor(clock.now());
  await sql`INSERT INTO link_code_numbers (floor, next) VALUES (${floor}, ${2 ** 32 - 10})`;
  await assert.rejects(new CodeNumbers(sql, clock).take(1), /used up/);
});
