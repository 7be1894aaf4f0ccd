/** Maximum number of fields of a form; further ones are ignored. */
const MAX_FIELDS = 200;

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const AND = 0x26;
const EQUALS = 0x3d;

/**
 * Fields of a query or of a body `application/x-www-form-urlencoded`, as bytes: their alphabet may be the value of
 * another field. The first of several fields with one name counts.
 */
export class Form {
  readonly #fields = new Map<string, Buffer>();

  constructor(source: string | Buffer) {
    const bytes = typeof source === 'string' ? Buffer.from(source, 'latin1') : source;
    let start = 0;
    while (start <= bytes.length && this.#fields.size < MAX_FIELDS) {
      const found = bytes.indexOf(AND, start);
      const end = found === -1 ? bytes.length : found;
      this.#add(bytes.subarray(start, end));
      start = end + 1;
    }
  }

  #add(pair: Buffer): void {
    if (pair.length === 0) return;
    const at = pair.indexOf(EQUALS);
    const name = decoded(at === -1 ? pair : pair.subarray(0, at)).toString('utf8');
    if (!this.#fields.has(name))
      this.#fields.set(name, at === -1 ? Buffer.alloc(0) : decoded(pair.subarray(at + 1)));
  }

  /** Names and values, as UTF-8. */
  get entries(): [name: string, value: string][] {
    return [...this.#fields.keys()].map((name) => [name, this.text(name)!]);
  }

  /** Returns the first of these fields that is present. */
  bytes(...names: readonly string[]): Buffer | undefined {
    for (const name of names) {
      const value = this.#fields.get(name);
      if (value) return value;
    }
    return undefined;
  }

  /** As `bytes`, as UTF-8; PostgreSQL stores no NUL, so U+FFFD is in its place. */
  text(...names: readonly string[]): string | undefined {
    return this.bytes(...names)
      ?.toString('utf8')
      .replaceAll('\0', '\ufffd');
  }
}

/** Returns the query of an address, without its question mark. */
export const queryOf = (url: string): string => url.slice(`${url}?`.indexOf('?') + 1);

/** Decodes `+` and percent-encoded bytes. Incomplete codes stay as they are. */
function decoded(bytes: Buffer): Buffer {
  if (!bytes.includes(PERCENT) && !bytes.includes(PLUS)) return bytes;
  const out = Buffer.alloc(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const code = byte === PERCENT ? bytes.toString('latin1', i + 1, i + 3) : '';
    if (/^[0-9a-f]{2}$/i.test(code)) {
      out[length++] = Number.parseInt(code, 16);
      i += 2;
    } else out[length++] = byte === PLUS ? SPACE : byte;
  }
  return out.subarray(0, length);
}

/** Decodes a text. Returns undefined for an unknown alphabet, and for bytes that are no text of it. */
export function textIn(charset: string, bytes: Buffer): string | undefined {
  // In the encoding standard of browsers, these names mean the other byte order.
  const label = /^(ucs-?2|utf-?16)$/i.test(charset) ? 'utf-16be' : charset;
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
