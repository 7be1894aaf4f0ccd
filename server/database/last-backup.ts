import type { Queryable } from './connection.ts';

const KEY = 'last-backup';

/** The last backup known to the database. */
export interface LastBackup {
  /** End of the backup, in milliseconds since the epoch. */
  readonly at: number;
  /** Its location; undefined for the archive of the write-ahead log, whose location only PostgreSQL knows. */
  readonly place: string | undefined;
}

/** Stores that a backup has ended. A database restored from it knows the backup before. */
export async function noteBackup(sql: Queryable, { at, place }: Required<LastBackup>): Promise<void> {
  const value = JSON.stringify({ at, place });
  await sql`
    INSERT INTO state (key, value) VALUES (${KEY}, ${value}::text::jsonb)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
}

/**
 * Returns the last stored backup, or the last archived file of the write-ahead log if that is later; undefined without
 * any.
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
