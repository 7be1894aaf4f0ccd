import type { Context } from '../../../server/kit/context.ts';
import { partOf } from '../../../server/modules/personal-data/table-parts.ts';

/** Rows that a step of the job adds up. */
const STEP = 500;

export interface Rating {
  readonly id: number;
  readonly phone: string;
  readonly stars: number;
}

export interface RatingSum {
  readonly stars: number;
  readonly count: number;
}

/** How people rate an account: its rules and SQL. */
export class Ratings {
  readonly #deps: Pick<Context, 'sql' | 'ids'>;

  constructor(deps: Pick<Context, 'sql' | 'ids'>) {
    this.#deps = deps;
  }

  async add(accountId: number, phone: string, stars: number): Promise<Rating> {
    const { sql, ids } = this.#deps;
    const id = ids.next();
    await sql`
      INSERT INTO ratings (account_id, id, phone, stars) VALUES (${accountId}, ${id}, ${phone}, ${stars})`;
    return { id, phone, stars };
  }

  /** Returns the newest ratings and the sum of those that are counted. */
  async of(accountId: number): Promise<{ readonly ratings: readonly Rating[]; readonly sum: RatingSum }> {
    const { sql } = this.#deps;
    const ratings = await sql<Rating[]>`
      SELECT id, phone, stars FROM ratings WHERE account_id = ${accountId} ORDER BY id DESC LIMIT 50`;
    const [sum = { stars: 0, count: 0 }] = await sql<RatingSum[]>`
      SELECT stars, count FROM rating_sums WHERE account_id = ${accountId}`;
    return { ratings, sum };
  }

  /** Adds new ratings to the sums of their accounts. */
  async count(): Promise<void> {
    await this.#deps.sql`
      WITH counted AS (
        UPDATE ratings r SET is_counted = true
        FROM (SELECT account_id, id FROM ratings WHERE NOT is_counted LIMIT ${STEP} FOR UPDATE SKIP LOCKED) AS n
        WHERE r.account_id = n.account_id AND r.id = n.id
        RETURNING r.account_id, r.stars)
      INSERT INTO rating_sums AS s (account_id, stars, count)
      SELECT account_id, sum(stars), count(*) FROM counted GROUP BY account_id
      ON CONFLICT ON CONSTRAINT rating_sums_pkey DO UPDATE SET stars = s.stars + excluded.stars,
        count = s.count + excluded.count`;
  }
}

/** Ratings of a person, for exports and erasures. */
export const ratingsPart = partOf([
  {
    table: 'ratings',
    kind: 'contacts',
    by: { phone: ['phones'] },
    key: ['id'],
    shown: ['id', 'phone', 'stars'],
  },
]);
