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
import { newKeyText, readKeyText } from '../kit/text/key-text.ts';
import { type KeySource, type MasterKey, masterKeys } from './keys.ts';
import { SecretKeyError } from './problems.ts';

const FILE = 'secret.key';
/** Milliseconds until a change by another process, such as a rotation, takes effect. */
const RELOAD_MS = 1_000;

const about = `# Carillon's secret key: without it the secrets in the database cannot be read. Keep a copy, apart from backups of the
# database. The first key seals, every key opens. See "Secrets at rest" in docs/operating.md.
`;

/** Path of the key file, used without SECRET_KEY. */
export const keyFilePath = (dataDir: string) => join(dataDir, FILE);

/** A key file: one key per line, in base64, newest first. The process follows its changes. */
export class KeyFile implements KeySource {
  readonly path: string;
  #keys: readonly MasterKey[] = [];
  #version = '';
  #lookedAt = 0;

  private constructor(path: string) {
    this.path = path;
  }

  /** Opens the file; undefined if it does not exist. Throws SecretKeyError if it is unusable. */
  static open(path: string): KeyFile | undefined {
    const file = new KeyFile(path);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    file.#read();
    return file;
  }

  /**
   * Creates the file with a new key, unless another process has just created it. Throws SecretKeyError if it cannot be
   * written.
   */
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
        // The file is missing or half copied: the known keys stay in use, and the next start reports the problem.
      }
    }
    return this.#keys;
  }

  /** Adds a new key before the others. */
  addKey(): void {
    this.#replace([newKeyText(), ...this.#texts()]);
  }

  /** Removes the keys with these ids, except the first one. */
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

/**
 * Writes a temporary file next to the target, synchronised to disk and readable only by its owner, then calls `place`
 * to move it.
 */
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
