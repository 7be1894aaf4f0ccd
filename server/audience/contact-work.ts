import type { Context } from '../context.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import type { DueRows } from '../due-look.ts';
import { Refusal } from '../errors.ts';
import { ListGone } from './contact-rows.ts';
import { type CsvJob, type CsvJobs, JobLost } from './csv-jobs.ts';
import { NotCsv } from './csv-reader.ts';

/** Contacts of removed lists that are deleted at a time. */
const DELETE_AT_ONCE = 5_000;

/** Imports and exports, a turn at a time. */
export interface CsvTurns {
  readonly imports: { turn(job: CsvJob): Promise<void> };
  readonly exports: { turn(job: CsvJob): Promise<void> };
}

interface ContactWorkDeps extends CsvTurns, Pick<Context, 'sql' | 'log'> {
  readonly jobs: CsvJobs;
  /** Those of other audiences than contact lists, by `audience` of their jobs. */
  readonly others: readonly ({ readonly audience: string } & CsvTurns)[];
}

/**
 * What is done about contact lists in the background: imports and exports in turns, those of other audiences too, and
 * deleting removed lists.
 */
export class ContactWork {
  readonly #deps: ContactWorkDeps;
  #stopping = false;

  constructor(deps: ContactWorkDeps) {
    this.#deps = deps;
  }

  /** The jobs and the removed lists that `run` would work on. */
  due(): DueRows[] {
    return [this.#deps.jobs.claimable(), this.#deps.sql`FROM contact_lists WHERE removed_at IS NOT NULL`];
  }

  /** Works until nothing is left to do, or `stop` is called. */
  async run(): Promise<void> {
    let busy = true;
    while (busy && !this.#stopping) {
      const job = await this.#deps.jobs.claim();
      if (job) await this.#turn(job);
      busy = (await this.#deleteSome()) || job !== undefined;
    }
  }

  /** Lets `run` end after the step that it is in. What is not done is resumed when somebody works again. */
  stop(): void {
    this.#stopping = true;
  }

  async #turn(job: CsvJob): Promise<void> {
    const { jobs, others, log } = this.#deps;
    const { imports, exports } = others.find(({ audience }) => audience === job.audience) ?? this.#deps;
    try {
      await (job.kind === 'import' ? imports : exports).turn(job);
    } catch (error) {
      if (error instanceof JobLost) return;
      if (error instanceof ListGone || error instanceof NotCsv || error instanceof Refusal) {
        return jobs.finish(job, 'failed', error.message);
      }
      // While the database is away: the lease runs out, and that is the pause before the next attempt.
      if (isDatabaseTrouble(error)) throw error;
      log.error({ err: error, jobId: job.id, kind: job.kind }, 'an import or export failed');
      await jobs.finish(job, 'failed', 'fault of the service');
    }
  }

  /** Deletes some contacts of a removed list, and the list after the last. False when there is nothing to delete. */
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
    // Another process may be deleting what this one did not see: then the list stays until it is through.
    await sql`
      DELETE FROM contact_lists WHERE account_id = ${account_id} AND id = ${id} AND removed_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM contacts WHERE account_id = ${account_id} AND list_id = ${id})`;
    return true;
  }
}
