import pg from 'pg';
import { BinaryArray } from './binary-arrays.ts';
import { harmlessText, openedText, SealedText } from './sealed-text.ts';

/* Encoding and decoding of values: in PostgreSQL's text format, except for bytes, which are sent unchanged. */

/** PostgreSQL types sent with parameters; with 0 the server infers the type from the context. */
const oid = { inferred: 0, boolean: 16, bytea: 17, int8: 20, jsonb: 3802, timestamptz: 1184 } as const;

/** A value to encode as JSON. */
export class Json {
  readonly text: string;

  constructor(value: unknown) {
    const isSealed = value instanceof SealedText;
    const isText = typeof value === 'string';
    this.text = JSON.stringify(isSealed ? value.text : isText ? harmlessText(value) : value);
  }
}

type Scalar = string | number | bigint | boolean | Date | Uint8Array | Json | SealedText | BinaryArray | null;
/** Values allowed as parameters of a statement. */
export type Parameter = Scalar | readonly Parameter[];

/** An encoded parameter: a text, or bytes. */
export type Encoded = string | Buffer | null;

/** Returns the type sent with a parameter. */
export function typeOf(value: unknown): number {
  if (typeof value === 'boolean') return oid.boolean;
  if (typeof value === 'bigint') return oid.int8;
  if (typeof value !== 'object' || value === null) return oid.inferred;
  if (value instanceof Json) return oid.jsonb;
  if (value instanceof Uint8Array) return oid.bytea;
  if (value instanceof Date) return oid.timestamptz;
  return oid.inferred;
}

/** Encodes a parameter. Throws for other types (`undefined`, functions, plain objects). */
export function encode(value: unknown): Encoded {
  switch (typeof value) {
    case 'string':
      return harmlessText(value);
    case 'number':
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 't' : 'f';
    case 'object':
      break;
    default:
      throw new TypeError(`a parameter of a statement is of the type ${typeof value}`);
  }
  if (value === null) return null;
  if (value instanceof BinaryArray) return value.octets;
  if (value instanceof Json || value instanceof SealedText) return value.text;
  if (Array.isArray(value)) return arrayLiteral(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Date) return value.toISOString();
  throw new TypeError('an object is a parameter of a statement: write it with `sql.json`');
}

function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(arrayElement).join(',')}}`;
}

function arrayElement(value: unknown): string {
  if (Array.isArray(value)) return arrayLiteral(value);
  const encoded = encode(value);
  if (encoded === null) return 'NULL';
  const text = typeof encoded === 'string' ? encoded : `\\x${encoded.toString('hex')}`;
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Decodes the text of one value. */
export type Reader = (text: string) => unknown;

const parserOf = (type: number) => pg.types.getTypeParser(type, 'text') as Reader;
const textArray = parserOf(1009);
const numberArray: Reader = (text) =>
  (textArray(text) as (string | null)[]).map((item) => (item === null ? null : Number(item)));

/** Numbers for int8: all our ids and times are below 2^53. Amounts of money (numeric) stay texts. */
const parseJson = parserOf(3802);
/** An encrypted text in a JSON column is the encrypted JSON value. */
const json: Reader = (text) => {
  const value = parseJson(text);
  return typeof value === 'string' && value.startsWith('\u0001')
    ? parseJson(openedText(value) || 'null')
    : value;
};

const readers = new Map<number, Reader>([
  [25, openedText],
  [114, json],
  [3802, json],
  [20, Number],
  [21, Number],
  [23, Number],
  [1016, numberArray],
  [1231, textArray],
  [1003, textArray],
]);

/** Returns the decoder of a type. */
export function readerOf(type: number): Reader {
  return readers.get(type) ?? parserOf(type) ?? openedText;
}
