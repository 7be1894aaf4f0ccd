import type { Sql } from '../../database/connection.ts';
import { lastBackup } from '../../database/last-backup.ts';
import type { Config } from '../../kit/config.ts';
import { allowedBackupHours } from '../../modules/alerts/conditions/backup-age.ts';
import { erasuresFolderOf } from '../../modules/data-subjects/erasure-records.ts';
import { type AnySchemaCheck, type Check, type Finding, fail, isLoopback, ok, warn } from './check.ts';

const HOUR_MS = 3_600_000;
/** The archive of the write-ahead log should be near. */
const ARCHIVED_WITHIN_MS = HOUR_MS;

interface ServerSettings {
  readonly version: string;
  readonly connections: number;
  readonly used: number;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly autovacuum: string;
  readonly archive_mode: string;
  readonly is_tls: boolean;
}

const readServer = async (sql: Sql): Promise<ServerSettings> => {
  const [row] = await sql<ServerSettings[]>`
    SELECT current_setting('server_version') AS version, current_setting('max_connections')::int AS connections,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
      current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
      current_setting('synchronous_commit') AS synchronous_commit, current_setting('autovacuum') AS autovacuum,
      current_setting('archive_mode') AS archive_mode,
      coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS is_tls`;
  return row!;
};

/** Settings of the server on which the promise rests that nothing accepted is lost. */
export const databaseCheck: AnySchemaCheck = {
  name: 'database',
  title: 'Database settings',
  about:
    'Leave `fsync`, `full_page_writes`, `synchronous_commit` and `autovacuum` on, allow enough connections for all processes, and use TLS to a database on another machine.',
  anySchema: true,
  async run({ database, config }) {
    const server = await readServer(database.sql);
    const findings: Finding[] = [];
    const off = (['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'] as const).filter(
      (name) => server[name] === 'off' || server[name] === 'local',
    );
    for (const name of off) {
      const found = `${name} is ${server[name]}`;
      findings.push(fail(found, `Turn ${name} on: without it accepted messages can be lost.`));
    }
    if (off.length === 0) findings.push(ok(`PostgreSQL ${server.version} keeps what it has committed`));
    const left = server.connections - server.used;
    const found = `${server.used} of ${server.connections} connections are in use`;
    if (left >= config.DATABASE_CONNECTIONS) findings.push(ok(found));
    else {
      const todo = 'Raise max_connections, or lower DATABASE_CONNECTIONS: another process could not start.';
      findings.push(warn(found, todo));
    }
    const host = config.DATABASE_URL === undefined ? '' : new URL(config.DATABASE_URL).hostname;
    if (host !== '' && !isLoopback(host) && !server.is_tls) {
      const todo = 'Add `?sslmode=verify-full` to DATABASE_URL and TLS to the server.';
      findings.push(fail(`the connection to ${host} has no TLS`, todo));
    }
    return findings;
  },
};

/** Whether something is there to restore from. */
export const backupCheck: Check = {
  name: 'backups',
  title: 'Backups',
  about:
    'Back up the embedded database with `carillon backup`, or another one together with its write-ahead log, and test a restore. Create an [alert](alerts.md) of the kind `backup-age`. Keep the key of the secrets in a separate backup.',
  async run({ appContext: { database, clock, config } }) {
    const server = await readServer(database.sql);
    const hasArchive = !database.embedded && server.archive_mode !== 'off';
    const found = hasArchive
      ? await archiveOf(database.sql)
      : await ageOfBackup(database.sql, database.embedded, clock.now());
    return [found, ...(await erasuresOf(database.sql, config))];
  },
};

/** Whether the write-ahead log goes into its archive. */
async function archiveOf(sql: Sql): Promise<Finding> {
  const [archiver] = await sql<{ at: number | null; failed: number }[]>`
      SELECT (extract(epoch FROM last_archived_time) * 1000)::bigint AS at,
        CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN failed_count ELSE 0 END::int AS failed
      FROM pg_stat_archiver`;
  const { at, failed } = archiver!;
  if (failed > 0) {
    return fail(`archiving the write-ahead log fails (${failed} times)`, 'Check the log of PostgreSQL.');
  }
  if (at === null || Date.now() - at > ARCHIVED_WITHIN_MS) {
    const when = at === null ? 'never' : new Date(at).toISOString();
    return warn(
      `the write-ahead log was archived last: ${when}`,
      'Set archive_timeout, and check whether archiving works.',
    );
  }
  return ok(`the write-ahead log was archived at ${new Date(at).toISOString()}`);
}

/** Whether a restored database would repeat the erasures of people that came after its backup. */
async function erasuresOf(sql: Sql, config: Config): Promise<Finding[]> {
  const [erasure] = await sql`SELECT 1 FROM data_subject_requests WHERE kind = 'erasure' LIMIT 1`;
  if (!erasure) return [];
  const found = `erasures of people are recorded in ${erasuresFolderOf(config)}`;
  if (config.ERASURES_DIR !== undefined) return [ok(found)];
  const todo =
    'Set ERASURES_DIR to a folder on another disk: without the records, a backup brings these people back.';
  return [warn(found, todo)];
}

/** How old the last backup is that was noted, by the measure of the alert `backup-age`. */
async function ageOfBackup(sql: Sql, isEmbedded: boolean, now: number): Promise<Finding> {
  const todo = isEmbedded
    ? 'Run `carillon backup` every day, and test a restore.'
    : 'Archive the write-ahead log with a program like pgBackRest, or run `carillon note-backup` after each backup.';
  const last = await lastBackup(sql);
  if (!last) return warn('no backup is recorded', todo);
  const found = `the last backup ended at ${new Date(last.at).toISOString()}, in ${last.place}`;
  const hours = await allowedBackupHours(sql);
  if (now - last.at < hours * HOUR_MS) return ok(found);
  return warn(`${found}: more than ${hours} hours ago`, todo);
}
