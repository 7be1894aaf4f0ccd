/*
 * What buttons, carousels and their cards may have (interface, A4, A5 and "Limits"), for every API; what the interface leaves
 * open is what the platform takes. Lengths are in UTF-16 units.
 */

export const MAX_TEXT = 1_024;
export const MAX_FOOTER = 60;
export const MAX_BUTTON_TEXT = 20;
/** What a reply of a card is known by in the event of its press. */
export const MAX_BUTTON_ID = 200;
/** What a button opens: of a message with buttons, and of a card. */
export const MAX_TARGET = 2_000;
export const MAX_CARD_TARGET = 1_000;
/** An address of media. */
export const MAX_LINK = 2_000;
export const MAX_REPLIES = 3;
export const MAX_CARD_REPLIES = 2;
export const CARDS = { min: 2, max: 10 };
export const MAX_CARD_TEXT = 160;
export const MAX_LINE_BREAKS = 2;

const emoji = /(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

/** Whether a text has emoji, which the button that opens something may not have. */
export const hasEmoji = (text: string): boolean => emoji.test(text);

/** Whether the text of a card has more lines than one may have. */
export const hasTooManyLines = (text: string): boolean =>
  (text.match(/\r\n|\r|\n/g)?.length ?? 0) > MAX_LINE_BREAKS;

/** The place of the first value that is not alike to the first one; -1 for none. */
export const firstUnlike = <T>(values: readonly T[], isAlike: (one: T, first: T) => boolean): number =>
  values.findIndex((value) => !isAlike(value, values[0]!));

/** The place of the first value that another before it has too, which the platform refuses of buttons; -1 for none. */
export const firstRepeated = (values: readonly string[]): number =>
  values.findIndex((value, index) => values.indexOf(value) < index);
