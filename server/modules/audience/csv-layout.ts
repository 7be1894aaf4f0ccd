import { badField, Refusal } from '../../kit/errors.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import type { ImportConsent } from '../consents/import.ts';
import { type Contact, FIELDS, MAX_FIELD } from './contact-rows.ts';
import { CsvReader, type CsvRow } from './csv-reader.ts';
import type { RefusalReason } from './csv-refusals.ts';

/** Meaning of the columns of a file. */
export interface CsvLayout {
  readonly separator: string;
  /** Index of the column with the phone. */
  readonly phone: number;
  /** The dynamic field of each column, 1 to 6; 0: not imported. */
  readonly slots: readonly number[];
  /** Treatment of contacts that are in the list already; absent: they are kept. */
  readonly existing?: ExistingChoice;
  /** Consent of the contacts in the file; without it, no consent is recorded. */
  readonly consent?: ImportConsent;
}

/**
 * Treatment of a row whose number or address is in the list already, also from an earlier row of the file: `keep` changes
 * nothing, `update` sets the fields for which the row has a value.
 */
export type ExistingChoice = 'keep' | 'update';

/** Options of an import that apply to files of every kind. */
export interface ImportOptions {
  readonly existing?: ExistingChoice | undefined;
  /** Consent of the people in the file. */
  readonly consent?: ImportConsent | undefined;
}

/**
 * Adds the options of an import to the layout of a file with `count` columns. Throws Refusal `bad-field` if the consent's
 * column of times does not exist.
 */
export function withOptions<
  Layout extends { readonly existing?: ExistingChoice; readonly consent?: ImportConsent },
>(layout: Layout, count: number, { existing, consent }: ImportOptions): Layout {
  if (consent && 'column' in consent.when && consent.when.column >= count) {
    throw badField('consent_column', `the file has ${count} columns`, 'columns-differ', { columns: count });
  }
  return { ...layout, ...(existing && { existing }), ...(consent && { consent }) };
}

/** Names of the columns of an exported file, except that of the phone. */
export interface ExportLayout {
  readonly columns: readonly string[];
}

/** Whether the first row contains names. `auto` decides by whether one of its fields is a phone number. */
export type HeaderChoice = 'auto' | 'yes' | 'no';

/** Meaning of a column: the phone, a dynamic field (1 to 6), or not imported (0). */
export type ColumnTarget = 'phone' | number;

/**
 * How columns get their meaning: by their names; column by column from the caller (further columns are not imported);
 * or only the phone, by its name.
 */
export type ColumnChoice = 'named' | 'phone-only' | readonly ColumnTarget[];

/** The layout, the list's field names completed from the file, and the position of the first row of data. */
export interface ReadLayout {
  readonly layout: CsvLayout;
  readonly columns: readonly string[];
  readonly position: number;
  readonly line: number;
  /** The first row, if it contains names. */
  readonly names: readonly string[] | undefined;
}

/** The file has more columns than a contact has fields, so the caller must choose among them. */
export class TooManyColumns extends Refusal {
  constructor() {
    super('bad-field', `more than ${FIELDS} columns beside the phone`, 'file', {
      reason: 'too-many-fields',
      params: { max: FIELDS },
    });
  }
}

/** Bytes at the beginning of a file from which its layout is read: enough for the longest row. */
export const SAMPLE_BYTES = 128 * 1024;

/** The first row is read in pieces of this many bytes, so that later rows are not parsed. */
const PIECE_BYTES = 512;

/** Maximum length of the name of a column or dynamic field, in characters. */
export const MAX_NAME = 100;
const phoneNames =
  /^(phones?|(phone|mobile|cell|telephone)?[ _-]?(number|no\.?)|mobile|cell|cellphone|cellular|tel|telephone|msisdn|טלפון|נייד|סלולרי|מספר|מספר (טלפון|נייד)|טלפון נייד|هاتف|الهاتف|رقم|رقم الهاتف|جوال|телефон|номер|номер телефона)$/iu;

/**
 * Reads the layout from the beginning of a file: the separator (comma, semicolon or tab, whichever is most frequent in
 * the first line), whether the first row contains names, the column with the phone (by its name, otherwise the first),
 * and the dynamic field of each other column (the list's field of that name, otherwise the first unnamed one). `choice`
 * may set the columns instead. Throws Refusal `bad-field` for an unusable file, or a choice that does not fit it.
 */
export async function readLayout(
  sample: Buffer,
  header: HeaderChoice,
  numbers: NumberReader,
  known: readonly string[],
  choice: ColumnChoice = 'named',
): Promise<ReadLayout> {
  const { separator, row } = await readFirstRow(sample);
  const first = row.fields;
  const named = header === 'yes' || (header === 'auto' && !first.some((field) => numbers.parse(field)));
  const start = named
    ? { position: row.end, line: row.endLine, names: first }
    : { position: 0, line: 1, names: undefined };
  if (choice !== 'named') {
    const targets = choice === 'phone-only' ? onlyPhone(first, named, numbers) : choice;
    return { ...placeColumns(targets, first, named, known, separator), ...start };
  }
  if (!named) {
    if (first.slice(1 + FIELDS).some((field) => field.trim() !== '')) throw tooManyColumns();
    const slots = first.slice(0, 1 + FIELDS).map((_, index) => index);
    return { layout: { separator, phone: 0, slots }, columns: known, ...start };
  }
  return { ...nameColumns(first, known, separator), ...start };
}

/**
 * Returns the separator of a file (comma, semicolon or tab, whichever is most frequent in the first line) and its first
 * row. Throws Refusal `bad-field` for a file without rows.
 */
export async function readFirstRow(
  sample: Buffer,
): Promise<{ separator: string; row: Omit<CsvRow, 'fields'> & { readonly fields: readonly string[] } }> {
  if ((sample[0] === 0xff && sample[1] === 0xfe) || (sample[0] === 0xfe && sample[1] === 0xff)) {
    throw badField('file', 'is UTF-16, save it as UTF-8', 'not-utf8');
  }
  const separator = separatorOf(sample);
  const row = await firstRow(sample, separator);
  if (!row || typeof row.fields === 'string') {
    throw badField('file', 'its first row cannot be read', 'first-row');
  }
  return { separator, row: { ...row, fields: row.fields } };
}

/**
 * Reads a row of data by its layout. Returns a contact, or the reason why the row is invalid; undefined for a row
 * without text.
 */
export function readRow(
  fields: readonly string[],
  layout: CsvLayout,
  numbers: NumberReader,
): Contact | RefusalReason | undefined {
  const cells = fields.map((field) => field.trim());
  if (cells.every((cell) => cell === '')) return undefined;
  const contact: (string | null)[] = [];
  for (const [index, cell] of cells.entries()) {
    if (cell === '') continue;
    if (!isText(cell)) return 'not-text';
    if (index === layout.phone) continue;
    const slot = layout.slots[index];
    if (slot === undefined) return 'too-many-fields';
    if (slot === 0) continue;
    if (cell.length > MAX_FIELD) return 'long-field';
    while (contact.length < slot - 1) contact.push(null);
    contact[slot - 1] = cell;
  }
  const phone = cells[layout.phone];
  if (!phone) return 'no-phone';
  const digits = numbers.parse(phone)?.digits;
  return digits === undefined ? 'bad-phone' : { phone: digits, fields: contact };
}

function nameColumns(names: readonly string[], known: readonly string[], separator: string) {
  const trimmed = names.map((name) => name.trim());
  if (!trimmed.every(isText)) throw badField('file', 'its first row is not UTF-8 text', 'not-utf8');
  const phone = phoneAmong(trimmed);
  const columns = [...known];
  const taken = new Set<number>([0]);
  const slots = trimmed.map(() => 0);
  const place = (index: number, slot: number) => {
    slots[index] = slot;
    taken.add(slot);
  };
  const others = trimmed.flatMap((name, index) => (index === phone || name === '' ? [] : [{ name, index }]));
  for (const { name, index } of others) {
    const numbered = Number(/^df([1-6])$/i.exec(name)?.[1] ?? 0);
    const slot = taken.has(numbered)
      ? columns.findIndex((one, at) => same(one, name) && !taken.has(at + 1)) + 1
      : numbered;
    if (slot > 0) place(index, slot);
  }
  for (const { name, index } of others) {
    if (slots[index] !== 0) continue;
    if (name.length > MAX_NAME) throw longName();
    let slot = 1;
    while (taken.has(slot) || columns[slot - 1]) slot++;
    if (slot > FIELDS) throw tooManyColumns();
    place(index, slot);
    while (columns.length < slot) columns.push('');
    columns[slot - 1] = name;
  }
  return { layout: { separator, phone, slots }, columns };
}

/** Whether a column is named like one with phones. */
export const isPhoneName = (name: string): boolean => phoneNames.test(name.trim());

/** Returns the index of the column named like a phone, otherwise of the first. */
const phoneAmong = (names: readonly string[]): number => Math.max(0, names.findIndex(isPhoneName));

/** Selects only the column with the phone; in a file without names, the first column with a number. */
function onlyPhone(first: readonly string[], named: boolean, numbers: NumberReader): ColumnTarget[] {
  const phone = named
    ? phoneAmong(first)
    : Math.max(
        0,
        first.findIndex((field) => numbers.parse(field)),
      );
  return first.map((_, index) => (index === phone ? 'phone' : 0));
}

/** Returns the layout that the caller chose. A field without a name in the list gets the name of its column. */
function placeColumns(
  targets: readonly ColumnTarget[],
  first: readonly string[],
  named: boolean,
  known: readonly string[],
  separator: string,
) {
  if (targets.length > first.length) {
    throw badField(
      'columns',
      `the file has ${first.length} columns, not ${targets.length}`,
      'columns-differ',
      { columns: first.length },
    );
  }
  if (targets.filter((target) => target === 'phone').length !== 1) {
    throw badField('columns', 'one of them, and only one, must be the phone', 'no-phone-column');
  }
  const slots = first.map((_, index) => {
    const target = targets[index] ?? 0;
    return target === 'phone' ? 0 : target;
  });
  const chosen = slots.filter((slot) => slot > 0);
  if (new Set(chosen).size < chosen.length) {
    throw badField('columns', 'two of them are the same dynamic field', 'same-columns');
  }
  const columns = [...known];
  for (const [index, slot] of slots.entries()) {
    const name = named ? first[index]!.trim() : '';
    if (slot === 0 || name === '' || columns[slot - 1]) continue;
    if (!isText(name)) throw badField('file', 'its first row is not UTF-8 text', 'not-utf8');
    if (name.length > MAX_NAME) throw longName();
    while (columns.length < slot) columns.push('');
    columns[slot - 1] = name;
  }
  return { layout: { separator, phone: targets.indexOf('phone'), slots }, columns };
}

const longName = () =>
  badField('file', `a column name is over ${MAX_NAME} characters`, 'column-name-too-long', { max: MAX_NAME });
const tooManyColumns = () => new TooManyColumns();

/** Whether a text contains neither invalid UTF-8 nor NUL, which PostgreSQL rejects. */
export const isText = (value: string) => !/[\ufffd\0]/.test(value);

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function separatorOf(sample: Buffer): string {
  const counts = new Map([
    [',', 0],
    [';', 0],
    ['\t', 0],
  ]);
  let quoted = false;
  let some = false;
  for (const character of sample.toString('utf8').replace(/^\ufeff/, '')) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) {
      if (some) break;
    } else if (!quoted && counts.has(character)) counts.set(character, counts.get(character)! + 1);
    some ||= character !== '\n' && character !== '\r';
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

async function firstRow(sample: Buffer, separator: string): Promise<CsvRow | undefined> {
  const reader = new CsvReader({ separator, position: 0, line: 1 });
  for (let start = 0; start < sample.length; start += PIECE_BYTES) {
    const [row] = await reader.push(sample.subarray(start, start + PIECE_BYTES));
    if (row) return row;
  }
  return (await reader.end())[0];
}
