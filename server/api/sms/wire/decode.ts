import { isUtf8 } from 'node:buffer';
import { TimeSlice } from '../../../kit/time-slices.ts';
import { MAX_UNSLICED_BODY } from '../../bodies/limits.ts';
import { parseJsonBody, parseJsonBodyInSlices } from './parse-json.ts';
import { parseXml, parseXmlInSlices, rootOf } from './parse-xml.ts';
import { type Form, WireError } from './wire-error.ts';

/** Bytes of UTF-16 decoded per slice. */
const PIECE = 256 * 1024;

/**
 * A request in the shape that both forms have in common: attributes under `$`, text under `_`, repeated elements as
 * arrays.
 */
export interface Decoded {
  form: Form;
  /** The name of the root element, as written. It may be unknown. */
  root: string;
  /**
   * The content of the root. Texts are trimmed, without NUL and lone surrogates; numbers and booleans of JSON keep
   * their type; an empty element is `''`. `fields.ts` reads it.
   */
  content: Record<string, unknown>;
  /** The root occurred more than once, as an array in JSON; `content` is the first. */
  several?: true;
}

/**
 * Reads a request body of `POST /api`, XML or JSON (decisions, section 1, first table).
 * The first character other than white space and a byte-order mark determines the form. The media type and the encoding
 * in an XML declaration are ignored, because callers often send wrong ones. The body is UTF-8, or UTF-16 if it starts
 * with the byte-order mark of UTF-16 (XML 1.0, 4.3.3).
 *
 * @throws {WireError} and no other errors, for any bytes
 */
export function decode(body: Buffer): Decoded {
  const text = isUtf8(body) ? body.toString('utf8') : readShortUtf16(body, utf16Of(body));
  const { form, start } = begin(text);
  return form === 'xml'
    ? { form, ...parseXml(text.slice(start)) }
    : { form, ...parseJsonBody(text.slice(start)) };
}

/** As `decode`, in slices (time-slices.ts), for bodies over 64 KiB. */
export async function decodeInSlices(body: Buffer): Promise<Decoded> {
  const text = isUtf8(body) ? body.toString('utf8') : await readUtf16(body, utf16Of(body));
  const { form, start } = begin(text);
  return form === 'xml'
    ? { form, ...(await parseXmlInSlices(text.slice(start))) }
    : { form, ...(await parseJsonBodyInSlices(text.slice(start))) };
}

/**
 * Guesses from the beginning of an unread body its form and, in XML, the name of its root element, which the response
 * needs.
 */
export function sniff(beginning: Buffer): { form: Form; root: string | undefined } {
  const form = likelyForm(beginning);
  if (form === 'json') return { form, root: undefined };
  const bytes = beginning.subarray(0, 2);
  const encoding = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
  const text = new TextDecoder(encoding).decode(beginning);
  return { form, root: rootOf(text.slice(skipBlank(text))) };
}

/** Returns the form of a text, and where it starts. */
function begin(text: string): { form: Form; start: number } {
  const start = skipBlank(text);
  switch (text.charCodeAt(start)) {
    case 0x3c:
      return { form: 'xml', start };
    case 0x7b:
      return { form: 'json', start };
    default:
      throw new WireError(
        'unparseable',
        'json',
        start === text.length ? 'The body is empty' : 'The body is neither XML nor a JSON object',
      );
  }
}

/** Returns the encoding of a body that is not UTF-8, by its byte-order mark. Throws WireError if it is not UTF-16. */
function utf16Of(body: Buffer): 'utf-16le' | 'utf-16be' {
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  throw notText(body);
}

const notText = (body: Buffer) =>
  new WireError('unparseable', likelyForm(body), 'The body is not valid UTF-8');

function readShortUtf16(body: Buffer, encoding: 'utf-16le' | 'utf-16be'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(body);
  } catch {
    throw notText(body);
  }
}

async function readUtf16(body: Buffer, encoding: 'utf-16le' | 'utf-16be'): Promise<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const slice = new TimeSlice();
  let text = '';
  try {
    for (let at = 0; at < body.length; at += PIECE) {
      text += decoder.decode(body.subarray(at, at + PIECE), { stream: true });
      if (slice.isOverNow) await slice.rest();
    }
    return text + decoder.decode();
  } catch {
    throw notText(body);
  }
}

/** Guesses the form of a body that is not valid text, by its first significant byte. */
function likelyForm(body: Buffer): Form {
  for (const byte of body.subarray(0, MAX_UNSLICED_BODY)) {
    if (byte === 0x3c) return 'xml';
    const skipped = byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf || byte >= 0xfe;
    if (!skipped) break;
  }
  return 'json';
}

/** Returns the index of the first character that is neither white space (of XML and JSON) nor a byte-order mark. */
function skipBlank(text: string): number {
  let at = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09 && code !== 0xfeff) break;
  }
  return at;
}
