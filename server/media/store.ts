import type { Readable } from 'node:stream';
import type { ByteRange } from '../http/byte-range.ts';
import { timeOfId } from '../ids.ts';
import type { SpooledFile } from './spool.ts';

/** Where the bytes of stored files are. What it throws is a fault of the store, not of a file. */
export interface MediaStore {
  /** Stores a file whole or not at all, in the place of one that has the key. The spooled file may be moved. */
  put(key: string, file: SpooledFile, type: string): Promise<void>;
  /** The bytes; undefined when there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes a file that there may be. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** The name of a file in the store: its account, the day of its id (days since 1970), its id. */
export function keyOf(accountId: number, id: number): string {
  return `${accountId}/${Math.floor(timeOfId(id) / DAY_MS)}/${id}`;
}
