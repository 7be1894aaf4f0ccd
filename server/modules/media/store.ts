import type { Readable } from 'node:stream';
import type { ByteRange } from '../../kit/http/byte-range.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { SpooledFile } from './spool.ts';

/** Store of the bytes of files. Errors that it throws are faults of the store, not of a file. */
export interface MediaStore {
  /** Stores a file completely or not at all, and replaces a file with the same key. May move the spooled file. */
  put(key: string, file: SpooledFile, type: string): Promise<void>;
  /** Returns the bytes; undefined when the file does not exist. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes a file if it exists. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** Key of a file in the store: its account, the day of its id (days since 1970), its id. */
export function keyOf(accountId: number, id: number): string {
  return `${accountId}/${Math.floor(timeOfId(id) / DAY_MS)}/${id}`;
}
