import type { Context } from '../../../kit/context.ts';
import { LOOK_UP_ID } from '../stored.ts';

const DAY_MS = 86_400_000;
/**
 * Requests that a process takes from the budget in one statement: a hundredth of the budget, up to this number. If it ends before it
 * has made them, they are lost for the day.
 */
const MAX_TAKEN = 50;
const PORTIONS = 100;
/** Milliseconds until a process asks again after the budget was spent. */
const ASK_AGAIN_MS = 60_000;

/** Returns the day (UTC) of a time in milliseconds, in days since the epoch. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/** The requests of a day (UTC) that all processes together may make: they take some at a time from the row of the look-up. */
export class DayBudget {
  readonly #deps: Pick<Context, 'sql' | 'clock'>;
  #day = -1;
  #left = 0;
  #askFrom = 0;
  #taking: Promise<void> | undefined;

  constructor(deps: Pick<Context, 'sql' | 'clock'>) {
    this.#deps = deps;
  }

  /** Takes one request. False if the requests of the day are used up. Rejects with errors of the database. */
  async take(perDay: number): Promise<boolean> {
    // Callers that wait together may need more than one portion.
    for (let day = this.#renew(); this.#left === 0; day = this.#renew()) {
      if (performance.now() < this.#askFrom) return false;
      this.#taking ??= this.#take(day, perDay).finally(() => {
        this.#taking = undefined;
      });
      await this.#taking;
    }
    this.#left--;
    return true;
  }

  /** Forgets that the budget was spent, after a change of it. */
  changed(): void {
    this.#askFrom = 0;
  }

  /** Forgets the requests and the spent budget of another day. Returns today. */
  #renew(): number {
    const day = dayOf(this.#deps.clock.now());
    if (day !== this.#day) {
      this.#day = day;
      this.#left = 0;
      this.#askFrom = 0;
    }
    return day;
  }

  async #take(day: number, perDay: number): Promise<void> {
    const portion = Math.max(1, Math.min(MAX_TAKEN, Math.floor(perDay / PORTIONS)));
    const [row] = await this.#deps.sql<{ granted: number }[]>`
      WITH before AS (
        SELECT CASE WHEN used_day = ${day} THEN used ELSE 0 END AS used FROM number_look_ups
        WHERE id = ${LOOK_UP_ID} FOR UPDATE
      )
      UPDATE number_look_ups l SET used_day = ${day},
        used = before.used + greatest(0, least(${portion}, ${perDay} - before.used))
      FROM before WHERE l.id = ${LOOK_UP_ID}
      RETURNING l.used - before.used AS granted`;
    this.#left = row?.granted ?? 0;
    if (this.#left === 0) this.#askFrom = performance.now() + ASK_AGAIN_MS;
  }
}
