import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { type CsvCell, writeCsv } from '../../kit/text/csv.ts';
import { type Kind, kinds } from '../personal-data/kinds.ts';
import {
  addCounts,
  type Counts,
  type ExportedRow,
  type PersonalDataPart,
  type Search,
} from '../personal-data/part.ts';
import { indexPage } from './index-page.ts';

/** Bytes of a piece of an archive in the database. */
const CHUNK_BYTES = 1024 * 1024;
/** An archive that would be larger is not made: nobody has written so much. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;
/** Rows of one file: what is kept in memory. */
const ROWS_A_FILE = 5_000;
/** Characters of the rows that are kept in memory, whatever their number. */
const CHARACTERS_A_FILE = 8 * 1024 * 1024;
/** Rows of each kind on the page that people read. */
const SHOWN_ROWS = 500;

interface ArchiveInput {
  readonly search: Search;
  readonly parts: readonly PersonalDataPart[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly store: (sequence: number, data: Buffer) => Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes a tar.gz of everything about a person: for each kind JSON and CSV, the files, and `index.html`, which people read.
 * Memory is that of some files, whatever there is.
 */
export async function writeArchive(
  input: ArchiveInput,
): Promise<{ counts: Counts; bytes: number; chunks: number }> {
  const tar = pack();
  const stored = storeChunks(input.store);
  const packed = pipeline(tar, createGzip(), stored.take);
  try {
    const [counts] = await Promise.all([
      fill(tar, input).catch((error: unknown) => {
        tar.destroy(error as Error);
        throw error;
      }),
      packed,
    ]);
    return { counts, ...stored.written() };
  } catch (error) {
    // The one that comes of the other is not told.
    await packed.catch(() => {});
    throw error;
  }
}

/** Keeps what comes as pieces in the database. */
function storeChunks(store: ArchiveInput['store']) {
  let [chunks, bytes] = [0, 0];
  return {
    written: () => ({ chunks, bytes }),
    async take(source: AsyncIterable<Buffer>): Promise<void> {
      let waiting: Buffer[] = [];
      let size = 0;
      const flush = async () => {
        if (size === 0) return;
        await store(chunks++, Buffer.concat(waiting));
        bytes += size;
        [waiting, size] = [[], 0];
      };
      for await (const piece of source) {
        if (bytes + size > MAX_BYTES) throw new Error('the archive is too large');
        waiting.push(piece);
        size += piece.length;
        if (size >= CHUNK_BYTES) await flush();
      }
      await flush();
    },
  };
}

async function fill(tar: Pack, { search, parts, now }: ArchiveInput): Promise<Counts> {
  const counts: Counts = {};
  const shown = new Map<Kind, Fields[]>();
  const files: FileDigest[] = [];
  const byKind = new Map<Kind, KindFiles>();
  const fileOf = (kind: Kind) => {
    const known = byKind.get(kind) ?? new KindFiles(kind, tar, files);
    byKind.set(kind, known);
    return known;
  };
  const seen = new Set<string>();
  for (const part of parts) {
    for await (const exported of part.rows(search)) {
      const { kind, row } = exported;
      addCounts(counts, { [kind]: 1 });
      await fileOf(kind).add(row);
      const some = shown.get(kind) ?? [];
      if (some.length < SHOWN_ROWS) shown.set(kind, [...some, row]);
      if (exported.file && !seen.has(exported.file.name)) {
        seen.add(exported.file.name);
        await addMedia(tar, exported.file, files);
      }
      await search.keepLease();
    }
  }
  for (const file of byKind.values()) await file.flush();
  const ordered = kinds.flatMap((kind) => {
    const rows = shown.get(kind);
    return rows ? [{ kind, rows, count: counts[kind]!, files: byKind.get(kind)!.names }] : [];
  });
  await addFile(tar, 'index.html', indexPage({ subject: search.subject, now, kinds: ordered }), files);
  const manifest = { made_at: new Date(now).toISOString(), subject: search.subject, counts, files };
  await addFile(tar, 'manifest.json', JSON.stringify(manifest, null, 2), []);
  tar.finalize();
  return counts;
}

interface FileDigest {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The rows of one kind, some thousands in a file. */
class KindFiles {
  readonly names: string[] = [];
  readonly #kind: Kind;
  readonly #tar: Pack;
  readonly #digests: FileDigest[];
  #rows: Fields[] = [];
  #characters = 0;

  constructor(kind: Kind, tar: Pack, digests: FileDigest[]) {
    this.#kind = kind;
    this.#tar = tar;
    this.#digests = digests;
  }

  async add(row: Fields): Promise<void> {
    this.#rows.push(row);
    this.#characters += JSON.stringify(row).length;
    if (this.#rows.length >= ROWS_A_FILE || this.#characters >= CHARACTERS_A_FILE) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    const name = `${this.#kind}${this.names.length === 0 ? '' : `-${this.names.length + 1}`}`;
    this.names.push(name);
    await addFile(this.#tar, `${name}.json`, JSON.stringify(this.#rows, null, 2), this.#digests);
    await addFile(this.#tar, `${name}.csv`, csvOfRows(this.#rows), this.#digests);
    this.#rows = [];
    this.#characters = 0;
  }
}

function csvOfRows(rows: readonly Fields[]): Buffer {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown): CsvCell => {
    if (value === null || value === undefined) return null;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return writeCsv([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))], true);
}

async function addFile(
  tar: Pack,
  name: string,
  content: string | Buffer,
  digests: FileDigest[],
): Promise<void> {
  const data = Buffer.from(content);
  digests.push({ name, bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') });
  await new Promise<void>((resolve, reject) => {
    tar.entry({ name, size: data.length }, data, (error) => (error ? reject(error) : resolve()));
  });
}

/** A file of a chat message. One that is not in the store any more is left out. */
async function addMedia(
  tar: Pack,
  file: NonNullable<ExportedRow['file']>,
  digests: FileDigest[],
): Promise<void> {
  const content = await file.read();
  if (!content) return;
  const name = `files/${file.name}`;
  const digest = createHash('sha256');
  const entry = tar.entry({ name, size: file.size });
  const ended = once(entry, 'finish');
  for await (const piece of content as AsyncIterable<Buffer>) {
    digest.update(piece);
    if (!entry.write(piece)) await once(entry, 'drain');
  }
  entry.end(null);
  await ended;
  digests.push({ name, bytes: file.size, sha256: digest.digest('hex') });
}
