import { createHash } from 'node:crypto';
import type { Sql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import { networkOf } from '../../kit/http/addresses.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { checkHashingCapacity, type HashPriority } from '../passwords/hashes.ts';
import type { Attempt, Subject } from './attempt.ts';
import { type Counted, FailureCounters, LoginThrottled } from './counters.ts';
import { type AuditWriter, FailedSignIns } from './failed-sign-ins.ts';
import { KnownPlaces, type Place } from './known-places.ts';
import { signInAttempts } from './metrics.ts';

/** The result of an attempt that was not refused. */
interface Judged<T> {
  readonly value: T;
  /** false: neither right nor wrong, for example a right password that still needs a code. */
  readonly proven: boolean;
}

/** Refusals that mean that a secret was wrong. */
const wrongCodes: ReadonlySet<unknown> = new Set(['signed-out', 'wrong-password', 'wrong-code']);

/**
 * The login throttle: all comparisons of passwords and codes go through it.
 *
 * - Attempts from unknown places are counted by subject (a person, an account, or an unknown name) and by address
 * (IPv6: by /64 network). After five failures for a subject, or twenty from an address, attempts are refused until a
 * pause is over: 1 s, doubled each time, up to 15 minutes.
 * - A device or an address from which the subject has signed in before has its own count, with pauses of up to one
 * minute, so that failures of strangers do not lock out the owner.
 * - The counts are in the database and change before an attempt is checked: all processes count together, and parallel
 * attempts each count.
 */
export class LoginThrottle {
  readonly #counters: FailureCounters;
  readonly #places: KnownPlaces;
  readonly #failed: FailedSignIns;

  constructor(deps: { sql: Sql; clock: Clock; log: Logger; audit: AuditWriter }) {
    this.#counters = new FailureCounters(deps.sql, deps.clock);
    this.#places = new KnownPlaces(deps.sql, deps.clock);
    this.#failed = new FailedSignIns({ ...deps, counters: this.#counters });
  }

  /**
   * Runs `work`, which compares the secret and throws a refusal `signed-out`, `wrong-password` or `wrong-code` if it is
   * wrong. Throws errors of `work`, LoginThrottled during a pause, and Refusal `try-again` if too many attempts wait.
   */
  async run<T>(attempt: Attempt, work: (priority: HashPriority) => Promise<Judged<T>>): Promise<Judged<T>> {
    const subject = subjectOf(attempt);
    const known = attempt.who && (await this.#places.find(subject, attempt.place));
    const priority = known === undefined ? 'unknown' : 'known';
    // Before any write: attempts refused because of load cost no row.
    checkHashingCapacity(priority);
    return this.#judge(attempt, await this.#begin(attempt, subject, known), () => work(priority));
  }

  /** As `run`, for the password of a person who is signed in. It has its own counter, which strangers cannot reach. */
  async runInSession<T>(attempt: Attempt, work: () => Promise<T>): Promise<T> {
    const counted = await this.#count(attempt, 'session', String(attempt.who?.personId));
    return (await this.#judge(attempt, [counted], async () => ({ value: await work(), proven: true }))).value;
  }

  /**
   * Runs `work`, which checks a code of a second factor and throws if it is wrong, for a person who gave the right
   * password or is signed in. Codes are counted per person, so that no place allows more attempts.
   */
  async runCode<T>(endpoint: string, personId: number, work: () => Promise<T>): Promise<T> {
    const counted = await this.#count({ endpoint }, 'code', String(personId));
    try {
      const value = await work();
      await this.#counters.takeBack([counted]);
      return value;
    } catch (error) {
      if (isWrong(error)) await this.#counters.confirm([counted]);
      else await this.#counters.takeBack([counted]);
      throw error;
    }
  }

  /**
   * Stores that a subject has proved their identity at a place. Returns the device token for the cookie, unless the
   * browser has a valid one.
   */
  async remember(who: Subject, place: Place, asBrowser: boolean): Promise<string | undefined> {
    return this.#places.remember(nameOf(who), place, asBrowser);
  }

  /** Deletes forgotten rows. */
  async cleanUp(): Promise<void> {
    await this.#counters.cleanUp();
    await this.#places.cleanUp();
  }

  async #begin(attempt: Attempt, subject: string, known: string | undefined): Promise<Counted[]> {
    if (known !== undefined) return [await this.#count(attempt, 'known', `${subject} ${known}`)];
    const byAddress = await this.#count(attempt, 'address', networkOf(attempt.place.address));
    try {
      return [byAddress, await this.#count(attempt, 'subject', subject)];
    } catch (error) {
      await this.#counters.takeBack([byAddress]);
      throw error;
    }
  }

  async #count({ endpoint }: { endpoint: string }, ...what: Parameters<FailureCounters['count']>) {
    try {
      return await this.#counters.count(...what);
    } catch (error) {
      if (error instanceof LoginThrottled) signInAttempts.inc({ endpoint, outcome: 'throttled' });
      throw error;
    }
  }

  async #judge<T>(
    attempt: Attempt,
    counted: readonly Counted[],
    work: () => Promise<Judged<T>>,
  ): Promise<Judged<T>> {
    let judged: Judged<T>;
    try {
      judged = await work();
    } catch (error) {
      if (isWrong(error)) {
        signInAttempts.inc({ endpoint: attempt.endpoint, outcome: 'wrong' });
        await this.#counters.confirm(counted);
        await this.#failed.note(attempt, (error as { code: string }).code);
      } else {
        await this.#counters.takeBack(counted);
      }
      throw error;
    }
    await this.#counters.takeBack(counted);
    if (judged.proven) signInAttempts.inc({ endpoint: attempt.endpoint, outcome: 'right' });
    return judged;
  }
}

const isWrong = (error: unknown) => wrongCodes.has((error as { code?: unknown }).code);

function nameOf({ personId, accountId, smppClientId }: Subject): string {
  if (smppClientId !== undefined) return `smpp-client:${smppClientId}`;
  return personId === undefined ? `account:${accountId}` : `person:${personId}`;
}

/**
 * Returns the key for counting failures from unknown places. A typed name is stored as a digest, because it may have
 * been the password.
 */
function subjectOf({ who, among, typed }: Attempt): string {
  if (who) return nameOf(who);
  return `nobody among ${among}:${createHash('sha256').update(typed.toLowerCase()).digest('base64url')}`;
}
