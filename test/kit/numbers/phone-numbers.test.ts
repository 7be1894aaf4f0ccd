import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createNumberReader, displayNumber } from '../../../server/kit/numbers/phone-numbers.ts';
import { covers } from '../../conformance/covers.ts';

const israel = createNumberReader('IL');
const digit = fc.constantFrom(...'0123456789');
const digits = (count: number) => fc.string({ unit: digit, minLength: count, maxLength: count });

test(
  'every spelling of an Israeli mobile is one number, shown as 05xxxxxxxx',
  covers('texts.spellings'),
  () => {
    fc.assert(
      fc.property(
        digits(8),
        fc.constantFrom('', '0', '972', '+972', '00972', '9720', '+9720'),
        fc.array(
          fc.record({ at: fc.nat(16), what: fc.constantFrom(' ', '-', '.', '(', ')', '/', '\u00a0') }),
          {
            maxLength: 4,
          },
        ),
        (rest, prefix, separators) => {
          let text = `${prefix}5${rest}`;
          for (const { at, what } of separators) text = text.slice(0, at) + what + text.slice(at);
          assert.deepEqual(israel.parse(text), { digits: `9725${rest}`, international: false }, text);
          assert.equal(displayNumber(`9725${rest}`), `05${rest}`);
        },
      ),
      { numRuns: 2_000 },
    );
  },
);

test('what is shown is read back as the same number', covers('texts.shown'), () => {
  fc.assert(
    fc.property(
      fc.constantFrom(
        '9725',
        '97250',
        '9723',
        '9728',
        '97277',
        '1415555',
        '1212555',
        '44791',
        '4915',
        '3361',
        '7916',
        '86138',
        '3906',
      ),
      fc.string({ unit: digit, minLength: 6, maxLength: 9 }),
      (prefix, rest) => {
        const read = israel.parse(`+${prefix}${rest}`);
        if (read === null) return;
        assert.deepEqual(israel.parse(displayNumber(read.digits)), read);
        assert.deepEqual(israel.parse(read.digits), read);
        assert.equal(read.international, !read.digits.startsWith('972'));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('American numbers in plain digits are not taken for Israeli service numbers', () => {
  for (const number of [
    '14155550123',
    '12125550123',
    '15155550123',
    '18005550123',
    '17005550123',
    '19175551234',
    '12005551234',
  ]) {
    assert.deepEqual(israel.parse(number), { digits: number, international: true }, number);
    assert.deepEqual(israel.parse(`+${number}`), { digits: number, international: true }, number);
  }
});

test('landlines, and numbers of other home countries', covers('texts.home'), () => {
  assert.equal(israel.parse('03-1234567')?.digits, '97231234567');
  assert.equal(israel.parse('077 123 4567')?.digits, '972771234567');
  const british = createNumberReader('GB');
  assert.deepEqual(british.parse('07911 123456'), { digits: '447911123456', international: false });
  assert.deepEqual(british.parse('0501234567'), null);
  assert.deepEqual(british.parse('972501234567'), { digits: '972501234567', international: true });
  const american = createNumberReader('US');
  assert.deepEqual(american.parse('(415) 555-2671'), { digits: '14155552671', international: false });
});

test('too short, too long, not a number', covers('texts.spellings'), () => {
  for (const text of [
    '',
    '0',
    '5',
    '05012345',
    '05012345678',
    '97250123456',
    '9725012345678',
    '1234',
    '100',
    'abc',
    '05o1234567',
    '+',
    '++972501234567',
    '972+501234567',
    '0501234567x',
    '0501234567,0501234568',
    '٠٥٠١٢٣٤٥٦٧',
    '5e8',
    '501234567-x',
    '1'.repeat(21),
    '+0501234567',
    '0'.repeat(10),
  ]) {
    assert.equal(israel.parse(text), null, text);
  }
});

test('any text is a number of at most 15 digits or null, never an error', () => {
  const unit = fc.oneof(
    { weight: 5, arbitrary: digit },
    fc.constantFrom('+', '-', ' ', '*', '#', ';', 'e', 'x', '٣', '５'),
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 24 }), (text) => {
      const read = israel.parse(text);
      if (read !== null) assert.match(read.digits, /^[1-9]\d{3,14}$/, text);
    }),
    { numRuns: 5_000 },
  );
});
