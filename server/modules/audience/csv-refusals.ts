/** Reasons why a row of a file is refused: the stored number, and the text for the account. */
export const refusalReasons = {
  'no-phone': [1, 'no phone'],
  'bad-phone': [2, 'phone: too short, too long or not a phone number'],
  'too-many-fields': [3, 'more fields than columns'],
  'long-field': [4, 'a field is over 1000 characters'],
  'not-text': [5, 'not UTF-8 text'],
  'too-long': [6, 'longer than 64 KiB'],
  broken: [7, 'not CSV: a quote is not closed'],
  'no-address': [8, 'no e-mail address'],
  'bad-address': [9, 'e-mail: not an address'],
  'several-lines': [10, 'a field has more than one line'],
  'bad-consent-time': [11, 'time of the consent: not a date, or in the future'],
} as const satisfies Record<string, readonly [number, string]>;

export type RefusalReason = keyof typeof refusalReasons;

const words = new Map<number, string>(Object.values(refusalReasons));

/** Returns the text for a stored number. */
export const reasonText = (stored: number): string => words.get(stored) ?? 'cannot be used';

/** A refused row. */
export interface RefusedRow {
  readonly line: number;
  readonly reason: string;
}
