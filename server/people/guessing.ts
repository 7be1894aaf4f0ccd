import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../clock.ts';
import { numbers } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';

const SECOND = 1_000;
const PAUSE_MOST = 15 * 60 * SECOND;
/** Failures are forgotten when none came for so long. */
const MEMORY_MS = 86_400_000;

/** The pause after each failure: none after the first ones, then 1 s, and twice as long each time. */
function pausesAfter(free: number): number[] {
  const growing = Array.from({ length: 11 }, (_, doubled) => Math.min(PAUSE_MOST, SECOND * 2 ** doubled));
  return [...new Array<number>(free - 1).fill(0), ...growing];
}

// Behind one address there may be an office, so it has more attempts than a person.
const pauses = { name: numbers(pausesAfter(5)), address: numbers(pausesAfter(20)) };

/** Too many attempts failed. */
export class Locked extends Refusal {
  /** When it is worth trying again. */
  readonly seconds: number;

  constructor(seconds: number) {
    super('too-fast', 'too many attempts failed, try again later');
    this.seconds = seconds;
  }
}

/** An attempt that is being looked at, and counts as failed until it is said otherwise. */
export interface Attempt {
  /** It was right: failures with the name are forgotten, those of others from the address are not. */
  succeeded(): Promise<void>;
  /** It was neither right nor wrong. */
  takeBack(): Promise<void>;
}

/**
 * Slows down who guesses passwords and codes: failures are counted by user name, whether there is such a one or not, and
 * by address (IPv6: by network of 64 bits), and after some of them an attempt is not looked at before a pause is over.
 * In the database, so that all processes count together. An attempt is counted before it is looked at: many at once are
 * not one.
 */
export class Guessing {
  readonly #sql: Sql;
  readonly #clock: Clock;

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** Counts an attempt. Throws Locked when it is too early for one; then nothing is counted. */
  async begin(username: string, address: string): Promise<Attempt> {
    const addressKey = `address:${networkOf(address)}`;
    const nameKey = `name:${createHash('sha256').update(username.toLowerCase()).digest('base64url')}`;
    const byAddress = await this.#count(addressKey, pauses.address);
    let byName: number;
    try {
      byName = await this.#count(nameKey, pauses.name);
    } catch (error) {
      await this.#takeBack(addressKey, byAddress);
      throw error;
    }
    return {
      succeeded: async () => {
        await this.#sql`DELETE FROM sign_in_attempts WHERE key = ${nameKey}`;
        await this.#takeBack(addressKey, byAddress);
      },
      takeBack: async () => {
        await this.#takeBack(nameKey, byName);
        await this.#takeBack(addressKey, byAddress);
      },
    };
  }

  /** Deletes what is forgotten. */
  async cleanUp(): Promise<void> {
    await this.#sql`DELETE FROM sign_in_attempts WHERE last_at <= ${this.#clock.now() - MEMORY_MS}`;
  }

  /** Counts a failure; the end of the pause after it, 0 without one (another process may be some milliseconds behind). */
  async #count(key: string, after: string): Promise<number> {
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
        last_at = excluded.last_at
      WHERE a.until <= ${now}
      RETURNING until`;
    if (counted) return counted.until;
    const [row] = await this.#sql<{ until: number }[]>`SELECT until FROM sign_in_attempts WHERE key = ${key}`;
    throw new Locked(Math.max(1, Math.ceil(((row?.until ?? now) - now) / SECOND)));
  }

  /** Undoes a count, and the pause that came with it, unless a later failure has made another one. */
  async #takeBack(key: string, until: number): Promise<void> {
    await this.#sql`
      UPDATE sign_in_attempts SET failures = greatest(failures - 1, 0),
        until = CASE WHEN until = ${until} THEN 0 ELSE until END
      WHERE key = ${key}`;
  }
}

/** What counts as one address: an IPv6 host has a network of 64 bits to choose its addresses from. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
