import pg from 'pg';
import { harmlessText, openedText, SealedText } from './sealed-text.ts';

/*
 * How values go to the server and come back. Both in PostgreSQL's text form, but for bytes, which go as they are.
 */

/** Types of PostgreSQL that are told with a parameter; 0: the server infers it from where the parameter stands. */
const oid = { inferred: 0, boolean: 16, bytea: 17, int8: 20, jsonb: 3802, timestamptz: 1184 } as const;

/** A value that is to be written as JSON. */
export class Json {
  readonly text: string;

  constructor(value: unknown) {
    const isSealed = value instanceof SealedText;
    const isText = typeof value === 'string';
    this.text = JSON.stringify(isSealed ? value.text : isText ? harmlessText(value) : value);
  }
}

type Scalar = string | number | bigint | boolean | Date | Uint8Array | Json | SealedText | null;
/** What may stand in a statement as a parameter. */
export type Parameter = Scalar | readonly Parameter[];

/** A parameter as it goes to the server: a text, or bytes. */
export type Encoded = string | Buffer | null;

/** The type that is told with a parameter. */
export function typeOf(value: unknown): number {
  if (typeof value === 'boolean') return oid.boolean;
  if (typeof value === 'bigint') return oid.int8;
  if (typeof value !== 'object' || value === null) return oid.inferred;
  if (value instanceof Json) return oid.jsonb;
  if (value instanceof Uint8Array) return oid.bytea;
  if (value instanceof Date) return oid.timestamptz;
  return oid.inferred;
}

/** A parameter as it goes to the server. Throws for what is no value (`undefined`, functions, plain objects). */
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

/** Reads the text of one value. */
export type Reader = (text: string) => unknown;

const parserOf = (type: number) => pg.types.getTypeParser(type, 'text') as Reader;
const textArray = parserOf(1009);
const numberArray: Reader = (text) =>
  (textArray(text) as (string | null)[]).map((item) => (item === null ? null : Number(item)));

/** Numbers for int8: every id and time of ours is below 2^53. Sums of money (numeric) stay texts. */
const parseJson = parserOf(3802);
/** A sealed text in a column of JSON is that of the value. */
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

/** How values of a type are read. */
export function readerOf(type: number): Reader {
  return readers.get(type) ?? parserOf(type) ?? openedText;
}
