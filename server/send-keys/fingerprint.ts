import { createHash, type Hash, hash } from 'node:crypto';
import { TimeSlice } from '../time-slices.ts';

/** Bytes of a fingerprint. */
export const FINGERPRINT_BYTES = 16;
/** Characters that are given to the hash at a time. */
const PIECE = 64 * 1024;

/** What keys of secrets are called: they are left out, so that nothing of them is stored, not even a digest. */
const secretNames: ReadonlySet<string> = new Set(['password', 'token']);

type Json =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Json[]
  | { readonly [name: string]: Json };

/**
 * A keyed digest of an operation and what it was asked for, by which a request is known again. Requests that mean the
 * same have the same one: the order of names does not count, nor whether a number is written as a text, nor what is null
 * or absent. Long ones are read in slices.
 *
 * The first half of SHA-256 over key and content: with the other half unknown nobody can go on from it, and in one call it
 * takes 2 µs where an HMAC object takes 19.
 *
 * @param content what the operation reads; values that JSON does not have are read as their text
 */
export async function fingerprintOf(key: Buffer, operation: string, content: unknown): Promise<Buffer> {
  let long: Hash | undefined;
  let text = `${key.toString('hex')}${operation}`;
  const slice = new TimeSlice();
  // Depth first; what is left to be written of the value that is being read, the last one first.
  const open: Iterator<string | Json>[] = [[content as Json].values()];
  while (open.length > 0) {
    const { value, done } = open.at(-1)!.next();
    if (done) {
      open.pop();
      text += '>';
      continue;
    }
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      text += isList ? '[' : '<';
      open.push(isList ? value.values() : members(value as { readonly [name: string]: Json }));
    } else {
      // With its length, so that no two contents are written alike.
      const scalar = value === null || value === undefined ? '' : String(value);
      text += `${scalar.length}:${scalar}`;
    }
    if (text.length >= PIECE) {
      long ??= createHash('sha256');
      long.update(text);
      text = '';
    }
    if (slice.isOver) await slice.rest();
  }
  const digest = long ? long.update(text).digest() : hash('sha256', text, 'buffer');
  return digest.subarray(0, FINGERPRINT_BYTES);
}

/** Names and values in turns, in the order of the names. */
function* members(object: { readonly [name: string]: Json }): Generator<string | Json> {
  for (const name of Object.keys(object).sort()) {
    const value = object[name];
    if (value === undefined || value === null || secretNames.has(name)) continue;
    yield name;
    yield value;
  }
}
