/*
 * Spreadsheets take a cell that begins with =, +, - or @ for a formula, also behind blanks, quotes and in the full-width
 * forms, and some a cell that begins with a tab or a line break (OWASP, "CSV Injection"). Such a cell is written with an
 * apostrophe in front, which spreadsheets take for "this is text"; reading takes it away again.
 *
 * Apostrophes are passed over in the search for what a cell begins with, so a text that has one in front of a formula
 * gets another: writing and reading is the identity for every text.
 */

/** Not for formulas: a number with its sign, as +972501234567 or -12.50, which spreadsheets read as the number that it is. */
const SIGNED_NUMBER = /^[+-]\d+(?:[.,]\d+)*$/;
const FORMULA = /^[\t\r\n]|^[\s\p{Cf}"'`]*[=+\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/u;
const APOSTROPHE = "'";

/** A cell as it is written into a CSV file. */
export function escapeCell(text: string): string {
  return isFormula(text) ? APOSTROPHE + text : text;
}

/** A cell as it was before `escapeCell`. */
export function unescapeCell(text: string): string {
  return text.startsWith(APOSTROPHE) && isFormula(text.slice(1)) ? text.slice(1) : text;
}

function isFormula(text: string): boolean {
  let start = 0;
  while (text[start] === APOSTROPHE) start++;
  const bare = start === 0 ? text : text.slice(start);
  return FORMULA.test(bare) && !SIGNED_NUMBER.test(bare);
}
