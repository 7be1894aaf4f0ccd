import { parse } from 'csv-parse/browser/esm/sync';
import { unescapeCell } from '../../../../server/kit/text/csv-cells.ts';

/** Bytes at the beginning of a file that the preview reads. */
const SAMPLE_BYTES = 64 * 1024;
const ROWS = 7;
const separators = [',', ';', '\t'];

/** `email`, `first_name`, `last_name`, `cellphone`, `field:` and a name, or '' for a column that is left out. */
export type Target = string;

/** The beginning of a file. */
export interface Sample {
  /** Rows of the file; the first may contain column names. */
  readonly rows: readonly (readonly string[])[];
  /** Whether the first row looks like names: none of its fields is an address. */
  readonly looksNamed: boolean;
}

/** Reads the beginning of a CSV file; undefined for any other file. */
export async function readSample(file: Blob): Promise<Sample | undefined> {
  const text = await file.slice(0, SAMPLE_BYTES).text();
  const readings = separators.flatMap((delimiter) => {
    try {
      const rows = parse(text, {
        delimiter,
        bom: true,
        trim: true,
        to: ROWS,
        skip_empty_lines: true,
        relax_column_count: true,
      });
      return [rows.map((row) => row.map(unescapeCell))];
    } catch {
      return [];
    }
  });
  const width = (rows: readonly (readonly string[])[]) => rows[0]?.length ?? 0;
  const rows = readings.sort((one, other) => width(other) - width(one))[0];
  if (rows === undefined || width(rows) === 0) return undefined;
  return { rows, looksNamed: !rows[0]!.some(looksLikeAddress) };
}

const looksLikeAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** Why an import would skip a row, in the service's words, as far as it is seen here; null for one that looks valid. */
export function problemOf(cells: readonly string[], targets: readonly Target[]): string | null {
  if (cells.slice(targets.length).some((cell) => cell !== '')) return 'more fields than columns';
  if (cells.some((cell, index) => targets[index] !== '' && /[\r\n]/.test(cell))) {
    return 'a field has more than one line';
  }
  const address = cells[targets.indexOf('email')] ?? '';
  if (address === '') return 'no e-mail address';
  return looksLikeAddress(address) ? null : 'e-mail: not an address';
}

const known: readonly (readonly [Target, RegExp])[] = [
  ['email', /^(e?[ _-]?mail([ _-]?address)?|address|אימייל|מייל|דוא"?ל|כתובת (מייל|אימייל|דוא"?ל))$/i],
  ['first_name', /^(first|given)[ _-]?name$|^שם פרטי$/i],
  ['last_name', /^((last|family)[ _-]?name|surname|שם משפחה)$/i],
  ['cellphone', /^(cell[ _-]?(phone)?|mobile|phone|tel(ephone)?|טלפון|נייד|טלפון נייד)$/i],
];
const withoutNames: readonly Target[] = ['email', 'first_name', 'last_name', 'cellphone'];

/** Target for a field with this name. The service separates columns with commas, so commas become blanks. */
export const fieldTarget = (name: string): Target => `field:${name.replaceAll(',', ' ')}`;

/** Guesses the targets of the columns from their names or, without names, from their values. */
export function guessTargets({ rows: [first = []] }: Sample, named: boolean): Target[] {
  if (!named) {
    const email = Math.max(0, first.findIndex(looksLikeAddress));
    const others = withoutNames.slice(1);
    return first.map((_, index) => (index === email ? 'email' : (others.shift() ?? '')));
  }
  const taken = new Set<Target>();
  const targets = first.map((name) => {
    const standard = known.find(([, pattern]) => pattern.test(name))?.[0];
    // An exported status column cannot be imported.
    const own = name === '' || name === 'status' ? '' : fieldTarget(name);
    const target = standard !== undefined && !taken.has(standard) ? standard : taken.has(own) ? '' : own;
    taken.add(target);
    return target;
  });
  return taken.has('email') ? targets : ['email', ...targets.slice(1)];
}
