import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatAmount, parseAmount, toNumeric } from '../../../server/modules/accounts/money.ts';
import { covers } from '../../conformance/covers.ts';
import { createDatabase } from '../../support/database.ts';

const units = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

test('what is written is read back exactly, in both spellings', () => {
  fc.assert(
    fc.property(units, (amount) => {
      assert.equal(parseAmount(toNumeric(amount)), amount);
      assert.equal(parseAmount(formatAmount(amount)), amount);
      assert.match(toNumeric(amount), /^-?\d+\.\d{4}$/);
      assert.doesNotMatch(formatAmount(amount), /\.$|\.\d*0$|^-?0\d/);
    }),
    { numRuns: 2_000 },
  );
});

test('reading agrees with exact arithmetic', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 900_000_000_000n }),
      fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 4 }),
      fc.boolean(),
      (whole, fraction, negative) => {
        const text = `${negative ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
        const exact = whole * 10_000n + BigInt(fraction.padEnd(4, '0'));
        assert.equal(BigInt(parseAmount(text)), negative ? -exact : exact);
        assert.ok(!Object.is(parseAmount(text), -0));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('what is no amount is refused', () => {
  for (const text of [
    '',
    ' ',
    '1.',
    '.5',
    '1.23456',
    '1,5',
    '1e3',
    '+1',
    '--1',
    '1 ',
    ' 1',
    '0x10',
    'NaN',
    'Infinity',
    '١',
    '9999999999999',
    '999999999999',
  ]) {
    assert.throws(() => parseAmount(text), RangeError, text);
  }
});

test('sums of a thousand amounts are those of the database', covers('credit.exact'), async () => {
  const { sql } = await createDatabase();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), {
        minLength: 1_000,
        maxLength: 1_000,
      }),
      async (amounts) => {
        const [row] = await sql<{ sum: string }[]>`
          SELECT sum(a) AS sum FROM unnest(${amounts.map(toNumeric)}::numeric(18,4)[]) AS t (a)`;
        assert.equal(
          parseAmount(row!.sum),
          amounts.reduce((sum, amount) => sum + amount, 0),
        );
      },
    ),
    { numRuns: 10 },
  );
});
