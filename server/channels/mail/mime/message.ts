import { randomBytes } from 'node:crypto';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import { type EncodedText, encodeText, type Piece } from './encoded-text.ts';

/** Value of a header field: a text, a time, or an address with a name, which may be ''. */
type FieldValue = string | Date | { readonly name: string; readonly address: string };

/** A header field by its name: the same in every email, or specific to one; empty ones are omitted. */
type Field<T> = readonly [name: string, value: FieldValue | ((mail: T) => FieldValue)];

/** Emails that differ only in fields, addresses and similar values. */
export interface MessageTemplate<T> {
  /** Without the fields that describe the content. */
  readonly fields: readonly Field<T>[];
  /** Null: absent; at least one of the two is present. */
  readonly text: readonly Piece<T>[] | null;
  readonly html: readonly Piece<T>[] | null;
}

/** A written email (RFC 5322): all lines end with CRLF. */
export interface WrittenMessage {
  /** Folded, without the CRLF at their ends. */
  readonly fields: readonly string[];
  readonly body: string;
}

const MAX_LINE = 76;
/** Encodes values. Reused, because nodemailer otherwise creates a node for each. */
const node = new MimeNode(false);

/**
 * Compiles emails. Returns a function that writes each of them. Common parts are encoded only once. The result equals
 * that of nodemailer, except for soft breaks next to values of one email.
 *
 * @param boundary - between text and HTML; `=_` in it cannot occur in encoded text (RFC 2045, 6.7)
 */
export function compileMessage<T>(
  { fields, text, html }: MessageTemplate<T>,
  boundary = `=_-${randomBytes(8).toString('hex')}-Part_1`,
): (mail: T) => WrittenMessage {
  const writers = fields.map(([name, value]) => {
    if (typeof value === 'function') return (mail: T) => fieldOf(name, value(mail));
    const field = fieldOf(name, value);
    return () => field;
  });
  const parts = [partOf('text/plain', text), partOf('text/html', html)].filter((part) => part !== null);
  const { described, write } = parts.length === 1 ? asOne(parts[0]!) : asAlternatives(parts, boundary);
  return (mail) => ({
    fields: [...writers.map((writer) => writer(mail)).filter((field) => field !== ''), ...described],
    body: write(mail),
  });
}

/** Addresses that SMTP and headers contain unchanged; nodemailer needs 15 µs to find that out. */
const plain = /^[\w+-]{1,64}(?:\.[\w+-]{1,64}){0,8}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$/;
const isPlain = (address: string): boolean => plain.test(address) && !address.includes('xn--');

/** Returns the addresses of an envelope in SMTP form: domains in ASCII, if the part before the @ is. */
export function envelopeOf(from: string, to: string): { readonly from: string; readonly to: string } {
  if (isPlain(from) && isPlain(to)) return { from, to };
  const envelope = node.setEnvelope({ from, to }).getEnvelope();
  return { from: envelope.from || '', to: envelope.to[0] ?? '' };
}

function fieldOf(name: string, value: FieldValue): string {
  const encoded = encodedOf(name, value);
  return encoded.trim() === '' ? '' : foldLines(`${name}: ${encoded}`, MAX_LINE);
}

function encodedOf(name: string, value: FieldValue): string {
  const isAddress = typeof value === 'object' && 'address' in value;
  if (isAddress && value.name === '' && isPlain(value.address)) return value.address;
  // A copy, because nodemailer modifies the addresses.
  return node.encodeHeaderValue(name, isAddress ? { ...value } : value);
}

interface Part<T> {
  readonly type: string;
  readonly encoded: EncodedText<T>;
}

const partOf = <T>(type: string, pieces: readonly Piece<T>[] | null): Part<T> | null =>
  pieces && { type: `Content-Type: ${type}; charset=utf-8`, encoded: encodeText(pieces) };

const encodingOf = <T>({ encoded }: Part<T>) => `Content-Transfer-Encoding: ${encoded.encoding}`;

/** A single part: the fields that describe it, and its writer. */
const asOne = <T>(part: Part<T>) => ({
  described: [encodingOf(part), 'MIME-Version: 1.0', part.type],
  write(mail: T): string {
    const body = part.encoded.write(mail);
    return body.endsWith('\n') ? body : `${body}\r\n`;
  },
});

/** Alternative parts with the same content (RFC 2046, 5.1.4), the best one last. */
const asAlternatives = <T>(parts: readonly Part<T>[], boundary: string) => ({
  described: [
    'MIME-Version: 1.0',
    foldLines(`Content-Type: multipart/alternative; boundary="${boundary}"`, MAX_LINE),
  ],
  write(mail: T): string {
    let body = '';
    for (const part of parts) {
      body += `--${boundary}\r\n${part.type}\r\n${encodingOf(part)}\r\n\r\n${part.encoded.write(mail)}\r\n`;
    }
    return `${body}--${boundary}--\r\n`;
  },
});
