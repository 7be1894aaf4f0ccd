import type { Queryable, TransactionSql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { endLeases, isFree, isHeldBy, isLeased, newClaim, released, renewed } from '../../database/leases.ts';
import type { WorkLease } from '../../engine/work/lease.ts';
import type { Work } from '../../engine/work/work.ts';
import { HIDDEN, type PreviousItems, type PreviousKey, type WorkItem } from '../../engine/work/worker.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { CsvChunk } from '../../kit/text/csv.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import type { BudgetAmounts } from '../budgets/kinds.ts';
import type { AuditLog } from '../people/audit.ts';
import type { ExportLayout } from './csv-layout.ts';
import { type RefusalReason, type RefusedRow, reasonText, refusalReasons } from './csv-refusals.ts';

/** Size of a chunk of a file in the database, in bytes. */
export const CHUNK_BYTES = 1024 * 1024;

/** Kind of background work: the turns of a job, by its id. */
export const CSV_JOB = 'csv-job';

/** How long a process has the upload of a file, renewed with every chunk. */
const UPLOAD_MS = 10_000;

/** Milliseconds that a finished job, its report and an exported file are kept. */
export const KEEP_MS = 7 * 86_400_000;

/** Milliseconds without data after which an upload is abandoned. */
const SILENCE_MS = 600_000;

/** Maximum number of open jobs of one kind per account. */
const MAX_OPEN = 5;

/** `action` of the audit entry for the end of an export. */
const EXPORT_ENDED = 'export ended';

/** `list_id` of an import into the blacklist. */
export const FOR_BLACKLIST = 0;

export type CsvJobKind = 'import' | 'export';
/** Kind of list that a job imports or exports. */
export type CsvAudience = 'contacts' | 'mail';
export type CsvJobState = 'receiving' | 'waiting' | 'running' | 'done' | 'stopped' | 'failed';

/** An import or export (migration 0003). Times in milliseconds since the epoch. */
export interface CsvJob {
  readonly account_id: number;
  readonly id: number;
  readonly kind: CsvJobKind;
  readonly audience: CsvAudience;
  readonly list_id: number;
  readonly state: CsvJobState;
  readonly problem: string | null;
  readonly bytes: number;
  readonly chunks: number;
  readonly position: number;
  readonly line: number;
  /** For an import, CsvLayout or MailCsvLayout, once its file is complete; for an export, ExportLayout. */
  readonly layout: object | null;
  /** For an export: the phone, or the id of the user, of the last written row; '' before the first. */
  readonly after_phone: string;
  readonly rows: number;
  readonly added: number;
  readonly present: number;
  readonly refused: number;
  /** For an import: number of recorded consents. */
  readonly consents: number;
  readonly created_at: number;
  readonly finished_at: number | null;
  /** While its file is received: the claim of the process that does so (database/leases.ts). */
  readonly lease_owner: string | null;
  /** For an export: the person who requested it. */
  readonly person_id: number | null;
  readonly username: string | null;
  readonly token_id: number | null;
}

/** The caller that requests an export, for the audit log: a person, or a token. */
export interface ExportRequester {
  readonly person?: { readonly id: number; readonly username: string } | undefined;
  readonly tokenId?: number | undefined;
}

/** Progress of a job in one step, written in the transaction of its work. */
interface CsvProgress {
  readonly bytes?: number;
  readonly chunks?: number;
  readonly position?: number;
  readonly line?: number;
  readonly after_phone?: string;
  /** Added to the stored count. */
  readonly rows?: number;
  readonly added?: number;
  readonly present?: number;
  readonly refused?: number;
  readonly consents?: number;
}

type JobKey = Pick<CsvJob, 'account_id' | 'id'>;
/** A job whose file this process receives. */
type UploadedJob = Pick<CsvJob, 'account_id' | 'id' | 'lease_owner'>;
/** A job that this process works on. */
export type WorkedJob = CsvJob & { readonly lease: WorkLease };

/** The job was stopped: what this process was about to store is void. */
export class JobLost extends Error {}

interface CsvJobsDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly audit: Pick<AuditLog, 'write'>;
  readonly budgets: Pick<BudgetBook, 'take'>;
  readonly owner: string;
  readonly work: Pick<Work, 'add' | 'remove'>;
}

/**
 * Imports and exports as rows, each with an item of background work: where each stands is in the database, and moves on in the same
 * transaction as its work, so that nothing is done twice or left out when a process dies.
 */
export class CsvJobs {
  readonly #deps: CsvJobsDeps;

  /** `owner` identifies this process among all, as for every lease. */
  constructor(deps: CsvJobsDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a job. An export (`layout`) waits for its turn; this process leases an import until its file is complete.
   * Throws Refusal `too-fast` at five open jobs of its kind.
   */
  async create(
    accountId: number,
    listId: number,
    layout: ExportLayout | null,
    audience: CsvAudience = 'contacts',
    { person, tokenId }: ExportRequester = {},
  ): Promise<CsvJob> {
    const [kind, state] = layout ? ['export', 'waiting'] : ['import', 'receiving'];
    const leaseNow = leaseClock.now();
    const id = this.#deps.ids.next();
    return this.#deps.sql.begin(async (tx) => {
      // The account's row is the lock, so that jobs created in parallel are counted one after another.
      await tx`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`;
      const [open] = await tx<{ count: number }[]>`
        SELECT count(*)::int AS count FROM csv_jobs
        WHERE account_id = ${accountId} AND kind = ${kind!} AND finished_at IS NULL
          AND (state <> 'receiving' OR ${isLeased(tx, leaseNow - SILENCE_MS)})`;
      if (open!.count >= MAX_OPEN) throw new Refusal('too-fast', `${MAX_OPEN} ${kind}s are not done yet`);
      const [job] = await tx<CsvJob[]>`
        INSERT INTO csv_jobs (account_id, id, kind, audience, list_id, state, layout, created_at,
          lease_owner, lease_until, person_id, username, token_id)
        VALUES (${accountId}, ${id}, ${kind!}, ${audience}, ${listId}, ${state!}, ${layout && tx.json(layout as never)},
          ${this.#deps.clock.now()}, ${layout ? null : newClaim(this.#deps.owner)}, ${layout ? HIDDEN : leaseNow + UPLOAD_MS},
          ${person?.id ?? null}, ${person?.username ?? null}, ${tokenId ?? null})
        RETURNING *`;
      if (layout) await this.#deps.work.add(tx, { accountId, kind: CSV_JOB, key: id });
      return job!;
    });
  }

  async find(accountId: number, kind: CsvJobKind, id: number): Promise<CsvJob | undefined> {
    const [job] = await this.#deps.sql<CsvJob[]>`
      SELECT * FROM csv_jobs WHERE account_id = ${accountId} AND id = ${id} AND kind = ${kind}`;
    return job;
  }

  /** Returns up to `limit` jobs of one kind of an account, newest first; with `listId`, only those of a list. */
  async recent(
    accountId: number,
    kind: CsvJobKind,
    listId: number | undefined,
    limit: number,
  ): Promise<CsvJob[]> {
    return this.#deps.sql<CsvJob[]>`
      SELECT * FROM csv_jobs
      WHERE account_id = ${accountId} AND kind = ${kind}
        AND ${listId === undefined ? this.#deps.sql`true` : this.#deps.sql`list_id = ${listId}`}
      ORDER BY id DESC LIMIT ${limit}`;
  }

  /** Begins a turn of a job; undefined for one that has ended. */
  async begin(lease: WorkLease): Promise<WorkedJob | undefined> {
    const { accountId, key } = lease.item;
    const [job] = await this.#deps.sql<CsvJob[]>`
      UPDATE csv_jobs SET state = 'running'
      WHERE account_id = ${accountId} AND id = ${key} AND finished_at IS NULL AND state <> 'receiving'
      RETURNING *`;
    return job && { ...job, lease };
  }

  /** Stores how far a job is, in the transaction of its work. Throws JobLost, and WorkLost. */
  async progress(tx: TransactionSql, job: UploadedJob | WorkedJob, step: CsvProgress): Promise<void> {
    const isUpload = !('lease' in job);
    const { count } = await tx`
      UPDATE csv_jobs SET ${renewed(tx, isUpload ? leaseClock.now() + UPLOAD_MS : HIDDEN)},
        bytes = bytes + ${step.bytes ?? 0}, chunks = chunks + ${step.chunks ?? 0},
        position = coalesce(${step.position ?? null}::bigint, position), line = coalesce(${step.line ?? null}::bigint, line),
        after_phone = coalesce(${step.after_phone ?? null}::text, after_phone),
        rows = rows + ${step.rows ?? 0}, added = added + ${step.added ?? 0},
        present = present + ${step.present ?? 0}, refused = refused + ${step.refused ?? 0},
        consents = consents + ${step.consents ?? 0}
      WHERE account_id = ${job.account_id} AND id = ${job.id} AND finished_at IS NULL
        AND ${isUpload ? isHeldBy(tx, { owner: job.lease_owner! }) : tx`true`}`;
    if (count === 0) throw new JobLost();
    if (!isUpload) await job.lease.hold(tx);
  }

  /** Marks the file of an import as complete; the import then waits for its turn. Throws JobLost. */
  async received(
    tx: TransactionSql,
    job: UploadedJob,
    start: { layout: object; position: number; line: number },
  ): Promise<CsvJob> {
    const [received] = await tx<CsvJob[]>`
      UPDATE csv_jobs SET state = 'waiting', ${released(tx, HIDDEN)},
        layout = ${tx.json(start.layout as never)}, position = ${start.position}, line = ${start.line}
      WHERE account_id = ${job.account_id} AND id = ${job.id} AND finished_at IS NULL
        AND ${isHeldBy(tx, { owner: job.lease_owner! })}
      RETURNING *`;
    if (!received) throw new JobLost();
    await this.#deps.work.add(tx, { accountId: received.account_id, kind: CSV_JOB, key: received.id });
    return received;
  }

  /** Ends a job that this process works on. Throws WorkLost. */
  async finish(job: WorkedJob, state: 'done' | 'failed', problem: string | null = null): Promise<'settled'> {
    await this.#deps.sql.begin(async (tx) => {
      await this.end(tx, { accountId: job.account_id, key: job.id }, state, problem);
      await job.lease.done(tx);
    });
    return 'settled';
  }

  /** Ends a job. The audit log has the end of an export, with its rows. */
  async end(
    tx: TransactionSql,
    { accountId, key }: Pick<WorkItem, 'accountId' | 'key'>,
    state: 'done' | 'failed',
    problem: string | null,
  ): Promise<void> {
    const [ended] = await tx<CsvJob[]>`
      UPDATE csv_jobs SET state = ${state}, problem = ${problem}, finished_at = ${this.#deps.clock.now()}
      WHERE account_id = ${accountId} AND id = ${key} AND finished_at IS NULL
      RETURNING *`;
    if (ended && (ended.kind === 'import' || state === 'failed')) await dropFile(tx, ended);
    if (ended?.kind === 'export') await this.#auditExport(tx, ended);
  }

  /** Writes the audit entry of an ended export, in the name of the caller who requested it. */
  async #auditExport(tx: Queryable, job: CsvJob): Promise<void> {
    const complete = job.state === 'done';
    await this.#deps.audit.write(
      {
        accountId: job.account_id,
        personId: job.person_id ?? undefined,
        username: job.username ?? undefined,
        tokenId: job.token_id ?? undefined,
        action: EXPORT_ENDED,
        kind: 'exports',
        id: job.id,
        status: complete ? 200 : 500,
        after: {
          rows: job.rows,
          complete,
          list_id: String(job.list_id),
          ...(job.problem !== null && { problem: job.problem }),
        },
      },
      tx,
    );
  }

  /** Stops a job; an ended job stays unchanged. Returns undefined if the account has no such job. */
  async stop(accountId: number, kind: CsvJobKind, id: number): Promise<CsvJob | undefined> {
    const stopped = await this.#deps.sql.begin(async (tx) => {
      const [job] = await tx<CsvJob[]>`
        UPDATE csv_jobs SET state = 'stopped', finished_at = ${this.#deps.clock.now()}
        WHERE account_id = ${accountId} AND id = ${id} AND kind = ${kind} AND finished_at IS NULL
        RETURNING *`;
      if (job) {
        await dropFile(tx, job);
        await this.#deps.work.remove(tx, { accountId, kind: CSV_JOB, key: id });
      }
      return job;
    });
    return stopped ?? this.find(accountId, kind, id);
  }

  /** Deletes a job with all its data. */
  async discard(job: JobKey): Promise<void> {
    await this.#deps.sql.begin(async (tx) => {
      await tx`DELETE FROM csv_jobs WHERE account_id = ${job.account_id} AND id = ${job.id}`;
      await tx`DELETE FROM csv_refusals WHERE account_id = ${job.account_id} AND job_id = ${job.id}`;
      await dropFile(tx, job);
      await this.#deps.work.remove(tx, { accountId: job.account_id, kind: CSV_JOB, key: job.id });
    });
  }

  /**
   * Appends a chunk to a job's file and stores the progress, in the caller's transaction. Throws Refusal `over-budget`
   * for the budget `files`, and JobLost.
   */
  async append(
    tx: TransactionSql,
    job: UploadedJob | WorkedJob,
    sequence: number,
    data: Buffer,
    step: Omit<CsvProgress, 'bytes' | 'chunks'> = {},
  ): Promise<void> {
    const amounts = { count: sequence === 0 ? 1 : 0, bytes: data.length };
    await this.#deps.budgets.take(tx, job.account_id, 'files', amounts);
    await this.progress(tx, job, { ...step, bytes: data.length, chunks: 1 });
    await tx`
      INSERT INTO csv_chunks (account_id, job_id, sequence, data)
      VALUES (${job.account_id}, ${job.id}, ${sequence}, ${data})`;
  }

  /** Returns a chunk of a job's file; undefined after the last. */
  async chunk(job: JobKey, sequence: number): Promise<Buffer | undefined> {
    const [row] = await this.#deps.sql<{ data: Buffer }[]>`
      SELECT data FROM csv_chunks
      WHERE account_id = ${job.account_id} AND job_id = ${job.id} AND sequence = ${sequence}`;
    return row?.data;
  }

  /**
   * Yields the file of an export chunk by chunk. The first chunk counts all rows, because chunks are stored without
   * their number of rows.
   */
  async *file(job: CsvJob): AsyncGenerator<CsvChunk> {
    for (let sequence = 0; sequence < job.chunks; sequence++) {
      const data = await this.chunk(job, sequence);
      // Fails in place of sending half a file: the caller sees a broken response.
      if (!data) throw new Error('the file of an export no longer exists');
      yield { data, rows: sequence === 0 ? job.rows : 0 };
    }
  }

  /** Stores refused rows, in the transaction of `progress`. */
  async refuse(
    sql: Queryable,
    job: JobKey,
    rows: readonly { line: number; reason: RefusalReason }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await sql`
      INSERT INTO csv_refusals (account_id, job_id, first_line, lines, reasons)
      VALUES (${job.account_id}, ${job.id}, ${rows[0]!.line}, ${rows.map(({ line }) => line)}::bigint[],
        ${rows.map(({ reason }) => refusalReasons[reason][0])}::smallint[])`;
  }

  /** Yields the rows that an import refused, in groups, in the order of the file. */
  async *refusals(job: JobKey): AsyncGenerator<RefusedRow[]> {
    for (let after = 0; ; ) {
      const [row] = await this.#deps.sql<{ first_line: number; lines: number[]; reasons: number[] }[]>`
        SELECT first_line, lines, reasons FROM csv_refusals
        WHERE account_id = ${job.account_id} AND job_id = ${job.id} AND first_line > ${after}
        ORDER BY first_line LIMIT 1`;
      if (!row) return;
      yield row.lines.map((line, index) => ({ line, reason: reasonText(row.reasons[index]!) }));
      after = row.first_line;
    }
  }

  /** Ends uploads of an earlier process: for the one process of an embedded database, when it starts. */
  async endUploads(): Promise<void> {
    const { sql } = this.#deps;
    await endLeases(sql, ['csv_jobs'], sql`state = 'receiving'`);
  }

  /** Abandons stalled uploads, and deletes jobs that ended a week ago. */
  async cleanUp(): Promise<void> {
    const leaseSince = leaseClock.now() - SILENCE_MS;
    const broken = await this.#deps.sql<JobKey[]>`
      SELECT account_id, id FROM csv_jobs
      WHERE finished_at IS NULL AND state = 'receiving' AND ${isFree(this.#deps.sql, leaseSince)}`;
    for (const job of broken) {
      await this.#deps.sql.begin(async (tx) => {
        const [ended] = await tx<CsvJob[]>`
          UPDATE csv_jobs
          SET state = 'failed', problem = 'the file did not come whole', finished_at = ${this.#deps.clock.now()}
          WHERE account_id = ${job.account_id} AND id = ${job.id} AND state = 'receiving' AND ${isFree(tx, leaseSince)}
          RETURNING *`;
        if (ended) await dropFile(tx, ended);
      });
    }
    const old = await this.#deps.sql<JobKey[]>`
      SELECT account_id, id FROM csv_jobs WHERE finished_at < ${this.#deps.clock.now() - KEEP_MS}`;
    for (const job of old) await this.discard(job);
  }
}

/** Jobs that the version before keeps by `lease_until` of their rows. */
export const previousJobs: PreviousItems = {
  waiting: (sql, leaseNow, limit) => sql<PreviousKey[]>`
    SELECT account_id AS "accountId", id AS key FROM csv_jobs
    WHERE finished_at IS NULL AND state <> 'receiving' AND ${isFree(sql, leaseNow)} LIMIT ${limit}`,
  async take(tx, { accountId, key }, leaseNow) {
    const { count } = await tx`
      UPDATE csv_jobs SET ${released(tx, HIDDEN)}
      WHERE account_id = ${accountId} AND id = ${key} AND finished_at IS NULL AND state <> 'receiving'
        AND ${isFree(tx, leaseNow)}`;
    return count === 0 ? undefined : leaseNow;
  },
};

/** Runs in the transaction that ends the job, so that a reader or writer of the file finds the job ended. */
async function dropFile(tx: Queryable, job: JobKey): Promise<void> {
  await tx`DELETE FROM csv_chunks WHERE account_id = ${job.account_id} AND job_id = ${job.id}`;
}

/** Returns the number and total bytes of the files of imports and exports that an account has stored. */
export async function heldCsvFiles(sql: Queryable, accountId: number): Promise<BudgetAmounts> {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    SELECT count(*)::int AS count, coalesce(sum(bytes), 0)::bigint AS bytes FROM csv_jobs
    WHERE account_id = ${accountId} AND chunks > 0
      AND (finished_at IS NULL OR (kind = 'export' AND state = 'done'))`;
  return { ...row!, credits: 0 };
}
