import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';
import { networkOf } from '../http/addresses.ts';
import type { Logger } from '../observability/log.ts';
import { checkHashingCapacity, type HashPriority } from '../passwords/hashes.ts';
import type { Attempt, Subject } from './attempt.ts';
import { type Counted, FailureCounters, LoginThrottled } from './counters.ts';
import { type AuditWriter, FailedSignIns } from './failed-sign-ins.ts';
import { KnownPlaces, type Place } from './known-places.ts';
import { signInAttempts } from './metrics.ts';

/** The outcome of an attempt that was not refused. */
interface Judged<T> {
  readonly value: T;
  /** false: it was neither right nor wrong, as a right password is to which a code is still missing. */
  readonly proven: boolean;
}

/** The refusals that say that a secret was wrong. */
const wrongCodes: ReadonlySet<unknown> = new Set(['signed-out', 'wrong-password', 'wrong-code']);

/**
 * The login throttle: the one way in for everything that compares a password or a code.
 *
 * - Attempts from strangers are counted by subject (a person or an account; a name that nobody has is counted, too) and by
 *   address (IPv6: by network of 64 bits). After five failures for a subject, or twenty from an address, an attempt is
 *   not looked at before a pause is over: 1 s, then twice as long each time, up to 15 minutes.
 * - A device or an address from which the subject has signed in before has a count of its own, with pauses of a minute at
 *   most, so that failures of strangers keep nobody out who was in.
 * - Counts are in the database and are made before an attempt is looked at: all processes count together, and many
 *   attempts at once are not one.
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
   * Runs `work`, which compares the secret and throws a refusal `signed-out`, `wrong-password` or `wrong-code` when it is
   * wrong. Throws what `work` throws, LoginThrottled when it is too early for an attempt, and Refusal `try-again` when too
   * many wait for theirs.
   */
  async run<T>(attempt: Attempt, work: (priority: HashPriority) => Promise<Judged<T>>): Promise<Judged<T>> {
    const subject = subjectOf(attempt);
    const known = attempt.who && (await this.#places.find(subject, attempt.place));
    const priority = known === undefined ? 'unknown' : 'known';
    // Before anything is written: who is turned away for the crowd costs no row.
    checkHashingCapacity(priority);
    return this.#judge(attempt, await this.#begin(attempt, subject, known), () => work(priority));
  }

  /**
   * As `run`, for the password of somebody who is signed in: a count of its own, which strangers do not reach.
   */
  async runInSession<T>(attempt: Attempt, work: () => Promise<T>): Promise<T> {
    const counted = await this.#count(attempt, 'session', String(attempt.who?.personId));
    return (await this.#judge(attempt, [counted], async () => ({ value: await work(), proven: true }))).value;
  }

  /**
   * Counts an attempt with a code of a second factor, by somebody who gave the right password or is signed in; `work`
   * throws when it is wrong. Codes have a count of their own for each person, so that no place allows more tries.
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
   * Remembers that a subject has proved who they are at a place. The token for the cookie of a browser, unless it has a
   * good one.
   */
  async remember(who: Subject, place: Place, asBrowser: boolean): Promise<string | undefined> {
    return this.#places.remember(nameOf(who), place, asBrowser);
  }

  /** Deletes what is forgotten. */
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

const nameOf = ({ personId, accountId }: Subject) =>
  personId === undefined ? `account:${accountId}` : `person:${personId}`;

/** What strangers' failures are counted by; what was typed is kept as a digest: it may have been the password. */
function subjectOf({ who, among, typed }: Attempt): string {
  if (who) return nameOf(who);
  return `nobody among ${among}:${createHash('sha256').update(typed.toLowerCase()).digest('base64url')}`;
}
