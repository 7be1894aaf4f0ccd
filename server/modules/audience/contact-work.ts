import type { DueRows } from '../../database/due-look.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { type WorkLease, WorkLost } from '../../engine/work/lease.ts';
import type { Work } from '../../engine/work/work.ts';
import type { Outcome } from '../../engine/work/worker.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { ListGone } from './contact-rows.ts';
import { CSV_JOB, type CsvJobs, JobLost, previousJobs, type WorkedJob } from './csv-jobs.ts';
import { NotCsv } from './csv-reader.ts';

/** Contacts of removed lists deleted per statement. */
const DELETE_AT_ONCE = 5_000;

/** Milliseconds between two looks for jobs. */
const CSV_MS = 300;
/** Longer than one turn takes. */
const DEADLINE_MS = 120_000;
/** Attempts at one turn: the queue abandons a job that ends its process each time. */
const MAX_ATTEMPTS = 5;
const PAUSES_MS = [1_000];
const FAULT = 'fault of the service';

/** `more`: the job continues after the turns of others. */
export type TurnResult = 'settled' | 'more';

/** Imports and exports of one audience, processed in turns. */
export interface CsvTurns {
  readonly imports: { turn(job: WorkedJob): Promise<TurnResult> };
  readonly exports: { turn(job: WorkedJob): Promise<TurnResult> };
}

/** Imports and exports of another audience than contact lists, by `audience` of their jobs. */
export interface AudienceTurns extends CsvTurns {
  readonly audience: string;
}

interface ContactWorkDeps extends CsvTurns, Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly jobs: CsvJobs;
  readonly work: Pick<Work, 'register'>;
  /** Those of the channels, which open later. */
  readonly others: () => readonly AudienceTurns[];
}

/**
 * Background work of contact lists: runs the imports and exports of all audiences in turns, and deletes removed lists.
 */
export class ContactWork {
  readonly #deps: ContactWorkDeps;
  #stopping = false;

  constructor(deps: ContactWorkDeps) {
    this.#deps = deps;
    deps.work.register({
      kind: CSV_JOB,
      owner: 'contact lists',
      everyMs: CSV_MS,
      places: 1,
      deadlineMs: DEADLINE_MS,
      retry: { pausesMs: PAUSES_MS, maxAttempts: MAX_ATTEMPTS },
      step: (_, lease) => this.#step(lease),
      givenUp: (tx, item) => deps.jobs.end(tx, item, 'failed', FAULT),
      previous: previousJobs,
    });
  }

  /** The removed lists that `run` would delete. */
  due(): DueRows[] {
    return [this.#deps.sql`FROM contact_lists WHERE removed_at IS NOT NULL`];
  }

  /** Deletes removed lists until none is left, or `stop` is called. */
  async run(): Promise<void> {
    let busy = true;
    while (busy && !this.#stopping) busy = await this.#deleteSome();
  }

  /** Makes `run` end after its current step. The next run resumes the rest. */
  stop(): void {
    this.#stopping = true;
  }

  async #step(lease: WorkLease): Promise<Outcome> {
    const { jobs, others, log, clock } = this.#deps;
    const job = await jobs.begin(lease);
    if (!job) return 'done';
    const { imports, exports } = others().find(({ audience }) => audience === job.audience) ?? this.#deps;
    try {
      const result = await (job.kind === 'import' ? imports : exports).turn(job);
      return result === 'more' ? { later: clock.now() } : result;
    } catch (error) {
      if (error instanceof JobLost) return 'done';
      if (error instanceof WorkLost) throw error;
      if (error instanceof ListGone || error instanceof NotCsv || error instanceof Refusal) {
        return jobs.finish(job, 'failed', error.message);
      }
      // If the database is unavailable, the lease expires, which is also the pause before the next attempt.
      if (isDatabaseTrouble(error)) throw error;
      log.error({ err: error, jobId: job.id, kind: job.kind }, 'an import or export failed');
      return jobs.finish(job, 'failed', FAULT);
    }
  }

  /**
   * Deletes some contacts of a removed list, and the list once it is empty. Returns false if no removed list exists.
   */
  async #deleteSome(): Promise<boolean> {
    const { sql } = this.#deps;
    const [list] = await sql<{ account_id: number; id: number }[]>`
      SELECT account_id, id FROM contact_lists WHERE removed_at IS NOT NULL ORDER BY removed_at LIMIT 1`;
    if (!list) return false;
    const { account_id, id } = list;
    const { count } = await sql`
      DELETE FROM contacts WHERE account_id = ${account_id} AND list_id = ${id} AND phone = ANY(ARRAY(
        SELECT phone FROM contacts WHERE account_id = ${account_id} AND list_id = ${id}
        ORDER BY phone LIMIT ${DELETE_AT_ONCE}))`;
    if (count === DELETE_AT_ONCE) return true;
    // Another process may be deleting contacts that this one did not see. Then the list stays until that process is
    // done.
    await sql`
      DELETE FROM contact_lists WHERE account_id = ${account_id} AND id = ${id} AND removed_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = ${account_id} AND list_id = ${id})`;
    return true;
  }
}
