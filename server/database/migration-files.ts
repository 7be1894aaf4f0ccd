import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('./migrations/', import.meta.url);
/** The line of a migration after which only versions that know the migration of this number can run. */
const REQUIRES = /^-- requires: (\d+)$/m;

/** A migration on disk. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: string;
  /** Number of the migration that a version must know to run on a database that has this one; 0: every version can. */
  readonly requires: number;
}

/** The migrations in the order of their numbers. Throws when two have the same number or a file is misnamed. */
export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
      if (!match || files[index - 1]?.startsWith(match[1]!)) {
        throw new Error(`migration ${file} is misnamed, or has the number of another`);
      }
      const statements = await readFile(new URL(file, folder), 'utf8');
      const requires = Number(REQUIRES.exec(statements)?.[1] ?? 0);
      return { number: Number(match[1]), name: match[2]!, statements, requires };
    }),
  );
}
