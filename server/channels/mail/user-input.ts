/*
 * What may be given of lists and users. Lengths are in characters (UTF-16 units, as most languages count).
 */

/** Of the name of a list. */
export const MAX_LIST_NAME = 200;
/** Of what is said of a list. */
export const MAX_DESCRIPTION = 2_000;
/** Of a first or last name, an address before it is read. */
export const MAX_NAME = 320;
export const MAX_PHONE = 50;
/** Of the name of a field, and of what a user has in it. */
export const MAX_KEY = 100;
export const MAX_VALUE = 1_000;
/** Fields of a user, of each sort. */
export const MAX_FIELDS = 100;

/**
 * Whether a text has no line breaks and no other controls: what stands in the header of a mail, or may come to stand there
 * by a placeholder, must not begin another header.
 */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);
