import { stringify } from 'csv-stringify/sync';
import { escapeCell } from './csv-cells.ts';

export type CsvCell = string | number | null;

/** A piece of a CSV file as it is sent, and how many rows of data it has, the names of the columns left out. */
export interface CsvChunk {
  readonly data: Buffer;
  readonly rows: number;
}

/**
 * Rows of a CSV file, whatever is exported; no cell of it is a formula. The file begins with a byte-order mark (`first`),
 * without which spreadsheets do not take it for UTF-8.
 */
export function writeCsv(rows: readonly (readonly CsvCell[])[], first: boolean): Buffer {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeCell(cell) : cell)));
  return Buffer.from(stringify(cells, { bom: first, record_delimiter: '\r\n', quoted_match: /[\r\n]/ }));
}

/**
 * A CSV file with the names of its columns, whose rows come page by page.
 *
 * @param cells of a row, in the order of the names
 * @param hasMark whether the file begins with a byte-order mark
 */
export async function* csvOf<T>(
  names: readonly string[],
  pages: AsyncIterable<readonly T[]>,
  cells: (row: T) => readonly CsvCell[],
  hasMark = true,
): AsyncGenerator<CsvChunk> {
  // With the first page: when that cannot be read, nothing of the file was sent.
  let head = [names];
  for await (const rows of pages) {
    yield { data: writeCsv([...head, ...rows.map(cells)], head.length > 0 && hasMark), rows: rows.length };
    head = [];
  }
  if (head.length > 0) yield { data: writeCsv(head, hasMark), rows: 0 };
}
