import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE_RATE } from './engine.ts';
import { readWav, writeWav } from './wav.ts';

const shape = /^[0-9a-f]{64}\.wav$/;
/** What nobody has asked for in this time is removed: texts are people's. */
const UNUSED_MS = 7 * 86_400_000;
/** How much is freed at once when the limit is reached, of the limit. */
const ROOM = 0.1;

interface Entry {
  bytes: number;
  usedAt: number;
}

/**
 * Rendered audio on disk, as WAV files by the hash of what they say. Never over its limit for long: what was used longest
 * ago goes first, and what was not used for a week goes anyway. Losing it costs rendering again and nothing else, so that
 * whatever cannot be read or written counts as not there.
 */
export class AudioStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** Those used longest ago first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  private constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Opens the folder, which is made if it is not there, and looks what is in it. */
  static async open(folder: string, maxBytes: number): Promise<AudioStore> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const store = new AudioStore(folder, maxBytes);
    const found: [string, Entry][] = [];
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      // Half a file of a process that was killed.
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

  /** Octets of what is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The samples of a key (64 hexadecimal digits); undefined when they are not there. */
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

  /** Keeps samples. Rejects when the disk does not take them. */
  async put(key: string, samples: Int16Array): Promise<void> {
    const file = writeWav({ sampleRate: SAMPLE_RATE, samples });
    if (file.length > this.#maxBytes) return;
    // Named when it is whole: a process that is killed leaves no half a text under its key.
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

  /** Removes what was not used for a week, and what is over the limit. */
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
