import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { BuiltFile } from '../built-files.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Quality of Brotli. The highest, 11, takes seconds for the 2 MB of the OpenAPI document. */
const QUALITY = 6;

/** Limit of files in memory. Pages contain the address of the request, which the client chooses. */
const MAX_FILES = 100;

/** Text files in memory. The first request for a file generates and compresses it. */
export class TextFiles {
  readonly #files = new Map<string, Promise<BuiltFile>>();

  /**
   * Returns the file with this key.
   *
   * @param make returns its text, for a file that is not in memory
   */
  get(key: string, type: string, make: () => string): Promise<BuiltFile> {
    const known = this.#files.get(key);
    if (known) return known;
    const file = compressed(type, make());
    this.#files.set(key, file);
    // Drop the oldest file.
    for (const [oldest] of this.#files) {
      if (this.#files.size <= MAX_FILES) break;
      this.#files.delete(oldest);
    }
    return file;
  }
}

async function compressed(type: string, text: string): Promise<BuiltFile> {
  const plain = Buffer.from(text);
  const params = { [zlib.BROTLI_PARAM_QUALITY]: QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length };
  const [br, gz] = await Promise.all([compressBrotli(plain, { params }), compressGzip(plain)]);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { type, plain, br, gzip: gz, immutable: false, etag: `"${hash}"` };
}
