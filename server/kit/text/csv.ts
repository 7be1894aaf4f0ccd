import { stringify } from 'csv-stringify/sync';
import { escapeCell } from './csv-cells.ts';

export type CsvCell = string | number | null;

/** A piece of a CSV file, with its number of data rows, without the header row. */
export interface CsvChunk {
  readonly data: Buffer;
  readonly rows: number;
}

/**
 * Formats rows of a CSV file, for every kind of export. No cell is a formula. The file begins with a byte-order mark
 * (`first`), without which spreadsheets do not recognise UTF-8.
 */
export function writeCsv(rows: readonly (readonly CsvCell[])[], first: boolean): Buffer {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeCell(cell) : cell)));
  return Buffer.from(stringify(cells, { bom: first, record_delimiter: '\r\n', quoted_match: /[\r\n]/ }));
}

/**
 * Yields a CSV file with a header row, from rows in pages.
 *
 * @param cells returns the cells of a row, in the order of the names
 * @param hasMark whether the file begins with a byte-order mark
 */
export async function* csvOf<T>(
  names: readonly string[],
  pages: AsyncIterable<readonly T[]>,
  cells: (row: T) => readonly CsvCell[],
  hasMark = true,
): AsyncGenerator<CsvChunk> {
  // The header is sent with the first page, so that nothing is sent if the first page cannot be read.
  let head = [names];
  for await (const rows of pages) {
    yield { data: writeCsv([...head, ...rows.map(cells)], head.length > 0 && hasMark), rows: rows.length };
    head = [];
  }
  if (head.length > 0) yield { data: writeCsv(head, hasMark), rows: 0 };
}
