import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { newKeyText, readKeyText } from '../text/key-text.ts';
import { type KeySource, type MasterKey, masterKeys } from './keys.ts';
import { SecretKeyError } from './problems.ts';

const FILE = 'secret.key';
/** How long a change by another process, as a rotation, may stay unseen. */
const RELOAD_MS = 1_000;

const about = `# Carillon's secret key: without it the secrets in the database cannot be read. Keep a copy, apart from backups of the
# database. The first key seals, every key opens. See "Secrets at rest" in docs/operating.md.
`;

/** Where the key is without SECRET_KEY. */
export const keyFilePath = (dataDir: string) => join(dataDir, FILE);

/** The keys of a file, one a line, in base64, the newest first. Followed while the process runs. */
export class KeyFile implements KeySource {
  readonly path: string;
  #keys: readonly MasterKey[] = [];
  #version = '';
  #lookedAt = 0;

  private constructor(path: string) {
    this.path = path;
  }

  /** Undefined when there is none. Throws SecretKeyError when it cannot be used. */
  static open(path: string): KeyFile | undefined {
    const file = new KeyFile(path);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    file.#read();
    return file;
  }

  /** Makes the file with a new key, unless another process just has. Throws SecretKeyError when it cannot be written. */
  static create(path: string): KeyFile {
    try {
      mkdirSync(dirname(path), { recursive: true });
      write(path, [newKeyText()], (made) => linkSync(made, path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new SecretKeyError(
          `the key file ${path} cannot be made (${(error as Error).message}): set SECRET_KEY, or DATA_DIR to a folder that can be written to`,
          { cause: error },
        );
      }
    }
    return KeyFile.open(path)!;
  }

  keys(): readonly MasterKey[] {
    const now = performance.now();
    if (now - this.#lookedAt >= RELOAD_MS) {
      this.#lookedAt = now;
      try {
        if (versionOf(this.path) !== this.#version) this.#read();
      } catch {
        // Away or half copied: what is known goes on, and the next start says what is wrong.
      }
    }
    return this.#keys;
  }

  /** Puts a new key in front of the others. */
  addKey(): void {
    this.#replace([newKeyText(), ...this.#texts()]);
  }

  /** Drops the keys with these ids; never the first one. */
  dropKeys(ids: ReadonlySet<string>): void {
    const [first, ...others] = this.#texts();
    this.#replace([first!, ...others.filter((text) => !ids.has(masterKeys([text])[0]!.id))]);
  }

  #replace(texts: readonly string[]): void {
    write(this.path, texts, (made) => renameSync(made, this.path));
    this.#read();
  }

  #texts(): string[] {
    return readFileSync(this.path, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
  }

  #read(): void {
    const version = versionOf(this.path);
    if (process.platform !== 'win32' && (statSync(this.path).mode & 0o077) !== 0) {
      throw new SecretKeyError(`others can read the key file ${this.path}: run \`chmod 600 ${this.path}\``);
    }
    const texts = this.#texts();
    if (texts.length === 0 || texts.some((text) => readKeyText(text) === undefined)) {
      throw new SecretKeyError(
        `the key file ${this.path} does not hold keys of 32 bytes in base64: restore it from its copy`,
      );
    }
    this.#keys = masterKeys(texts);
    this.#version = version;
    this.#lookedAt = performance.now();
  }
}

function versionOf(path: string): string {
  const { ino, mtimeMs, size } = statSync(path);
  return `${ino}/${mtimeMs}/${size}`;
}

/** Writes the file beside its place, on the disk and readable by its owner alone, and lets `place` put it there. */
function write(path: string, texts: readonly string[], place: (made: string) => void): void {
  const made = `${path}.${process.pid}`;
  rmSync(made, { force: true });
  const file = openSync(made, 'wx', 0o600);
  try {
    writeSync(file, `${about}${texts.join('\n')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    place(made);
  } finally {
    rmSync(made, { force: true });
  }
}
