import type { Query, Sql } from './database/connection.ts';
import { onePlacement, type Placements } from './database/placements.ts';
import type { Job } from './loop.ts';

/*
 * One look for the work of many jobs, on a distributed PostgreSQL of the dispatcher and of events, too. A job that finds
 * nothing nearly always would ask the database some times a second for nothing; on a distributed PostgreSQL each such question
 * goes to every shard (docs/decisions/0005-sql-that-can-be-distributed.md).
 */

/** Rows of tables by account: `FROM` and `WHERE` of a SELECT that has a row when a job has something to do. */
export type DueRows = Query<readonly object[]>;

/** A job with the rows that it works on: without any its step is not made. */
export interface DueJob extends Job {
  readonly due?: () => readonly DueRows[];
}

/** How old the answer may be that a job goes by, milliseconds. */
const FRESH_MS = 100;
const FRESH_DISTRIBUTED_MS = 1_000;

interface DueLookDeps {
  readonly sql: Sql;
  readonly placements: Placements;
}

/** Asks for the work of all jobs together. */
export class DueLook {
  readonly #deps: DueLookDeps;
  readonly #questions: (() => readonly DueRows[])[] = [];
  #answers = new Set<number>();
  #answeredAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(deps: DueLookDeps) {
    this.#deps = deps;
  }

  /** Adds a question; what is returned tells whether there was a row a moment ago. It throws what the database throws. */
  add(question: () => readonly DueRows[]): () => Promise<boolean> {
    const index = this.#questions.push(question) - 1;
    return async () => {
      await this.#ask();
      return this.#answers.has(index);
    };
  }

  /** The same for what looks by itself on one PostgreSQL: there the answer is yes, without a question. */
  addDistributed(question: () => readonly DueRows[]): () => Promise<boolean> {
    return this.#deps.placements === onePlacement ? () => Promise.resolve(true) : this.add(question);
  }

  async #ask(): Promise<void> {
    const fresh = this.#deps.placements === onePlacement ? FRESH_MS : FRESH_DISTRIBUTED_MS;
    if (performance.now() - this.#answeredAt < fresh) return;
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }

  async #askAll(): Promise<void> {
    const began = performance.now();
    const found = await this.#find();
    this.#answers = new Set(found.map(({ question }) => question));
    this.#answeredAt = began;
  }

  /** The questions that have a row. */
  async #find(): Promise<readonly Found[]> {
    const { sql, placements } = this.#deps;
    const questions = this.#questions.flatMap((question, index) =>
      question().map((rows) => ({ rows, index })),
    );
    const union = (arms: readonly DueRows[]) => arms.reduce((before, arm) => sql`${before} UNION ALL ${arm}`);
    // The first row of a server or of a shard is enough.
    const first = union(
      questions.map(
        ({ rows, index }) => sql`SELECT ${index}::integer AS question WHERE EXISTS (SELECT ${rows})`,
      ),
    );
    if (placements === onePlacement) return sql<Found[]>`${first}`;
    const everywhere = placements.everywhere();
    if (everywhere) {
      try {
        return await everywhere<Found[]>`${first}`;
      } catch {
        // A shard has moved, or a node is away: the coordinator knows.
      }
    }
    const all = union(
      questions.map(({ rows, index }) => sql`SELECT account_id, ${index}::integer AS question ${rows}`),
    );
    return sql<Found[]>`SELECT DISTINCT question FROM (${all}) u`;
  }
}

interface Found {
  readonly question: number;
}
