import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import { Refusal } from '../../kit/errors.ts';

const SECOND = 1_000;
/** Milliseconds without a failure after which earlier failures are forgotten. */
const MEMORY_MS = 86_400_000;
/** Maximum number of rows after a cleanup. */
const MAX_ROWS = 100_000;

/** Kind of a counter, which determines the number of free failures and the length of the pauses. */
type CounterKind = 'address' | 'subject' | 'session' | 'code' | 'known';

/**
 * Returns the pause after each failure: none for the first `free` - 1, then 1 s, doubled each time, up to `longest` s.
 */
function pausesAfter(free: number, longest: number): number[] {
  const growing = Array.from({ length: 11 }, (_, doubled) => Math.min(longest, 2 ** doubled) * SECOND);
  return [...new Array<number>(free - 1).fill(0), ...growing];
}

const pauses: Readonly<Record<CounterKind, string>> = {
  // An address may belong to a whole office, so it has more attempts than a person.
  address: numbers(pausesAfter(20, 900)),
  subject: numbers(pausesAfter(5, 900)),
  // Confirming one's own password: strangers cannot reach this counter, so a long pause locks nobody out.
  session: numbers(pausesAfter(5, 900)),
  // Codes have six digits, so a million attempts take 28 years. Attackers who get this far know the password.
  code: numbers(pausesAfter(10, 900)),
  // A device or address of earlier sign-ins. Its owner may mistype, so pauses stay short.
  known: numbers(pausesAfter(5, 60)),
};

/** Too many attempts failed, so this one was not checked. */
export class LoginThrottled extends Refusal {
  /** Seconds until the next attempt is permitted. */
  readonly seconds: number;

  constructor(seconds: number) {
    super('too-fast', 'too many attempts failed, try again later');
    this.seconds = seconds;
  }
}

/** An attempt, counted as failed before it is checked, so that parallel attempts each count. */
export interface Counted {
  readonly key: string;
  /** End of the pause that it began; 0 without one. */
  readonly until: number;
}

/** Counts failures in the database, so that all processes count together. */
export class FailureCounters {
  readonly #sql: Sql;
  readonly #clock: Clock;

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /**
   * Counts an attempt for `name` as failed before it is checked. During a pause, throws LoginThrottled and counts
   * nothing.
   */
  async count(kind: CounterKind, name: string): Promise<Counted> {
    const key = `${kind}:${name}`;
    const after = pauses[kind];
    const now = this.#clock.now();
    const forgotten = now - MEMORY_MS;
    const [counted] = await this.#sql<{ until: number }[]>`
      INSERT INTO sign_in_attempts AS a (key, failures, until, last_at)
      VALUES (${key}, 1, 0, ${now})
      ON CONFLICT ON CONSTRAINT sign_in_attempts_pkey DO UPDATE SET
        failures = CASE WHEN a.last_at <= ${forgotten} THEN 1 ELSE a.failures + 1 END,
        until = coalesce(${now}::bigint + nullif((${after}::bigint[])[least(
          CASE WHEN a.last_at <= ${forgotten} THEN 1 ELSE a.failures + 1 END,
          cardinality(${after}::bigint[]))], 0), 0),
        last_at = CASE WHEN a.last_at <= ${forgotten} THEN excluded.last_at ELSE a.last_at END
      WHERE a.until <= ${now}
      RETURNING until`;
    if (counted) return { key, until: counted.until };
    const [row] = await this.#sql<{ until: number }[]>`SELECT until FROM sign_in_attempts WHERE key = ${key}`;
    throw new LoginThrottled(Math.max(1, Math.ceil(((row?.until ?? now) - now) / SECOND)));
  }

  /** Confirms that the counted attempts failed, which prolongs their memory from now. */
  async confirm(counted: readonly Counted[]): Promise<void> {
    await this.#sql`
      UPDATE sign_in_attempts SET last_at = ${this.#clock.now()}
      WHERE key = ANY (${counted.map(({ key }) => key)}::text[])`;
  }

  /**
   * Uncounts attempts that did not fail, with the pauses that they began, unless a later failure has begun another
   * pause.
   */
  async takeBack(counted: readonly Counted[]): Promise<void> {
    for (const { key, until } of counted) {
      await this.#sql`
        UPDATE sign_in_attempts SET failures = greatest(failures - 1, 0),
          until = CASE WHEN until = ${until} THEN 0 ELSE until END
        WHERE key = ${key}`;
    }
  }

  /** Increments a simple daily counter and returns its value. */
  async add(name: string): Promise<number> {
    const now = this.#clock.now();
    const [row] = await this.#sql<{ failures: number }[]>`
      INSERT INTO sign_in_attempts AS a (key, failures, until, last_at)
      VALUES (${`count:${name}`}, 1, 0, ${now})
      ON CONFLICT ON CONSTRAINT sign_in_attempts_pkey DO UPDATE SET
        failures = CASE WHEN a.last_at <= ${now - MEMORY_MS} THEN 1 ELSE a.failures + 1 END,
        last_at = CASE WHEN a.last_at <= ${now - MEMORY_MS} THEN excluded.last_at ELSE a.last_at END
      RETURNING failures`;
    return row!.failures;
  }

  /**
   * Deletes forgotten counters, and those beyond `most` rows: first those with the fewest failures, oldest first, so
   * that a flood of invented names removes no running pause.
   */
  async cleanUp(most = MAX_ROWS): Promise<void> {
    const now = this.#clock.now();
    await this.#sql`DELETE FROM sign_in_attempts WHERE last_at <= ${now - MEMORY_MS} AND until <= ${now}`;
    await this.#sql`
      DELETE FROM sign_in_attempts WHERE key = ANY (ARRAY(
        SELECT key FROM sign_in_attempts ORDER BY failures DESC, last_at DESC OFFSET ${most}))`;
  }
}
