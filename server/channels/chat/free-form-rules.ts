/*
 * Limits of messages with buttons and carousels (interface, A4, A5 and "Limits"), for every API; where the interface
 * sets none, the platform's. Lengths are in UTF-16 units.
 */

export const MAX_TEXT = 1_024;
export const MAX_FOOTER = 60;
export const MAX_BUTTON_TEXT = 20;
/** Id of a card's reply in the event of its press. */
export const MAX_BUTTON_ID = 200;
/** Target of a button: in a message with buttons, and in a card. */
export const MAX_TARGET = 2_000;
export const MAX_CARD_TARGET = 1_000;
/** Address of media. */
export const MAX_LINK = 2_000;
export const MAX_REPLIES = 3;
export const MAX_CARD_REPLIES = 2;
export const CARDS = { min: 2, max: 10 };
export const MAX_CARD_TEXT = 160;
export const MAX_LINE_BREAKS = 2;

const emoji = /(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

/** Whether a text contains emoji, which external buttons must not have. */
export const hasEmoji = (text: string): boolean => emoji.test(text);

/** Whether the text of a card has too many lines. */
export const hasTooManyLines = (text: string): boolean =>
  (text.match(/\r\n|\r|\n/g)?.length ?? 0) > MAX_LINE_BREAKS;

/** Returns the index of the first value that is not like the first one; -1 for none. */
export const firstUnlike = <T>(values: readonly T[], isAlike: (one: T, first: T) => boolean): number =>
  values.findIndex((value) => !isAlike(value, values[0]!));

/** Returns the index of the first repeated value, which the platform refuses for buttons; -1 for none. */
export const firstRepeated = (values: readonly string[]): number =>
  values.findIndex((value, index) => values.indexOf(value) < index);
