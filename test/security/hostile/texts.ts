/*
 * Texts of an attacker: what scanners, parsers and regular expressions stumble over, repeated. Each is made to a length of
 * bytes as JSON.
 */

const pieces: readonly string[] = [
  ' ',
  'a',
  '<',
  '"',
  '\\',
  '\n',
  '1',
  ',',
  'ש',
  '&amp;',
  '{{1}}',
  '{{',
  '[DYNAMIC_FIELD1]',
  '[link-1]',
  '[',
  '😀',
  'a\u0301',
  '\u200f',
  'a@',
  'a.',
  '@',
  'http://a.b ',
  '%41',
  '(',
  '+9725',
  '-',
  '=',
  ';',
  ':',
  '/',
  '../',
  '<a href="',
  '<!--',
  'ﷺ',
  'א ',
  '\t',
  '#',
  '0x',
  '\u0000',
];

export const pieceCount = pieces.length;

/** The n-th piece, as often as `bytes` of JSON have room for it; never half of one. */
export function textOf(n: number, bytes: number): string {
  const piece = pieces[n % pieces.length]!;
  return piece.repeat(Math.max(1, Math.floor(bytes / (Buffer.byteLength(JSON.stringify(piece)) - 2))));
}

/** As `textOf`, of the pieces that may stand in a header, as Node writes them. */
export function headerText(n: number, bytes: number): string {
  const plain = pieces.filter((piece) => /^[\x20-\x7e]+$/.test(piece));
  const piece = plain[n % plain.length]!;
  return piece.repeat(Math.max(1, Math.floor(bytes / piece.length)));
}
