import { texts } from './arrays.ts';
import type { Queryable } from './connection.ts';
import type { ProcessNumber } from './processes.ts';

/** Milliseconds between two reports of a process. */
export const REPORT_MS = 2_000;
/** Milliseconds without a report, by the clock of the database, after which a process is omitted: five reports. */
const ALIVE_MS = 10_000;
/** A process of the previous version, or a command, reports nothing: it counts while it has its process number. */
const LEASE_MS = 60_000;

/** State that a process of the service reports. */
export interface ProcessReport {
  readonly roles: readonly string[];
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** Problems that prevent it from working, as in `/readyz`. */
  readonly problems: readonly string[];
  /** Number of errors logged since its start. */
  readonly errors: number;
  readonly lastError: LastError | null;
}

/** An error in the log of a process: its fixed text, without values. */
export interface LastError {
  readonly text: string;
  /** Milliseconds since the epoch, by the clock of the process. */
  readonly at: number;
}

/** A process that runs on this database. */
export interface ReportedProcess {
  readonly number: number;
  readonly boot: string;
  /** Milliseconds since its start, by the clock of the database. */
  readonly ageMs: number | null;
  /** Null for a command, a process that is starting, and a process of version 0.1.0: they report nothing. */
  readonly report: ProcessReport | null;
}

/** Writes the report of a process into its row. Rejects with errors of the database. */
export async function writeReport(
  sql: Queryable,
  { number, boot }: Pick<ProcessNumber, 'number' | 'boot'>,
  { roles, host, pid, version, problems, errors, lastError }: ProcessReport,
): Promise<void> {
  await sql`
    UPDATE processes SET heartbeat_at = n.now, heartbeat_boot = boot,
      started_at = CASE WHEN heartbeat_boot = boot THEN started_at ELSE n.now END,
      roles = ${texts(roles)}::text[], host = ${host}, pid = ${pid}, version = ${version},
      problems = ${texts(problems)}::text[], errors = ${errors},
      last_error = ${lastError?.text ?? null}, last_error_at = ${lastError?.at ?? null}
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now) AS n
    WHERE number = ${number} AND boot = ${boot}`;
}

interface Row {
  readonly number: number;
  readonly boot: string;
  readonly reports: boolean;
  readonly age: number | null;
  readonly roles: string[];
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly problems: string[];
  readonly errors: number;
  readonly last_error: string | null;
  readonly last_error_at: number | null;
}

/**
 * Returns the processes that run on this database. A killed one is omitted after 10 seconds. Rejects with errors of the
 * database.
 */
export async function listProcesses(sql: Queryable): Promise<ReportedProcess[]> {
  const rows = await sql<Row[]>`
    SELECT * FROM (
      SELECT number, boot, coalesce(heartbeat_boot = boot, false) AS reports, n.now - started_at AS age, seen_at, heartbeat_at, n.now,
        roles, host, pid, version, problems, errors, last_error, last_error_at
      FROM processes, (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now) AS n
    ) AS p
    WHERE (reports AND heartbeat_at > now - ${ALIVE_MS}) OR (NOT reports AND seen_at > now - ${LEASE_MS})
    ORDER BY number`;
  return rows.map(({ number, boot, reports, age, last_error: text, last_error_at: at, ...report }) => ({
    number,
    boot,
    ageMs: reports ? age : null,
    report: reports
      ? {
          roles: report.roles,
          host: report.host,
          pid: report.pid,
          version: report.version,
          problems: report.problems,
          errors: report.errors,
          lastError: text === null ? null : { text, at: at! },
        }
      : null,
  }));
}
