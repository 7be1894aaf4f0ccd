/*
 * What may be given of lists and users. Lengths are in characters (UTF-16 units, as most languages count).
 */

/** Of the name of a list. */
export const LIST_NAME_MOST = 200;
/** Of what is said of a list. */
export const DESCRIPTION_MOST = 2_000;
/** Of a first or last name, an address before it is read. */
export const NAME_MOST = 320;
export const PHONE_MOST = 50;
/** Of the name of a field, and of what a user has in it. */
export const KEY_MOST = 100;
export const VALUE_MOST = 1_000;
/** Fields of a user, of each sort. */
export const FIELDS_MOST = 100;

/**
 * Whether a text has no line breaks and no other controls: what stands in the header of a mail, or may come to stand there
 * by a placeholder, must not begin another header.
 */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);
