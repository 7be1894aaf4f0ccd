import { encode as base64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { hasLongerLines, isPlainText } from 'nodemailer/lib/mime-funcs';
import { encode as quotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp';

/** A piece of a text: the same in every email, or the value of one email. */
export type Piece<T> = string | ((mail: T) => string);

/** A text of an email in its transfer encoding (RFC 2045, 6). */
export interface EncodedText<T> {
  readonly encoding: '7bit' | 'quoted-printable' | 'base64';
  /** Encodes the text of one email; its lines end with CRLF, except the last one. */
  readonly write: (mail: T) => string;
}

/** Maximum characters of an encoded line (RFC 2045, 6.7 and 6.8). */
const MAX_LINE = 76;
const SOFT_BREAK = '=\r\n';

/**
 * Chooses the transfer encoding of a text as nodemailer does, from the part that all emails have in common, and encodes
 * that part once: 7bit if possible and no email has values, quoted-printable if most letters are Latin, otherwise
 * base64.
 */
export function encodeText<T>(given: readonly Piece<T>[]): EncodedText<T> {
  const pieces = joined(given).map((piece) => (typeof piece === 'string' ? withCrlf(piece) : piece));
  const common = pieces.filter((piece) => typeof piece === 'string').join('');
  if (pieces.every((piece) => typeof piece === 'string')) return encodeOnce(common);
  if (isMostlyLatin(common)) return { encoding: 'quoted-printable', write: writeQuotedPrintable(pieces) };
  return { encoding: 'base64', write: (mail) => inBase64(textOf(pieces, mail)) };
}

/** Encodes a text that is the same in every email. */
function encodeOnce(text: string): EncodedText<unknown> {
  if (isPlainText(text) && !hasLongerLines(text, MAX_LINE)) return { encoding: '7bit', write: () => text };
  const isLatin = isMostlyLatin(text);
  const encoded = isLatin ? wrapQuotedPrintable(quotedPrintable(text), MAX_LINE) : inBase64(text);
  return { encoding: isLatin ? 'quoted-printable' : 'base64', write: () => encoded };
}

const inBase64 = (text: string): string => wrapBase64(base64(text), MAX_LINE);

/** Text has CRLF between its lines, also inside base64 (RFC 2045, 6.8). */
const withCrlf = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n');

/** Joins adjacent common pieces. */
function joined<T>(pieces: readonly Piece<T>[]): Piece<T>[] {
  const result: Piece<T>[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') result[result.length - 1] = last + piece;
    else result.push(piece);
  }
  return result;
}

function textOf<T>(pieces: readonly Piece<T>[], mail: T): string {
  let text = '';
  for (const piece of pieces) text += typeof piece === 'string' ? piece : withCrlf(piece(mail));
  return text;
}

/** Whether a text has more ASCII letters than non-ASCII characters. */
function isMostlyLatin(text: string): boolean {
  let latin = 0;
  let others = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (isLetter) latin++;
    else if (code >= 128) others++;
  }
  return others < latin;
}

/** Quoted-printable text that can follow any other: its lines leave room for the `=` of a soft break. */
interface Stretch {
  readonly text: string;
  /** Length of its first and last line, in characters. */
  readonly first: number;
  readonly last: number;
  readonly hasBreak: boolean;
}

/** Printable ASCII in one line that needs no encoding in quoted-printable, like most values of fields. */
const asItIs = /^[ -<>-~]{0,73}[!-<>-~]$/;

function stretchOf(text: string): Stretch {
  if (asItIs.test(text)) return { text, first: text.length, last: text.length, hasBreak: false };
  const encoded = wrapQuotedPrintable(quotedPrintable(text), MAX_LINE - 1);
  const first = encoded.indexOf('\r\n');
  if (first === -1) return { text: encoded, first: encoded.length, last: encoded.length, hasBreak: false };
  return { text: encoded, first, last: encoded.length - encoded.lastIndexOf('\r\n') - 2, hasBreak: true };
}

/**
 * Encodes and breaks the common pieces into lines once. The values of an email are inserted between them, with a soft
 * break if a line would be too long.
 */
function writeQuotedPrintable<T>(pieces: readonly Piece<T>[]): (mail: T) => string {
  const stretches = pieces.map((piece) => (typeof piece === 'string' ? stretchOf(piece) : piece));
  return (mail) => {
    let text = '';
    let column = 0;
    for (const piece of stretches) {
      const stretch = typeof piece === 'function' ? stretchOf(withCrlf(piece(mail))) : piece;
      if (column > 0 && column + stretch.first >= MAX_LINE) {
        text += SOFT_BREAK;
        column = 0;
      }
      text += stretch.text;
      column = stretch.hasBreak ? stretch.last : column + stretch.last;
    }
    return text;
  };
}
