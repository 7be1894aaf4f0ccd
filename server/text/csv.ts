import { stringify } from 'csv-stringify/sync';
import { escapeCell } from './csv-cells.ts';

type CsvCell = string | number | null;

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
