import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';

const folder = new URL('./migrations/', import.meta.url);
/** The line of a migration after which only versions that know the migration of this number can run. */
const REQUIRES = /^-- requires: (\d+)$/m;

/** A migration on disk. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: string;
  /** Number of the migration that a version must know to run on a database with this one; 0 if every version can. */
  readonly requires: number;
}

/**
 * The migrations in the order of their numbers. Throws when two have the same number or a file is misnamed.
 *
 * @param more folders of channels: their migrations are numbered with all others
 */
export async function readMigrations(more: readonly URL[] = []): Promise<Migration[]> {
  const found = [folder, ...more].map(async (place) =>
    (await readdir(place)).filter((file) => file.endsWith('.sql')).map((file) => new URL(file, place)),
  );
  const nameOf = (url: URL) => basename(url.pathname);
  const urls = (await Promise.all(found)).flat().toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return Promise.all(
    urls.map(async (url, index) => {
      const file = nameOf(url);
      const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
      if (!match || (index > 0 && nameOf(urls[index - 1]!).startsWith(match[1]!))) {
        throw new Error(`migration ${file} is misnamed, or has the number of another`);
      }
      const statements = await readFile(url, 'utf8');
      const requires = Number(REQUIRES.exec(statements)?.[1] ?? 0);
      return { number: Number(match[1]), name: match[2]!, statements, requires };
    }),
  );
}
