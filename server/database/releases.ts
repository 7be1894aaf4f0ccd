import type { Migration } from './migration-files.ts';

/** A released version. */
interface Release {
  readonly version: string;
  /** Number of the last migration that the version knows. */
  readonly migration: number;
  /**
   * Whether the version starts on a schema of a later one. A version that does not still runs on it once it has
   * started.
   */
  readonly startsOnLater: boolean;
}

/** Every release, oldest first. `test/upgrade/` runs the last one, and a test refuses a stored release that is not listed. */
const releases: readonly Release[] = [{ version: '0.1.0', migration: 58, startsOnLater: false }];

/** Use of a schema by a release. */
export interface ReleaseOnSchema {
  readonly version: string;
  /** Whether a process started on an earlier schema continues to work. */
  readonly runs: boolean;
  readonly starts: boolean;
}

/**
 * Returns what each release can do on a schema.
 *
 * @param last number of the last migration of the schema
 * @param required number of the migration that a version must know to run on it; 0: every version can
 */
export const releasesOn = (last: number, required: number): ReleaseOnSchema[] =>
  releases.map(({ version, migration, startsOnLater }) => {
    const runs = migration >= required;
    return { version, runs, starts: runs && (startsOnLater || migration >= last) };
  });

/** Returns the releases by schema number as a Markdown table, for docs/operating.md. */
export function releasesTable(migrations: readonly Migration[]): string {
  const rows = releases.map(({ version, migration, startsOnLater }) => {
    const end = migrations.find(({ number, requires }) => number > migration && requires > migration);
    const runs = end ? `${migration} to ${end.number - 1}` : `${migration} and every later one`;
    return `| ${version} | ${migration} | ${runs} | ${startsOnLater ? runs : migration} |`;
  });
  return [
    '| Release | Its schema | A running process works on schema | Starts on schema |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}
