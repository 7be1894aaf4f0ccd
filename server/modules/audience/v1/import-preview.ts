import { readMailAddress } from '../../../channels/mail/addresses.ts';
import { type MailColumn, readMailRow, standardColumnOf } from '../../../channels/mail/csv-layout.ts';
import type { ColumnOf } from '../../../channels/mail/v1/column-words.ts';
import type { NumberReader } from '../../../kit/numbers/phone-numbers.ts';
import { FIELDS } from '../contact-rows.ts';
import {
  type ColumnTarget,
  type HeaderChoice,
  isPhoneName,
  readFirstRow,
  readRow,
  SAMPLE_BYTES,
} from '../csv-layout.ts';
import { firstRows } from '../csv-preview.ts';
import type { CsvRow } from '../csv-reader.ts';
import { type RefusalReason, reasonText, refusalReasons } from '../csv-refusals.ts';

/*
 * One file for contact lists and mailing lists: the meaning of its columns for a person, and what it becomes in the imports of
 * both.
 */

/** Columns that are read; imports skip further ones. */
export const MAX_COLUMNS = 200;

/** Meaning of a column for a person; null: not imported. */
type PersonColumn = ColumnOf<'phone' | 'email' | 'first_name' | 'last_name'>;

/** A row of the file, as both imports would read it. */
interface PersonRow {
  readonly line: number;
  /** The cells exactly as in the file. */
  readonly cells: readonly string[];
  /** E.164 digits; null if an import into a contact list skips the row. */
  readonly phone: string | null;
  readonly phoneProblem: string | null;
  /** Address in normalised form; null if an import into a mailing list skips the row. */
  readonly address: string | null;
  readonly addressProblem: string | null;
}

/** The beginning of a file. */
export interface PeoplePreview {
  /** Whether the first row has the names of the columns. */
  readonly named: boolean;
  readonly columns: readonly { readonly name: string | null; readonly target: PersonColumn }[];
  /** Columns of an import into the contact list; null without a column of numbers. */
  readonly contactColumns: readonly ColumnTarget[] | null;
  /** Columns that a contact has no field left for. */
  readonly leftOut: readonly number[];
  /** Columns of an import into a mailing list; null without a column of addresses. */
  readonly mailColumns: readonly MailColumn[] | null;
  readonly rows: readonly PersonRow[];
}

interface PreviewOptions {
  readonly header: HeaderChoice;
  /** Without it, the names in the file decide. */
  readonly columns?: readonly PersonColumn[] | undefined;
  /** Field names of the contact list; [] for a new list. */
  readonly fields: readonly string[];
  readonly numbers: NumberReader;
}

/**
 * Reads the first rows of a file as imports into contact lists and mailing lists would. Stores nothing. Throws Refusal `bad-field`
 * for an unusable file.
 *
 * @param sample the beginning of the file; bytes beyond SAMPLE_BYTES are ignored
 */
export async function previewPeople(
  sample: Buffer,
  { header, columns: chosen, fields, numbers }: PreviewOptions,
): Promise<PeoplePreview> {
  const beginning = sample.subarray(0, SAMPLE_BYTES);
  const { separator, row } = await readFirstRow(beginning);
  const count = row.fields.length;
  const first = row.fields.slice(0, MAX_COLUMNS).map((cell) => cell.trim());
  const isValue = (cell: string) => numbers.parse(cell) !== null || readMailAddress(cell) !== undefined;
  const named = header === 'yes' || (header === 'auto' && !first.some(isValue));
  const start = named ? { position: row.end, line: row.endLine } : { position: 0, line: 1 };
  const guessed = named ? byNames(first) : byValues(first, numbers);
  const columns = first.map((_, index) => (chosen ? (chosen[index] ?? null) : guessed[index]!));
  const contacts = columns.includes('phone')
    ? contactColumnsOf(columns, named ? first : [], fields)
    : undefined;
  const mailColumns = columns.includes('email') ? columns.map(mailColumnOf) : null;
  const rows = await firstRows(
    beginning.subarray(start.position),
    { separator, ...start },
    sample.length < SAMPLE_BYTES,
  );
  const layout = contacts && { separator, ...slotsOf(upTo(count, contacts.targets, 0)) };
  const mailLayout = mailColumns && { separator, columns: upTo(count, mailColumns, null) };
  const readContact = (cells: readonly string[]) => layout && readRow(cells, layout, numbers);
  const readUser = (cells: readonly string[]) =>
    mailLayout === null ? undefined : readMailRow(cells, mailLayout);
  return {
    named,
    columns: columns.map((target, index) => ({ name: named ? first[index]! : null, target })),
    contactColumns: contacts?.targets ?? null,
    leftOut: contacts?.leftOut ?? [],
    mailColumns,
    rows: rows.map((one) => showRow(one, readContact, readUser)),
  };
}

/** Completes the columns of a file with `count` of them. */
const upTo = <T>(count: number, columns: readonly T[], skipped: T): readonly T[] => [
  ...columns,
  ...Array.from({ length: count - columns.length }, () => skipped),
];

function byNames(names: readonly string[]): PersonColumn[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const standard = isPhoneName(name) ? 'phone' : personColumnOf(standardColumnOf(name));
    const column = standard && !taken.has(standard) ? standard : fieldOf(name);
    const key = column === null || typeof column === 'string' ? column : `field:${column.name}`;
    if (key === null || taken.has(key)) return null;
    taken.add(key);
    return column;
  });
}

const personColumnOf = (standard: ReturnType<typeof standardColumnOf>) =>
  standard === 'cellphone' ? 'phone' : standard;

// The service separates columns in requests with commas. An exported status cannot be imported.
const fieldOf = (name: string): PersonColumn =>
  name === '' || name === 'status' ? null : { name: name.replaceAll(',', ' ') };

/** Without names, the first number and the first address decide, and other columns are not imported. */
function byValues(first: readonly string[], numbers: NumberReader): PersonColumn[] {
  const email = first.findIndex((cell) => readMailAddress(cell));
  const phone = first.findIndex((cell, index) => index !== email && numbers.parse(cell));
  return first.map((_, index) => (index === email ? 'email' : index === phone ? 'phone' : null));
}

const mailColumnOf = (column: PersonColumn): MailColumn => (column === 'phone' ? 'cellphone' : column);

/**
 * Gives each column a field of the contact list: the one of its name, otherwise the first without a name. The address is
 * left out: the number connects a contact with the user of a mailing list.
 */
function contactColumnsOf(
  columns: readonly PersonColumn[],
  names: readonly string[],
  fields: readonly string[],
): { targets: ColumnTarget[]; leftOut: number[] } {
  const wanted = columns.map((column, index) => {
    if (column === null || column === 'phone' || column === 'email') return undefined;
    return (names[index] || (typeof column === 'string' ? column : column.name)).toLowerCase();
  });
  const taken = new Set<number>();
  const slots = wanted.map((name) => {
    const known = fields.findIndex((field, at) => field.toLowerCase() === name && !taken.has(at + 1)) + 1;
    if (name !== undefined && known > 0) taken.add(known);
    return name === undefined ? 0 : known;
  });
  const leftOut: number[] = [];
  const targets = columns.map((column, index): ColumnTarget => {
    if (column === 'phone') return 'phone';
    if (wanted[index] === undefined || slots[index]! > 0) return slots[index]!;
    let slot = 1;
    while (taken.has(slot) || fields[slot - 1]) slot++;
    if (slot > FIELDS) {
      leftOut.push(index);
      return 0;
    }
    taken.add(slot);
    return slot;
  });
  return { targets, leftOut };
}

const slotsOf = (targets: readonly ColumnTarget[]) => ({
  phone: targets.indexOf('phone'),
  slots: targets.map((target) => (target === 'phone' ? 0 : target)),
});

function showRow(
  { line, fields }: CsvRow,
  readContact: (cells: readonly string[]) => ReturnType<typeof readRow>,
  readUser: (cells: readonly string[]) => ReturnType<typeof readMailRow>,
): PersonRow {
  if (typeof fields === 'string') {
    const problem = textOf(fields);
    return { line, cells: [], phone: null, phoneProblem: problem, address: null, addressProblem: problem };
  }
  const contact = readContact(fields);
  const user = readUser(fields);
  return {
    line,
    cells: fields.slice(0, MAX_COLUMNS),
    phone: typeof contact === 'object' ? contact.phone : null,
    phoneProblem: typeof contact === 'string' ? textOf(contact) : null,
    address: typeof user === 'object' ? user.address.key : null,
    addressProblem: typeof user === 'string' ? textOf(user) : null,
  };
}

const textOf = (reason: RefusalReason): string => reasonText(refusalReasons[reason][0]);
