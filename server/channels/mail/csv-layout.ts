import { badField } from '../../kit/errors.ts';
import type { ExistingChoice, HeaderChoice } from '../../modules/audience/csv-layout.ts';
import { isText, MAX_NAME, readFirstRow } from '../../modules/audience/csv-layout.ts';
import type { RefusalReason } from '../../modules/audience/csv-refusals.ts';
import type { ImportConsent } from '../../modules/consents/import.ts';
import { readMailAddress } from './addresses.ts';
import type { UserInput } from './user-changes.ts';
import { isOneLine, MAX_FIELDS, MAX_PHONE, MAX_VALUE, MAX_NAME as PERSON_MOST } from './user-input.ts';
import type { MailField } from './user-rows.ts';

/** Meaning of a column: a field of every user, an own field with this name, or not imported. */
export type MailColumn =
  | 'email'
  | 'first_name'
  | 'last_name'
  | 'cellphone'
  | { readonly name: string }
  | null;

/** Meaning of the columns of a file. */
export interface MailCsvLayout {
  readonly separator: string;
  readonly columns: readonly MailColumn[];
  /** Treatment of users whom the account has already; absent: they are updated. */
  readonly existing?: ExistingChoice;
  /** Consent of the people in the file; without it, no consent is recorded. */
  readonly consent?: ImportConsent;
}

/** The layout, and where the first row with data begins. */
interface ReadMailLayout {
  readonly layout: MailCsvLayout;
  readonly position: number;
  readonly line: number;
}

const known: readonly (readonly [Exclude<MailColumn, object | null>, RegExp])[] = [
  [
    'email',
    /^(e?[ _-]?mail([ _-]?address)?|address|אימייל|מייל|דוא"?ל|כתובת (מייל|אימייל|דוא"?ל)|البريد( الإلكتروني)?|почта|эл(ектронная|\.)? почта|адрес)$/iu,
  ],
  ['first_name', /^(first[ _-]?name|given[ _-]?name|שם פרטי|الاسم( الأول)?|имя)$/iu],
  ['last_name', /^(last[ _-]?name|family[ _-]?name|surname|שם משפחה|اسم العائلة|фамилия)$/iu],
  [
    'cellphone',
    /^(cell[ _-]?(phone)?|mobile|phone|tel(ephone)?|(phone|mobile)[ _-]?number|טלפון|נייד|טלפון נייד|جوال|هاتف|телефон)$/iu,
  ],
];
/** Returns the field of every user that a column with this name contains; undefined for a field of another name. */
export const standardColumnOf = (name: string) => known.find(([, pattern]) => pattern.test(name))?.[0];

/** First columns of every exported file. */
export const exportedNames = ['email', 'first name', 'last name', 'cellphone', 'status'] as const;

const withoutNames: readonly MailColumn[] = ['email', 'first_name', 'last_name', 'cellphone'];

/**
 * Reads the layout from the beginning of a file: its separator, whether the first row contains names (`auto`: if none
 * of its fields is an address), and the columns of the address and the fields of every user, by their names. Every
 * other named column becomes a field of that name. Without names, the columns are address, first name, last name and
 * phone. `chosen` overrides the columns; further ones are not imported. Throws Refusal `bad-field` for an unusable
 * file, or a choice that does not fit it.
 */
export async function readMailLayout(
  sample: Buffer,
  choice: HeaderChoice,
  chosen?: readonly MailColumn[],
): Promise<ReadMailLayout> {
  const { separator, row } = await readFirstRow(sample);
  const first = row.fields.map((field) => field.trim());
  const named = choice === 'yes' || (choice === 'auto' && !first.some((field) => readMailAddress(field)));
  const start = named ? { position: row.end, line: row.endLine } : { position: 0, line: 1 };
  if (chosen) return { layout: { separator, columns: placeColumns(chosen, first.length) }, ...start };
  if (!named) {
    if (first.slice(withoutNames.length).some((field) => field !== '')) {
      throw badField('file', `without names, more than ${withoutNames.length} columns`, 'unnamed-columns', {
        max: withoutNames.length,
      });
    }
    return { layout: { separator, columns: withoutNames }, ...start };
  }
  return { layout: { separator, columns: nameColumns(first) }, ...start };
}

function nameColumns(names: readonly string[]): MailColumn[] {
  if (!names.every((name) => isText(name) && isOneLine(name))) {
    throw badField('file', 'its first row is not UTF-8 text in one line', 'not-utf8');
  }
  if (names.some((name) => name.length > MAX_NAME)) {
    throw badField('file', `a column name is over ${MAX_NAME} characters`, 'column-name-too-long', {
      max: MAX_NAME,
    });
  }
  const taken = new Set<string>();
  const isExported = exportedNames.every((name, index) => names[index] === name);
  const columns = names.map((name, index): MailColumn => {
    if (isExported && index === exportedNames.indexOf('status')) return null;
    const standard = standardColumnOf(name);
    const column = standard && !taken.has(standard) ? standard : name === '' ? null : { name };
    taken.add(typeof column === 'string' ? column : name);
    return column;
  });
  if (!taken.has('email')) columns[0] = 'email';
  if (columns.filter((column) => typeof column === 'object' && column !== null).length > MAX_FIELDS) {
    throw badField('file', `more than ${MAX_FIELDS} columns with fields`, 'too-many-fields', {
      max: MAX_FIELDS,
    });
  }
  return columns;
}

/** Returns the columns that the caller chose, for a file with `count` of them. */
function placeColumns(chosen: readonly MailColumn[], count: number): MailColumn[] {
  if (chosen.length > count) {
    throw badField('columns', `the file has ${count} columns, not ${chosen.length}`, 'columns-differ', {
      columns: count,
    });
  }
  const names = chosen.flatMap((column) => (column === null ? [] : JSON.stringify(column)));
  if (!chosen.includes('email')) throw badField('columns', 'one of them must be email', 'no-email-column');
  if (new Set(names).size < names.length)
    throw badField('columns', 'two of them are the same', 'same-columns');
  if (chosen.filter((column) => typeof column === 'object' && column !== null).length > MAX_FIELDS) {
    throw badField('columns', `more than ${MAX_FIELDS} of them are fields`, 'too-many-fields', {
      max: MAX_FIELDS,
    });
  }
  return Array.from({ length: count }, (_, index) => chosen[index] ?? null);
}

/**
 * Reads a row of data by its layout. Returns a user, or the reason why the row is invalid; undefined for a row without
 * text.
 */
export function readMailRow(
  fields: readonly string[],
  { columns }: MailCsvLayout,
): UserInput | RefusalReason | undefined {
  const cells = fields.map((field) => field.trim());
  if (cells.every((cell) => cell === '')) return undefined;
  const standard: { email?: string; first_name?: string; last_name?: string; cellphone?: string } = {};
  const own: MailField[] = [];
  for (const [index, cell] of cells.entries()) {
    if (cell === '') continue;
    if (!isText(cell)) return 'not-text';
    const column = columns[index];
    if (column === undefined) return 'too-many-fields';
    if (column === null) continue;
    if (!isOneLine(cell)) return 'several-lines';
    if (typeof column === 'string') {
      if (cell.length > (column === 'cellphone' ? MAX_PHONE : PERSON_MOST)) return 'long-field';
      standard[column] = cell;
    } else if (cell.length > MAX_VALUE) return 'long-field';
    else own.push([column.name, cell]);
  }
  if (standard.email === undefined) return 'no-address';
  const address = readMailAddress(standard.email);
  if (!address) return 'bad-address';
  return {
    address,
    firstName: standard.first_name,
    lastName: standard.last_name,
    cellphone: standard.cellphone,
    sendFields: own,
  };
}
