import { Readable } from 'node:stream';
import { TimeSlice } from '../../../kit/time-slices.ts';
import { type AnswerValue, declaration, entryName, xmlElement } from './encode.ts';
import type { Form } from './wire-error.ts';

/** Rows of a long response, in the batches of a database cursor. */
type RowBatches = AsyncIterable<readonly AnswerValue[]>;

/** A response in which a field may be a stream of rows. */
export interface StreamedAnswer {
  readonly [field: string]: AnswerValue | RowBatches;
}

/** Yields existing rows in batches, and lets other work run in between (time-slices.ts). */
export async function* inBatches(
  rows: readonly AnswerValue[],
  size: number,
): AsyncGenerator<readonly AnswerValue[]> {
  const slice = new TimeSlice();
  for (let at = 0; at < rows.length; at += size) {
    yield rows.slice(at, at + size);
    if (slice.isOverNow) await slice.rest();
  }
}

/** Characters collected per chunk; limits memory, and saves small writes. */
const chunkLength = 64 * 1024;

/**
 * As `encode`, for responses that do not fit into memory: writes the fields in order, and the rows of an
 * array field as they arrive. Holds one batch and one chunk in memory, whatever the number of rows.
 * If reading the rows fails, the stream is destroyed with their error, so that the caller sees a broken
 * response and not a wrong one. An error within the first 64 KiB comes before any byte and can still be
 * answered as a fault. If the stream is destroyed early, the rows' iterator is closed, and so is its cursor.
 *
 * @param root the request's root element, or `unknownRoot`; JSON has none
 * @returns a stream of UTF-8 bytes
 */
export function encodeStream(form: Form, root: string, answer: StreamedAnswer): Readable {
  const pieces = form === 'json' ? jsonPieces(answer) : xmlPieces(root, answer);
  return Readable.from(chunks(pieces), { objectMode: false, highWaterMark: chunkLength });
}

/** Yields groups of pieces, so that there is one `await` per batch and not per row. */
type Pieces = AsyncGenerator<Iterable<string>>;

async function* chunks(pieces: Pieces): AsyncGenerator<Buffer> {
  let pending = '';
  for await (const group of pieces) {
    for (const piece of group) {
      pending += piece;
      if (pending.length >= chunkLength) {
        yield Buffer.from(pending);
        pending = '';
      }
    }
  }
  if (pending !== '') yield Buffer.from(pending);
}

async function* jsonPieces(answer: StreamedAnswer): Pieces {
  let separator = '{';
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    const key = `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (!isRows(value)) {
      yield [key + JSON.stringify(value)];
      continue;
    }
    yield [`${key}[`];
    let first = true;
    for await (const batch of value) {
      yield jsonRows(batch, first);
      first &&= batch.length === 0;
    }
    yield [']'];
  }
  yield [separator === '{' ? '{}' : '}'];
}

function* jsonRows(batch: readonly AnswerValue[], first: boolean): Generator<string> {
  let separator = first ? '' : ',';
  for (const row of batch) {
    // Inside an array, JSON writes null for undefined.
    yield separator + JSON.stringify(row ?? null);
    separator = ',';
  }
}

async function* xmlPieces(root: string, answer: StreamedAnswer): Pieces {
  yield [`${declaration}<${root}>`];
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    if (!isRows(value)) {
      yield [xmlElement(name, value)];
      continue;
    }
    yield [`<${name}>`];
    const entry = entryName(name);
    for await (const batch of value) yield xmlRows(entry, batch);
    yield [`</${name}>`];
  }
  yield [`</${root}>`];
}

function* xmlRows(entry: string, batch: readonly AnswerValue[]): Generator<string> {
  for (const row of batch) yield xmlElement(entry, row);
}

function isRows(value: AnswerValue | RowBatches): value is RowBatches {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
