import { displayNumber, type NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { forEachInSlices, TimeSlice } from '../../kit/time-slices.ts';
import { type Contact, FIELDS, MAX_FIELD } from '../../modules/audience/contact-rows.ts';
import { element, optionalText, text } from './wire/fields.ts';
import { only } from './wire/only.ts';

/*
 * Rows of the contact-list operations. A row with a problem never fails the call (decisions, "Request status codes"),
 * so rows are checked here and not by the schema, which stops at the first problem.
 */

/** Valid rows, and the problems of the others. */
export interface ReadRows<Entry> {
  /** Entries of valid rows, without duplicate phones. */
  readonly entries: readonly Entry[];
  /** Index of the row of each entry. */
  readonly rowOf: readonly number[];
  /** Problems by index of the row, without the path of the row. */
  readonly problems: ReadonlyMap<number, string>;
  /** Number of rows with a phone, valid or not. */
  readonly named: number;
}

/** Maximum characters of a number in an error line. */
const MAX_SHOWN = 30;

const cells = Array.from({ length: FIELDS }, (_, index) => `df${index + 1}`);

/** The schema of a row of `readContacts`, for the documentation. */
export const contactRow = element({
  phone: text.describe('Number, in any spelling.'),
  ...Object.fromEntries(
    cells.map((cell, index) => [
      cell,
      optionalText.meta({
        description: `Value for \`[DYNAMIC_FIELD${index + 1}]\`.`,
        maxLength: MAX_FIELD,
      }),
    ]),
  ),
});

/** Reads rows like `{ phone, df1 … df6 }`, or single phones. */
export async function readContacts(
  rows: readonly unknown[],
  numbers: NumberReader,
): Promise<ReadRows<Contact>> {
  return readRows<Contact>(rows, numbers, '.phone', (row) => {
    const isElement = typeof row === 'object' && row !== null && !('_' in row);
    const fields: (string | null)[] = [];
    const phone = isElement ? (row as { phone?: unknown }).phone : row;
    const found = isElement ? readFields(row as Record<string, unknown>, fields) : undefined;
    const problem = found && ((shown: string) => `.${found.name}${shown}: ${found.message}`);
    return { phone, problem, entry: (digits) => ({ phone: digits, fields }) };
  });
}

/** Reads rows of phones; `field` names the element with the phone, '' if the row itself is the phone. */
export async function readPhones(
  rows: readonly unknown[],
  numbers: NumberReader,
  field: '' | '.phone' = '',
): Promise<ReadRows<string>> {
  return readRows<string>(rows, numbers, field, (row) => {
    const isElement = field !== '' && typeof row === 'object' && row !== null && !('_' in row);
    return { phone: isElement ? (row as { phone?: unknown }).phone : row, entry: (digits) => digits };
  });
}

/** Formats a number as the caller wrote it, for an error line; long ones are cut. */
export const shownNumber = (given: string): string => (given === '' ? '' : ` (${given.slice(0, MAX_SHOWN)})`);

/**
 * Returns the problems of the rows of a list, in their order, a line each.
 *
 * @param field path of a row in the request, without its index
 * @param done the phones that were processed
 * @param name element of a row with the phone, including its dot; '' if the row itself is the phone
 * @param otherwise text for the other entries
 */
export async function rowErrors(
  read: ReadRows<Contact | string>,
  field: string,
  done: readonly string[],
  name: '' | '.phone',
  otherwise: string,
): Promise<string[]> {
  const { entries, rowOf, problems } = read;
  // By index of the row. The problems of the reading are already in order.
  const slice = new TimeSlice();
  const late = new Map<number, string>();
  if (done.length < entries.length) {
    const carriedOut = new Set<string>();
    await forEachInSlices(done, (phone) => carriedOut.add(phone), slice);
    for (const [index, entry] of entries.entries()) {
      if (slice.isOver) await slice.rest();
      const phone = typeof entry === 'string' ? entry : entry.phone;
      if (!carriedOut.has(phone))
        late.set(rowOf[index]!, `${name}${shownNumber(displayNumber(phone))}: ${otherwise}`);
    }
  }
  const errors: string[] = [];
  const rows = rowOf.length + problems.size;
  for (let row = 0; row < rows && errors.length < late.size + problems.size; row++) {
    const problem = problems.get(row) ?? late.get(row);
    if (problem !== undefined) errors.push(`${field}[${row}]${problem}`);
    if (slice.isOver) await slice.rest();
  }
  return errors;
}

/** A row: its phone as written, the problem of its other fields, and the entry once the phone is parsed. */
interface Row<Entry> {
  readonly phone: unknown;
  readonly problem?: ((shown: string) => string) | undefined;
  readonly entry: (digits: string) => Entry;
}

async function readRows<Entry>(
  rows: readonly unknown[],
  numbers: NumberReader,
  field: string,
  read: (row: unknown) => Row<Entry>,
): Promise<ReadRows<Entry>> {
  const slice = new TimeSlice();
  const seen = new Set<string>();
  const entries: Entry[] = [];
  const rowOf: number[] = [];
  const problems = new Map<number, string>();
  let named = 0;
  for (let index = 0; index < rows.length; index++) {
    if (slice.isOver) await slice.rest();
    const { phone, problem, entry } = read(only(rows[index]));
    const text = optionalText.safeParse(phone);
    const digits = text.data === undefined ? undefined : numbers.parse(text.data)?.digits;
    const path = `${field}${shownNumber(text.data ?? '')}`;
    if (!text.success || text.data !== undefined) named++;
    if (!text.success) problems.set(index, `${path}: ${text.error.issues[0]!.message}`);
    else if (text.data === undefined) problems.set(index, `${path}: missing`);
    else if (digits === undefined) problems.set(index, `${path}: too short, too long or not a phone number`);
    else if (problem !== undefined) problems.set(index, problem(shownNumber(text.data)));
    else if (seen.has(digits)) problems.set(index, `${path}: given more than once`);
    else {
      seen.add(digits);
      entries.push(entry(digits));
      rowOf.push(index);
    }
  }
  return { entries, rowOf, problems, named };
}

/** Reads df1 to df6 into `fields`. Returns the problem of the first invalid one. */
function readFields(
  row: Record<string, unknown>,
  fields: (string | null)[],
): { name: string; message: string } | undefined {
  for (const [index, name] of cells.entries()) {
    const cell = row[name];
    if (cell === undefined) continue;
    const text = optionalText.safeParse(cell);
    if (!text.success) return { name, message: text.error.issues[0]!.message };
    if (text.data === undefined) continue;
    if (text.data.length > MAX_FIELD) return { name, message: `over ${MAX_FIELD} characters` };
    while (fields.length < index) fields.push(null);
    fields[index] = text.data;
  }
  return undefined;
}
