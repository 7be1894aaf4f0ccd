import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE_RATE } from './engine.ts';
import { readWav, writeWav } from './wav.ts';

const shape = /^[0-9a-f]{64}\.wav$/;
/** Milliseconds after which unused audio is removed: texts are personal data. */
const UNUSED_MS = 7 * 86_400_000;
/** Share of the limit that is freed when the limit is reached. */
const ROOM = 0.1;

interface Entry {
  bytes: number;
  usedAt: number;
}

/**
 * Rendered audio on disk, as WAV files named by the hash of their content. When the limit is exceeded, the audio with
 * the oldest use is removed; unused audio is removed after a week. Lost files only cost another rendering, so
 * unreadable or unwritable ones count as missing.
 */
export class AudioStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** Oldest use first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  private constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Opens the folder, creates it if necessary, and reads its files. */
  static async open(folder: string, maxBytes: number): Promise<AudioStore> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const store = new AudioStore(folder, maxBytes);
    const found: [string, Entry][] = [];
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      // An incomplete file of a process that was killed.
      if (!shape.test(name)) await rm(path, { force: true, recursive: true });
      else {
        const { size, mtimeMs } = await stat(path);
        found.push([name.slice(0, 64), { bytes: size, usedAt: mtimeMs }]);
      }
    }
    for (const [key, entry] of found.sort((a, b) => a[1].usedAt - b[1].usedAt)) store.#add(key, entry);
    await store.clean();
    return store;
  }

  /** Total size of the stored files, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the samples of a key (64 hexadecimal digits); undefined if they are missing. */
  async get(key: string): Promise<Int16Array | undefined> {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const path = this.#path(key);
    try {
      const { samples } = readWav(await readFile(path));
      if (samples.length * 2 + 44 !== entry.bytes) throw new RangeError('cut off');
      this.#entries.delete(key);
      this.#entries.set(key, { bytes: entry.bytes, usedAt: Date.now() });
      await utimes(path, new Date(), new Date());
      return samples;
    } catch {
      await this.#drop(key);
      return undefined;
    }
  }

  /** Stores samples. Rejects if the disk write fails. */
  async put(key: string, samples: Int16Array): Promise<void> {
    const file = writeWav({ sampleRate: SAMPLE_RATE, samples });
    if (file.length > this.#maxBytes) return;
    // Renamed only when complete, so that a killed process leaves no incomplete file under a key.
    const path = join(this.#folder, `${randomBytes(8).toString('hex')}.part`);
    try {
      await writeFile(path, file, { mode: 0o600 });
      await rename(path, this.#path(key));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    this.#add(key, { bytes: file.length, usedAt: Date.now() });
    await this.clean();
  }

  /** Removes audio that was not used for a week, and audio beyond the limit. */
  async clean(): Promise<void> {
    const tooOld = Date.now() - UNUSED_MS;
    const isFull = this.#bytes > this.#maxBytes;
    const most = isFull ? this.#maxBytes * (1 - ROOM) : this.#maxBytes;
    for (const [key, { usedAt }] of this.#entries) {
      if (this.#bytes <= most && usedAt >= tooOld) break;
      await this.#drop(key);
    }
  }

  #path(key: string): string {
    return join(this.#folder, `${key}.wav`);
  }

  #add(key: string, entry: Entry): void {
    this.#bytes += entry.bytes - (this.#entries.get(key)?.bytes ?? 0);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  async #drop(key: string): Promise<void> {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
    await rm(this.#path(key), { force: true });
  }
}
