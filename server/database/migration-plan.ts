import { type ReleaseOnSchema, releasesOn } from './releases.ts';
import type { SchemaState } from './schema-state.ts';

/** Changes by a migration, and the versions that can run afterwards. */
export interface MigrationPlan {
  /** Number of the last migration in the database, now and after `carillon migrate`. */
  readonly from: number;
  readonly to: number;
  readonly migrations: readonly { readonly number: number; readonly name: string }[];
  readonly releases: readonly ReleaseOnSchema[];
}

/** Returns the changes that `carillon migrate` would make to a schema. */
export function migrationPlan({ last, known, missing, required }: SchemaState): MigrationPlan {
  const to = Math.max(last, known);
  return {
    from: last,
    to,
    migrations: missing.map(({ number, name }) => ({ number, name })),
    releases: releasesOn(to, Math.max(required, ...missing.map(({ requires }) => requires))),
  };
}

/** Returns a sentence for each release about its use on the schema of a plan. */
export const describeReleases = ({ releases }: MigrationPlan): string[] =>
  releases.map(({ version, runs, starts }) => {
    if (starts) return `version ${version} works and starts on it`;
    return runs
      ? `a running process of version ${version} works on, and does not start again`
      : `version ${version} does not work on it: stop its processes first`;
  });
