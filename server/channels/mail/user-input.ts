/* Limits of lists and users. Lengths are in characters (UTF-16 units, as most languages count). */

/** Maximum length of a list's name. */
export const MAX_LIST_NAME = 200;
/** Maximum length of a list's description. */
export const MAX_DESCRIPTION = 2_000;
/** Maximum length of a first or last name, and of an unparsed address. */
export const MAX_NAME = 320;
export const MAX_PHONE = 50;
/** Maximum length of a field's name and value. */
export const MAX_KEY = 100;
export const MAX_VALUE = 1_000;
/** Maximum fields of a user, of each sort. */
export const MAX_FIELDS = 100;

/**
 * Whether a text has no line breaks and no other controls: a text in the header of an email, or inserted there by a
 * placeholder, must not begin another header.
 */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);
