import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createNumberReader } from '../../../server/kit/numbers/phone-numbers.ts';
import { type ColumnChoice, readLayout, readRow } from '../../../server/modules/audience/csv-layout.ts';
import { CsvReader, type CsvRow, MAX_ROW, NotCsv } from '../../../server/modules/audience/csv-reader.ts';

const numbers = createNumberReader('IL');

/** Reads a file in pieces of a size, from a place on. */
async function readAll(file: Buffer, piece = file.length || 1, start = { position: 0, line: 1 }) {
  const reader = new CsvReader({ separator: ',', ...start });
  const rows: CsvRow[] = [];
  for (let at = start.position; at < file.length; at += piece) {
    rows.push(...(await reader.push(file.subarray(at, at + piece))));
  }
  rows.push(...(await reader.end()));
  return rows;
}

const brief = (rows: readonly CsvRow[]) => rows.map(({ line, fields }) => [line, fields]);

describe('rows of a file', () => {
  const table: [name: string, file: string, rows: unknown[]][] = [
    ['nothing', '', []],
    ['blank lines', '\n\r\n\n', []],
    [
      'line ends of all systems',
      'a,b\nc\r\nd\re',
      [
        [1, ['a', 'b']],
        [2, ['c']],
        [3, ['d']],
        [4, ['e']],
      ],
    ],
    ['a byte-order mark', '\ufeffa,b\n', [[1, ['a', 'b']]]],
    [
      'quoted fields, with the lines after them counted',
      '"a,""b""\r\nc",d\n\ne\n',
      [
        [1, ['a,"b"\r\nc', 'd']],
        [4, ['e']],
      ],
    ],
    ['a quote within a field is a character', '05,ד"ר כהן\n', [[1, ['05', 'ד"ר כהן']]]],
    [
      'a quote that is not closed costs its row and no other',
      'a,"b\nc,d\ne,"f" g\nh,i\n',
      [
        [1, 'broken'],
        [2, ['c', 'd']],
        [3, ['e', '"f" g']],
        [4, ['h', 'i']],
      ],
    ],
    [
      'two quotes that are not closed',
      'a,"b\nc,"d\ne\n',
      [
        [1, 'broken'],
        [2, 'broken'],
        [3, ['e']],
      ],
    ],
    [
      'a quote that is not closed in the last line',
      'a\nb,"c',
      [
        [1, ['a']],
        [2, 'broken'],
      ],
    ],
    [
      'a huge line',
      `a\n${'x'.repeat(3 * MAX_ROW)}\nb\n`,
      [
        [1, ['a']],
        [2, 'too-long'],
        [3, ['b']],
      ],
    ],
    [
      'a huge last line',
      `a\n${'x'.repeat(3 * MAX_ROW)}`,
      [
        [1, ['a']],
        [2, 'too-long'],
      ],
    ],
  ];
  for (const [name, file, rows] of table) {
    test(name, async () => assert.deepEqual(brief(await readAll(Buffer.from(file))), rows));
  }

  test('a file without end of quotes is abandoned', async () => {
    const file = Buffer.from('a,"b\n'.repeat(1_500));
    await assert.rejects(readAll(file), NotCsv);
  });

  test('pieces and positions to continue from make no difference', async () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'ש', '😀', ' ') }),
      fc.constantFrom('"x"', '"x\ny"', '"x""y"', 'x'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { maxLength: 30 }),
        fc.integer({ min: 1, max: 50 }),
        async (cells, piece) => {
          const file = Buffer.from(cells.join(',\n'));
          const whole = await readAll(file);
          assert.deepEqual(await readAll(file, piece), whole);
          for (const [index, row] of whole.entries()) {
            const rest = await readAll(file, file.length, { position: row.end, line: row.endLine });
            assert.deepEqual(rest, whole.slice(index + 1));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the layout of a file', () => {
  const layoutOf = async (file: string, known: string[] = [], choice: 'auto' | 'yes' | 'no' = 'auto') => {
    const { layout, columns, line } = await readLayout(Buffer.from(file), choice, numbers, known);
    return { ...layout, columns, line };
  };

  test('separators are detected by the first line', async () => {
    assert.equal((await layoutOf('0501234567,a;b,c\n')).separator, ',');
    assert.equal((await layoutOf('0501234567;"a,b,c";d\n')).separator, ';');
    assert.equal((await layoutOf('\ufeff0501234567\ta, b\tc\n')).separator, '\t');
    assert.equal((await layoutOf('0501234567\n')).separator, ',');
  });

  test('without a row of names the phone is first', async () => {
    assert.deepEqual(await layoutOf('0501234567,a,b\n', ['city']), {
      separator: ',',
      phone: 0,
      slots: [0, 1, 2],
      columns: ['city'],
      line: 1,
    });
  });

  test('names find the phone, the columns of the list, and free ones', async () => {
    assert.deepEqual(await layoutOf('Name;City;Mobile number;;df5\n', ['city']), {
      separator: ';',
      phone: 2,
      slots: [2, 1, 0, 0, 5],
      columns: ['city', 'Name'],
      line: 2,
    });
    assert.equal((await layoutOf('שם,טלפון\n')).phone, 1);
  });

  test('the caller may say whether there are names', async () => {
    assert.equal((await layoutOf('0501234567,b\n', [], 'yes')).line, 2);
    assert.equal((await layoutOf('phone,b\n', [], 'no')).line, 1);
  });

  test('files that cannot be used are refused', async () => {
    await assert.rejects(layoutOf(''), /first row/);
    await assert.rejects(layoutOf('phone,a,b,c,d,e,f,g\n'), /more than 6 columns/);
    await assert.rejects(layoutOf(`phone,${'x'.repeat(101)}\n`), /100 characters/);
    await assert.rejects(readLayout(Buffer.from('\ufeffphone\n', 'utf16le'), 'auto', numbers, []), /UTF-16/);
  });

  const chosen = async (file: string, choice: ColumnChoice, known: string[] = []) => {
    const { layout, columns, line, names } = await readLayout(
      Buffer.from(file),
      'auto',
      numbers,
      known,
      choice,
    );
    return { ...layout, columns, line, names };
  };

  test('the caller may say what the columns are', async () => {
    const file = 'a,b,phone,c\n';
    assert.deepEqual(await chosen(file, [3, 0, 'phone'], ['x']), {
      separator: ',',
      phone: 2,
      slots: [3, 0, 0, 0],
      columns: ['x', '', 'a'],
      line: 2,
      names: ['a', 'b', 'phone', 'c'],
    });
    // A column that is named like a phone may be a field, and a field keeps the name that the list has.
    const other = await chosen(file, ['phone', 0, 1], ['x']);
    assert.deepEqual([other.phone, other.slots, other.columns], [0, [0, 0, 1, 0], ['x']]);
    const bare = await chosen('a,0501234567\n', [2, 'phone']);
    assert.deepEqual([bare.phone, bare.slots, bare.columns, bare.names], [1, [2, 0], [], undefined]);
  });

  test('a choice that does not fit the file is refused', async () => {
    await assert.rejects(chosen('phone,a\n', ['phone', 1, 2]), /2 columns, not 3/);
    await assert.rejects(chosen('phone,a\n', [1, 2]), /must be the phone/);
    await assert.rejects(chosen('phone,a\n', ['phone', 'phone']), /only one/);
    await assert.rejects(chosen('phone,a,b\n', ['phone', 1, 1]), /same dynamic field/);
    await assert.rejects(chosen(`phone,${'x'.repeat(101)}\n`, ['phone', 1]), /100 characters/);
  });

  test('with the phone alone, other columns are nothing, however many', async () => {
    const named = await chosen('a,b,c,d,e,f,g,h,tel\n', 'phone-only');
    assert.deepEqual([named.phone, named.slots, named.columns], [8, Array(9).fill(0), []]);
    assert.equal((await chosen('x,0501234567,y\n', 'phone-only')).phone, 1);
    assert.equal((await chosen('x,y\n', 'phone-only')).phone, 0);
  });

  const layout = { separator: ',', phone: 0, slots: [0, 1, 3] };
  const rows: [name: string, fields: string[], read: unknown][] = [
    ['a contact', [' 050-1234567 ', 'a', ' b '], { phone: '972501234567', fields: ['a', null, 'b'] }],
    ['empty fields', ['0501234567', '', ''], { phone: '972501234567', fields: [] }],
    ['nothing in it', ['', ' '], undefined],
    ['no phone', ['', 'a'], 'no-phone'],
    ['bad phone', ['12', 'a'], 'bad-phone'],
    ['more fields than columns', ['0501234567', 'a', 'b', 'c'], 'too-many-fields'],
    ['empty fields beyond the columns', ['0501234567', '', '', ''], { phone: '972501234567', fields: [] }],
    ['long field', ['0501234567', 'x'.repeat(1_001)], 'long-field'],
    ['not text', ['0501234567', 'a\ufffd'], 'not-text'],
    ['NUL', ['0501234567', 'a\0'], 'not-text'],
  ];
  for (const [name, fields, read] of rows) {
    test(`a row: ${name}`, () => assert.deepEqual(readRow(fields, layout, numbers), read));
  }
});
