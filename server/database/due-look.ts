import type { Job } from '../kit/loop.ts';
import type { Query, Sql } from './connection.ts';
import { onePlacement, type Placements } from './placements.ts';

/*
 * One query for the work of many jobs, and on a distributed PostgreSQL also of the dispatcher and of events. Most jobs
 * find nothing most of the time, and separate queries would run several times a second for nothing; on a distributed
 * PostgreSQL each query goes to every shard (docs/decisions/0005-sql-that-can-be-distributed.md).
 */

/** `FROM` and `WHERE` of a SELECT that returns a row if a job has work. */
export type DueRows = Query<readonly object[]>;

/** A job with the rows that it works on. Without any row its step is skipped. */
export interface DueJob extends Job {
  /** Rows of tables by account. */
  readonly due?: () => readonly DueRows[];
  /** Rows of tables on the coordinator, for a job without `due`. On a distributed PostgreSQL its step looks for them. */
  readonly dueOnCoordinator?: () => readonly DueRows[];
}

/** Maximum age of an answer that a job may use, in milliseconds. */
const FRESH_MS = 100;
const FRESH_DISTRIBUTED_MS = 1_000;

interface DueLookDeps {
  readonly sql: Sql;
  readonly placements: Placements;
}

/** Combines the queries of all jobs. */
export class DueLook {
  readonly #deps: DueLookDeps;
  readonly #questions: (() => readonly DueRows[])[] = [];
  #answers = new Set<number>();
  #answeredAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(deps: DueLookDeps) {
    this.#deps = deps;
  }

  /** Adds a query. Returns a function that tells whether it had a row a moment ago, and that throws database errors. */
  add(question: () => readonly DueRows[]): () => Promise<boolean> {
    const index = this.#questions.push(question) - 1;
    return async () => {
      await this.#ask();
      return this.#answers.has(index);
    };
  }

  /**
   * As `add`, for owners that query on their own on a single PostgreSQL: there the function always returns true,
   * without a query.
   */
  addDistributed(question: () => readonly DueRows[]): () => Promise<boolean> {
    return this.#deps.placements === onePlacement ? () => Promise.resolve(true) : this.add(question);
  }

  /** As `add`, for rows of tables on the coordinator: on a distributed PostgreSQL the function always returns true. */
  addOnCoordinator(question: () => readonly DueRows[]): () => Promise<boolean> {
    return this.#deps.placements === onePlacement ? this.add(question) : () => Promise.resolve(true);
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

  /** Returns the queries that have a row. */
  async #find(): Promise<readonly Found[]> {
    const { sql, placements } = this.#deps;
    const questions = this.#questions.flatMap((question, index) =>
      question().map((rows) => ({ rows, index })),
    );
    const union = (arms: readonly DueRows[]) => arms.reduce((before, arm) => sql`${before} UNION ALL ${arm}`);
    // The first row of a server or a shard is sufficient.
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
        // A shard has moved, or a node is unavailable, so the coordinator runs the query.
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
