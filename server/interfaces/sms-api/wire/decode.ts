import { isUtf8 } from 'node:buffer';
import { parseJson } from './parse-json.ts';
import { parseXml } from './parse-xml.ts';
import { type Form, WireError } from './wire-error.ts';

/** A request in the one shape that both forms have: attributes under `$`, text under `_`, repeats as arrays. */
export interface Decoded {
  form: Form;
  /** The name of the root element, as written. Whether such an operation exists is for the registry to say. */
  root: string;
  /**
   * What is inside the root. Texts are trimmed, without NUL and lone surrogates; numbers and booleans of
   * JSON stay what they are; an empty element is `''`. `fields.ts` reads it.
   */
  content: Record<string, unknown>;
}

/**
 * Reads a request body of `POST /api`, XML or JSON (decisions, section 1, first table).
 *
 * The first character that is neither white space nor a byte-order mark tells the form; the media type and
 * an encoding named in an XML declaration are not asked, since callers often name the wrong one. The body is
 * UTF-8, or UTF-16 when it starts with the byte-order mark of UTF-16 (XML 1.0, 4.3.3).
 *
 * @throws {WireError} and nothing else, whatever the bytes are.
 */
export function decode(body: Buffer): Decoded {
  const text = readText(body);
  const start = skipBlank(text);
  switch (text.charCodeAt(start)) {
    case 0x3c:
      return { form: 'xml', ...parseXml(text.slice(start)) };
    case 0x7b:
      return { form: 'json', ...parseJson(text.slice(start)) };
    default:
      throw new WireError(
        'unparseable',
        'json',
        start === text.length ? 'The body is empty' : 'The body is neither XML nor a JSON object',
      );
  }
}

function readText(body: Buffer): string {
  if (isUtf8(body)) return body.toString('utf8');
  const utf16 = body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : 'utf-16be';
  if (utf16 === 'utf-16le' || (body[0] === 0xfe && body[1] === 0xff)) {
    try {
      return new TextDecoder(utf16, { fatal: true }).decode(body);
    } catch {
      // Answered below, as any other body that is not text.
    }
  }
  throw new WireError('unparseable', likelyForm(body), 'The body is not valid UTF-8');
}

/** The form of a body whose bytes are not text, by its first byte that says something. */
function likelyForm(body: Buffer): Form {
  for (const byte of body) {
    if (byte === 0x3c) return 'xml';
    const skipped = byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf || byte >= 0xfe;
    if (!skipped) break;
  }
  return 'json';
}

/** Index of the first character that is neither white space (that of XML and JSON) nor a byte-order mark. */
function skipBlank(text: string): number {
  let at = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09 && code !== 0xfeff) break;
  }
  return at;
}
