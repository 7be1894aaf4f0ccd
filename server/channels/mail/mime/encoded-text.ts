import { encode as base64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { hasLongerLines, isPlainText } from 'nodemailer/lib/mime-funcs';
import { encode as quotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp';

/** A stretch of a text: the same in every mail, or what a mail has in its place. */
export type Piece<T> = string | ((mail: T) => string);

/** A text of a mail in its transfer encoding (RFC 2045, 6). */
export interface EncodedText<T> {
  readonly encoding: '7bit' | 'quoted-printable' | 'base64';
  /** Encodes the text of one mail; its lines end with CRLF, but for the last one. */
  readonly write: (mail: T) => string;
}

/** Characters of an encoded line, at most (RFC 2045, 6.7 and 6.8). */
const MAX_LINE = 76;
const SOFT_BREAK = '=\r\n';

/**
 * Chooses the transfer encoding of a text as nodemailer does, by what all mails have in common, and encodes that once:
 * 7 bits if that is enough and no mail has something of its own, quoted-printable if most letters are Latin, else base64.
 */
export function encodeText<T>(given: readonly Piece<T>[]): EncodedText<T> {
  const pieces = joined(given).map((piece) => (typeof piece === 'string' ? withCrlf(piece) : piece));
  const common = pieces.filter((piece) => typeof piece === 'string').join('');
  if (pieces.every((piece) => typeof piece === 'string')) return encodeOnce(common);
  if (isMostlyLatin(common)) return { encoding: 'quoted-printable', write: writeQuotedPrintable(pieces) };
  return { encoding: 'base64', write: (mail) => inBase64(textOf(pieces, mail)) };
}

/** A text that is the same in every mail. */
function encodeOnce(text: string): EncodedText<unknown> {
  if (isPlainText(text) && !hasLongerLines(text, MAX_LINE)) return { encoding: '7bit', write: () => text };
  const isLatin = isMostlyLatin(text);
  const encoded = isLatin ? wrapQuotedPrintable(quotedPrintable(text), MAX_LINE) : inBase64(text);
  return { encoding: isLatin ? 'quoted-printable' : 'base64', write: () => encoded };
}

const inBase64 = (text: string): string => wrapBase64(base64(text), MAX_LINE);

/** Text has CRLF between its lines, also below base64 (RFC 2045, 6.8). */
const withCrlf = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n');

/** The same with what all mails have in common in as few pieces as can be. */
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

/** Whether a text has more letters of ASCII than characters beyond it. */
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

/** Quoted-printable that can stand behind any other: its lines leave room for the `=` of a soft break. */
interface Stretch {
  readonly text: string;
  /** Characters of its first line and of its last one. */
  readonly first: number;
  readonly last: number;
  readonly hasBreak: boolean;
}

/** Printable ASCII in one line that is the same in quoted-printable, as most values of fields are. */
const asItIs = /^[ -<>-~]{0,73}[!-<>-~]$/;

function stretchOf(text: string): Stretch {
  if (asItIs.test(text)) return { text, first: text.length, last: text.length, hasBreak: false };
  const encoded = wrapQuotedPrintable(quotedPrintable(text), MAX_LINE - 1);
  const first = encoded.indexOf('\r\n');
  if (first === -1) return { text: encoded, first: encoded.length, last: encoded.length, hasBreak: false };
  return { text: encoded, first, last: encoded.length - encoded.lastIndexOf('\r\n') - 2, hasBreak: true };
}

/**
 * What mails have in common is encoded and broken into lines once. A mail's own stretches are put between, with a soft
 * break where a line would be too long.
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
