import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../../kit/config.ts';
import { timeOfId } from '../../kit/ids.ts';
import { keyIdOf, SealedValueError, type SecretBox } from '../../secrets/secret-box.ts';
import type { DataSubject } from '../personal-data/subject.ts';

/*
 * Erasures outside the database, so that one that is restored from a backup of before them carries them out again
 * (docs/data.md, "Backups"). Each is a file `<account>-<request>.erasure`: who it was about, sealed for this account and
 * request. A digest would find a person in columns, but not in texts, and to guess a number by its digest takes minutes anyway.
 */

/** The purpose under which records are sealed; the row is `<account>/<request>`. */
const PURPOSE = 'erasures';
const NAME = /^([1-9]\d{0,15})-([1-9]\d{0,15})\.erasure$/;
const DAY_MS = 86_400_000;

/** The account and id of a request. */
export interface RecordedRequest {
  readonly accountId: number;
  readonly id: number;
}

/** An erasure as it was asked for. */
export interface ErasureRecord extends RecordedRequest {
  readonly subject: DataSubject;
  readonly reference: string;
  readonly personId: number | null;
  readonly username: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** The folder of the records of the settings. */
export const erasuresFolderOf = ({
  ERASURES_DIR,
  DATA_DIR,
}: Pick<Config, 'ERASURES_DIR' | 'DATA_DIR'>): string =>
  ERASURES_DIR === undefined ? join(DATA_DIR, 'erasures') : resolve(ERASURES_DIR);

const nameOf = ({ accountId, id }: RecordedRequest) => `${accountId}-${id}.erasure`;
const rowOf = ({ accountId, id }: RecordedRequest) => `${accountId}/${id}`;

/** The requests that have a record in a folder; none where there is no folder. */
export async function recordedIn(folder: string): Promise<RecordedRequest[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => {
    const [, accountId, id] = NAME.exec(name) ?? [];
    return id === undefined ? [] : [{ accountId: Number(accountId), id: Number(id) }];
  });
}

/** Copies the records of a folder into another one; how many there are. */
export async function copyRecords(from: string, to: string): Promise<number> {
  const found = await recordedIn(from);
  if (resolve(from) !== resolve(to)) {
    for (const request of found)
      await write(to, nameOf(request), await readFile(join(from, nameOf(request))));
  }
  return found.length;
}

/** Records of erasures in a folder that every process with the role jobs has. */
export class ErasureRecords {
  readonly #folder: string;
  readonly #secrets: SecretBox;

  constructor({ folder, secrets }: { readonly folder: string; readonly secrets: SecretBox }) {
    this.#folder = folder;
    this.#secrets = secrets;
  }

  /** Stores a record, on the disk when fulfilled. Throws what the file system throws. */
  async add({ accountId, id, ...content }: ErasureRecord): Promise<void> {
    const request = { accountId, id };
    const sealed = this.#secrets.seal(JSON.stringify(content), PURPOSE, rowOf(request));
    await write(this.#folder, nameOf(request), sealed);
  }

  /** The requests that have a record. */
  requests(): Promise<RecordedRequest[]> {
    return recordedIn(this.#folder);
  }

  /** The record of a request; undefined when it is not there any more. Throws SealedValueError. */
  async read(request: RecordedRequest): Promise<ErasureRecord | undefined> {
    const sealed = await this.#bytesOf(request);
    if (!sealed) return undefined;
    const content = JSON.parse(this.#secrets.openText(sealed, PURPOSE, rowOf(request)));
    return { ...(content as Omit<ErasureRecord, keyof RecordedRequest>), ...request };
  }

  /** Deletes records of requests that are older than `keepDays`: no backup is, from before them. */
  async cleanUp(now: number, keepDays: number): Promise<void> {
    for (const request of await this.requests()) {
      if (timeOfId(request.id) < now - keepDays * DAY_MS)
        await rm(join(this.#folder, nameOf(request)), { force: true });
    }
  }

  /** Seals records anew that are sealed under another key than the first; how many. Those that cannot be opened stay. */
  async reseal(): Promise<number> {
    let count = 0;
    for (const request of await this.requests()) {
      const sealed = await this.#bytesOf(request);
      if (!sealed || keyIdOf(sealed) === this.#secrets.keyId) continue;
      try {
        const record = await this.read(request);
        if (record) await this.add(record);
        count++;
      } catch (error) {
        if (!(error instanceof SealedValueError)) throw error;
      }
    }
    return count;
  }

  /** Another process deletes what is too old, too. */
  async #bytesOf(request: RecordedRequest): Promise<Buffer | undefined> {
    return readFile(join(this.#folder, nameOf(request))).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }
}

/** Writes a file that is there whole or not at all, and on the disk. */
async function write(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const part = join(folder, `.${name}.${process.pid}`);
  const file = await open(part, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, join(folder, name));
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
