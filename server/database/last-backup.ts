import type { Queryable } from './connection.ts';

const KEY = 'last-backup';

/** The last backup that the database knows of. */
export interface LastBackup {
  /** When it ended, milliseconds since the epoch. */
  readonly at: number;
  /** Where it is; undefined: in the archive of the write-ahead log, whose place PostgreSQL alone knows. */
  readonly place: string | undefined;
}

/** Remembers a backup that has ended. A database that is restored from it knows the one before. */
export async function noteBackup(sql: Queryable, { at, place }: Required<LastBackup>): Promise<void> {
  const value = JSON.stringify({ at, place });
  await sql`
    INSERT INTO state (key, value) VALUES (${KEY}, ${value}::text::jsonb)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
}

/**
 * The last backup that was remembered, or, where it is later, the last file of the write-ahead log that was archived; undefined
 * without any.
 */
export async function lastBackup(sql: Queryable): Promise<LastBackup | undefined> {
  const [row] = await sql<{ noted: LastBackup | null; archived: number | null }[]>`
    SELECT (SELECT value FROM state WHERE key = ${KEY}) AS noted,
      CASE WHEN current_setting('archive_mode') <> 'off' THEN (extract(epoch FROM last_archived_time) * 1000)::bigint END AS archived
    FROM pg_stat_archiver`;
  const { noted, archived } = row!;
  if (archived !== null && archived > (noted?.at ?? 0)) return { at: archived, place: undefined };
  return noted ?? undefined;
}
