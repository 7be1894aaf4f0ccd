import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import {
  type ColumnChoice,
  type ColumnTarget,
  type HeaderChoice,
  type ReadLayout,
  readLayout,
  readRow,
  SAMPLE_BYTES,
  TooManyColumns,
} from './csv-layout.ts';
import { CsvReader, type CsvRow } from './csv-reader.ts';
import { reasonText, refusalReasons } from './csv-refusals.ts';

const ROWS_SHOWN = 20;
const PIECE_BYTES = 4 * 1024;

/** One of the first rows of a file. */
interface PreviewRow {
  readonly line: number;
  /** The fields exactly as in the file. */
  readonly fields: readonly string[];
  /** E.164 digits; null if the row is invalid. */
  readonly phone: string | null;
  /** Why the row is invalid. */
  readonly problem: string | null;
}

/** Result of an import, as far as the beginning of the file shows it. */
export interface CsvPreview {
  readonly separator: string;
  /** Whether the first row contains names. */
  readonly named: boolean;
  /** Each column of the first row, with its name in the file (if any) and its meaning. */
  readonly columns: readonly { readonly name: string | null; readonly target: ColumnTarget }[];
  /** The file has more columns than a contact has fields: only the phone is imported until the caller chooses. */
  readonly tooManyColumns: boolean;
  readonly rows: readonly PreviewRow[];
}

/**
 * Reads the first rows of a file as an import would, and stores nothing. Throws Refusal `bad-field` as `readLayout`
 * does, except for too many columns.
 *
 * @param sample the beginning of the file; bytes beyond SAMPLE_BYTES are ignored
 * @param known the column names of the list
 */
export async function previewFile(
  sample: Buffer,
  header: HeaderChoice,
  numbers: NumberReader,
  known: readonly string[],
  choice: ColumnChoice = 'named',
): Promise<CsvPreview> {
  const whole = sample.length < SAMPLE_BYTES;
  const beginning = sample.subarray(0, SAMPLE_BYTES);
  let tooManyColumns = false;
  const start = await readLayout(beginning, header, numbers, known, choice).catch((error: unknown) => {
    if (!(error instanceof TooManyColumns)) throw error;
    tooManyColumns = true;
    return readLayout(beginning, header, numbers, known, 'phone-only');
  });
  const { position, line } = start;
  const { separator } = start.layout;
  const rows = await firstRows(beginning.subarray(position), { separator, position, line }, whole);
  return {
    separator,
    named: start.names !== undefined,
    columns: start.layout.slots.map((slot, index) => ({
      name: start.names?.[index]?.trim() ?? null,
      target: index === start.layout.phone ? 'phone' : slot,
    })),
    tooManyColumns,
    rows: rows.map((row) => show(row, start, numbers)),
  };
}

/**
 * Returns the first 20 rows of data.
 *
 * @param bytes the beginning of the file, from `position`
 * @param whole whether the file ends with it; otherwise the last row may be incomplete and is left out
 */
export async function firstRows(
  bytes: Buffer,
  start: { readonly separator: string; readonly position: number; readonly line: number },
  whole: boolean,
): Promise<CsvRow[]> {
  const reader = new CsvReader(start);
  const rows: CsvRow[] = [];
  for (let at = 0; at < bytes.length && rows.length < ROWS_SHOWN; at += PIECE_BYTES) {
    rows.push(...(await reader.push(bytes.subarray(at, at + PIECE_BYTES))));
  }
  if (whole && rows.length < ROWS_SHOWN) rows.push(...(await reader.end()));
  return rows.slice(0, ROWS_SHOWN);
}

function show({ line, fields }: CsvRow, { layout }: ReadLayout, numbers: NumberReader): PreviewRow {
  const row = typeof fields === 'string' ? fields : readRow(fields, layout, numbers);
  const shown = typeof fields === 'string' ? [] : fields;
  if (row === undefined) return { line, fields: shown, phone: null, problem: null };
  if (typeof row === 'string') {
    return { line, fields: shown, phone: null, problem: reasonText(refusalReasons[row][0]) };
  }
  return { line, fields: shown, phone: row.phone, problem: null };
}
