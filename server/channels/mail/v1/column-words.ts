import { isOneLine, MAX_KEY } from '../user-input.ts';

const FIELD = 'field:';

/** A column of a file in a query: a standard one, an own field with this name, or null for one that is not imported. */
export type ColumnOf<Standard extends string> = Standard | { readonly name: string } | null;

/** Reads and writes columns in queries: the standard ones, `field:` and a name, or nothing for a column that is skipped. */
export const columnWords = <const Standard extends string>(standard: readonly Standard[]) => ({
  isColumn(text: string): boolean {
    if (text === '' || standard.some((one) => one === text)) return true;
    const name = text.slice(FIELD.length).trim();
    return text.startsWith(FIELD) && name !== '' && name.length <= MAX_KEY && isOneLine(name);
  },
  read(text: string): ColumnOf<Standard> {
    if (text.startsWith(FIELD)) return { name: text.slice(FIELD.length).trim() };
    return standard.find((one) => one === text) ?? null;
  },
  write: (column: ColumnOf<Standard>): string =>
    column === null ? '' : typeof column === 'string' ? column : FIELD + column.name,
});

/** Columns of an import into a mailing list. */
export const mailColumnWords = columnWords(['email', 'first_name', 'last_name', 'cellphone']);
