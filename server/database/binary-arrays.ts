import { columnText, type SealedText } from './sealed-text.ts';

/*
 * Array parameters in PostgreSQL's binary format (array_recv), for the statements of every message. Compared with array
 * literals (arrays.ts), the text is not quoted, flattened, encoded and parsed again.
 */

/** An array parameter in binary form. Its type is that of the cast in the statement, which the element type must match. */
export class BinaryArray {
  readonly octets: Buffer;

  constructor(octets: Buffer) {
    this.octets = octets;
  }
}

/** OIDs of element types. */
const oid = { bytea: 17, int8: 20, int2: 21, int4: 23, text: 25 } as const;
/** Octets of the number of dimensions, the flag for NULL, the element type, and length and lower bound of the dimension. */
const HEADER = 20;
const LENGTH = 4;
const NULL = -1;
/** Longest text that is written here; a call of the native encoder costs as much as 20 octets. */
const SHORT = 20;

/** For `::bigint[]`: whole numbers up to 2^53. Throws RangeError for others. */
export const bigints = (values: readonly (number | null)[]): BinaryArray => integers(values, oid.int8, 8);

/** For `::integer[]`. Throws RangeError for a number that does not fit. */
export const ints = (values: readonly (number | null)[]): BinaryArray => integers(values, oid.int4, 4);

/** For `::smallint[]`. Throws RangeError for a number that does not fit. */
export const smallints = (values: readonly (number | null)[]): BinaryArray => integers(values, oid.int2, 2);

function integers(values: readonly (number | null)[], type: number, size: number): BinaryArray {
  const buffer = Buffer.allocUnsafe(HEADER + values.length * (LENGTH + size));
  const most = size === 8 ? Number.MAX_SAFE_INTEGER : 2 ** (8 * size - 1) - 1;
  const least = size === 8 ? -most : -most - 1;
  let at = HEADER;
  let hasNull = false;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) {
      hasNull = true;
      at = write32(buffer, at, NULL);
      continue;
    }
    if (!Number.isInteger(value) || value < least || value > most)
      throw new RangeError(`${value} is not in range`);
    at = write32(buffer, at, size);
    if (size === 8) at = write32(buffer, at, Math.floor(value / 2 ** 32));
    if (size > 2) at = write32(buffer, at, value);
    else {
      buffer[at++] = value >> 8;
      buffer[at++] = value;
    }
  }
  writeHeader(buffer, type, values.length, hasNull);
  return new BinaryArray(buffer.subarray(0, at));
}

/** For `::text[]`. */
export function textArray(values: readonly (string | SealedText | null)[]): BinaryArray {
  let most = HEADER;
  for (let i = 0; i < values.length; i++) most += LENGTH + 3 * (columnText(values[i])?.length ?? 0);
  const buffer = Buffer.allocUnsafe(most);
  let at = HEADER;
  let hasNull = false;
  for (let i = 0; i < values.length; i++) {
    const text = columnText(values[i]);
    if (text === undefined) {
      hasNull = true;
      at = write32(buffer, at, NULL);
      continue;
    }
    const start = at + LENGTH;
    const end = start + writeText(buffer, start, text);
    write32(buffer, at, end - start);
    at = end;
  }
  writeHeader(buffer, oid.text, values.length, hasNull);
  return new BinaryArray(buffer.subarray(0, at));
}

/** For `::bytea[]`. */
export function byteaArray(values: readonly (Buffer | null)[]): BinaryArray {
  let length = HEADER;
  for (const value of values) length += LENGTH + (value?.length ?? 0);
  const buffer = Buffer.allocUnsafe(length);
  let at = HEADER;
  let hasNull = false;
  for (const value of values) {
    hasNull ||= value === null;
    at = write32(buffer, at, value?.length ?? NULL);
    if (value) at += value.copy(buffer, at);
  }
  writeHeader(buffer, oid.bytea, values.length, hasNull);
  return new BinaryArray(buffer);
}

/** Writes a text in UTF-8. Returns the number of octets. */
function writeText(buffer: Buffer, start: number, text: string): number {
  if (text.length > SHORT) return buffer.write(text, start, 'utf8');
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return buffer.write(text, start, 'utf8');
    buffer[start + i] = code;
  }
  return text.length;
}

function writeHeader(buffer: Buffer, type: number, length: number, hasNull: boolean): void {
  // An empty array has no dimension, but the header is as long: its length is 0.
  write32(buffer, 0, 1);
  write32(buffer, 4, hasNull ? 1 : 0);
  write32(buffer, 8, type);
  write32(buffer, 12, length);
  write32(buffer, 16, 1);
}

function write32(buffer: Buffer, at: number, value: number): number {
  buffer[at] = value >> 24;
  buffer[at + 1] = value >> 16;
  buffer[at + 2] = value >> 8;
  buffer[at + 3] = value;
  return at + 4;
}
