import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bigints, byteaArray, ints, smallints, textArray } from '../../server/database/binary-arrays.ts';
import { SealedText } from '../../server/database/sealed-text.ts';
import { createDatabase } from '../support/database.ts';

/* Array parameters in binary form: PostgreSQL reads what was written. */

const { sql } = await createDatabase();

const numbers = [0, 1, -1, null, 255, 256, -32_768, 32_767];
const cases = [
  { name: 'smallint', values: numbers },
  { name: 'integer', values: [...numbers, 65_536, 2 ** 31 - 1, -(2 ** 31) + 1] },
  { name: 'bigint', values: [...numbers, 2 ** 32, -(2 ** 32), -(2 ** 32) - 1, 2 ** 53 - 1, 1 - 2 ** 53] },
] as const;
const written = { smallint: smallints, integer: ints, bigint: bigints };

for (const { name, values } of cases) {
  test(`an array of ${name} is read as it was written, in order`, async () => {
    for (const array of [values, [], [null], [7]]) {
      const rows = await sql<{ value: string | null }[]>`
        SELECT value::text FROM unnest(${written[name](array)}::${sql.unsafe(name)}[]) WITH ORDINALITY AS u (value, n) ORDER BY n`;
      assert.deepEqual(
        rows.map(({ value }) => (value === null ? null : Number(value))),
        array,
      );
    }
  });
}

test('an array of bytes is read as it was written, in order', async () => {
  const values = [Buffer.from([0, 1, 255]), null, Buffer.alloc(0), Buffer.alloc(70_000, 7)];
  for (const array of [values, [], [null]]) {
    const rows = await sql<{ value: Buffer | null }[]>`
      SELECT value FROM unnest(${byteaArray(array)}::bytea[]) WITH ORDINALITY AS u (value, n) ORDER BY n`;
    assert.deepEqual(
      rows.map(({ value }) => value),
      array,
    );
  }
});

test('an array of texts is read as it was written, in order', async () => {
  const values = [
    ...[
      '',
      'a',
      'say "b"',
      '\\',
      'NULL',
      '{',
      ',',
      null,
      '\n',
      'שלום',
      '👋',
      'é'.repeat(30),
      'x'.repeat(100_000),
    ],
    `${'a'.repeat(19)}é`,
    'a'.repeat(20),
    'a'.repeat(21),
  ];
  for (const array of [values, [], [null], ['']]) {
    const rows = await sql<{ value: string | null }[]>`
      SELECT value FROM unnest(${textArray(array)}::text[]) WITH ORDINALITY AS u (value, n) ORDER BY n`;
    assert.deepEqual(
      rows.map(({ value }) => value),
      array,
    );
  }
});

test('only an encrypted text begins with its prefix', async () => {
  const [row] = await sql<{ first: number; second: number }[]>`
    SELECT ascii(t[1]) AS first, ascii(t[2]) AS second
    FROM (SELECT ${textArray(['\u0001caller', new SealedText('\u0001sealed')])}::text[] AS t) AS one`;
  assert.deepEqual(row, { first: 0xfffd, second: 1 });
});

test('a number that does not fit is refused before anything is sent', () => {
  assert.throws(() => bigints([2 ** 53]), RangeError);
  assert.throws(() => bigints([1.5]), RangeError);
  assert.throws(() => bigints([Number.NaN]), RangeError);
  assert.throws(() => ints([2 ** 31]), RangeError);
  assert.throws(() => smallints([-40_000]), RangeError);
});
