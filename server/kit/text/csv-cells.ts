/*
 * Spreadsheets treat a cell that begins with =, +, - or @ as a formula, also after spaces, quotes and in full-width
 * forms; some also a cell that begins with a tab or a line break (OWASP, "CSV Injection"). Such a cell is written with
 * a leading apostrophe, which marks text in spreadsheets; reading removes it.
 * Leading apostrophes are ignored when looking for a formula, so a text with an apostrophe before a formula gets
 * another one: writing and reading returns every text unchanged.
 */

/** Signed numbers such as +972501234567 or -12.50 are not formulas: spreadsheets read them as numbers. */
const SIGNED_NUMBER = /^[+-]\d+(?:[.,]\d+)*$/;
const FORMULA = /^[\t\r\n]|^[\s\p{Cf}"'`]*[=+\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/u;
const APOSTROPHE = "'";

/** Escapes a cell for a CSV file. */
export function escapeCell(text: string): string {
  return isFormula(text) ? APOSTROPHE + text : text;
}

/** Reverses `escapeCell`. */
export function unescapeCell(text: string): string {
  return text.startsWith(APOSTROPHE) && isFormula(text.slice(1)) ? text.slice(1) : text;
}

function isFormula(text: string): boolean {
  let start = 0;
  while (text[start] === APOSTROPHE) start++;
  const bare = start === 0 ? text : text.slice(start);
  return FORMULA.test(bare) && !SIGNED_NUMBER.test(bare);
}
