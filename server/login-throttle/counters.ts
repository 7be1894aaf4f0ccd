import type { Clock } from '../clock.ts';
import { numbers } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';

const SECOND = 1_000;
/** Failures are forgotten when none came for so long. */
const MEMORY_MS = 86_400_000;
/** Rows that are kept, at most, after a cleaning. */
const MAX_ROWS = 100_000;

/** What failures are counted by, and so how many are free and how long the pauses grow. */
type CounterKind = 'address' | 'subject' | 'session' | 'code' | 'known';

/** The pause after each failure: none after the first `free` - 1, then 1 s, and twice as long each time, up to `longest` s. */
function pausesAfter(free: number, longest: number): number[] {
  const growing = Array.from({ length: 11 }, (_, doubled) => Math.min(longest, 2 ** doubled) * SECOND);
  return [...new Array<number>(free - 1).fill(0), ...growing];
}

const pauses: Readonly<Record<CounterKind, string>> = {
  // Behind one address there may be an office, so it has more attempts than a person.
  address: numbers(pausesAfter(20, 900)),
  subject: numbers(pausesAfter(5, 900)),
  // Asking for the own password again: nobody else reaches it, so a long pause locks nobody out.
  session: numbers(pausesAfter(5, 900)),
  // Of six digits, so that a million tries take 28 years; who gets there has the right password.
  code: numbers(pausesAfter(10, 900)),
  // A device or address that has signed in before, whose owner mistypes: never a long wait.
  known: numbers(pausesAfter(5, 60)),
};

/** Too many attempts failed: this one was not looked at. */
export class LoginThrottled extends Refusal {
  /** When it is worth trying again. */
  readonly seconds: number;

  constructor(seconds: number) {
    super('too-fast', 'too many attempts failed, try again later');
    this.seconds = seconds;
  }
}

/** An attempt that was counted as failed before it is looked at, so that many at once are not one. */
export interface Counted {
  readonly key: string;
  /** The end of the pause that it began; 0 without one. */
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

  /** Counts a failure of `name` before it is one. Throws LoginThrottled while its pause lasts; then nothing is counted. */
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

  /** What was counted was a failure: it is remembered from now on. */
  async confirm(counted: readonly Counted[]): Promise<void> {
    await this.#sql`
      UPDATE sign_in_attempts SET last_at = ${this.#clock.now()}
      WHERE key = ANY (${counted.map(({ key }) => key)}::text[])`;
  }

  /** What was counted was none: undone with the pause that it began, unless a later failure began another one. */
  async takeBack(counted: readonly Counted[]): Promise<void> {
    for (const { key, until } of counted) {
      await this.#sql`
        UPDATE sign_in_attempts SET failures = greatest(failures - 1, 0),
          until = CASE WHEN until = ${until} THEN 0 ELSE until END
        WHERE key = ${key}`;
    }
  }

  /** Adds one to a plain count of a day, and returns it. */
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
   * Deletes what is forgotten, and of the rest what is over `most` rows: those with the fewest failures first, the oldest
   * of them first, so that a flood of made up names drops no pause that is running.
   */
  async cleanUp(most = MAX_ROWS): Promise<void> {
    const now = this.#clock.now();
    await this.#sql`DELETE FROM sign_in_attempts WHERE last_at <= ${now - MEMORY_MS} AND until <= ${now}`;
    await this.#sql`
      DELETE FROM sign_in_attempts WHERE key = ANY (ARRAY(
        SELECT key FROM sign_in_attempts ORDER BY failures DESC, last_at DESC OFFSET ${most}))`;
  }
}
