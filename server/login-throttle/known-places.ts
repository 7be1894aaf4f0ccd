import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { texts } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { networkOf } from '../http/addresses.ts';

/** A place is known for so long after the last sign-in there. */
export const KNOWN_MS = 60 * 86_400_000;
/** How exactly the last sign-in is known: a write for each would be one too many. */
const SEEN_MS = 86_400_000;
/** Places of one subject, the last used: somebody who signs in from everywhere does not fill the table. */
const MAX_PLACES = 20;

/** Where an attempt comes from. */
export interface Place {
  /** The client's address. */
  readonly address: string;
  /** The token in the cookie of a browser; undefined without one. */
  readonly device?: string | undefined;
}

/** Devices and addresses that subjects have signed in from. A device proves itself by a token of 256 random bits. */
export class KnownPlaces {
  readonly #sql: Sql;
  readonly #clock: Clock;

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** The place that a subject is known at, the device before the address; undefined for a stranger. */
  async find(subject: string, place: Place): Promise<string | undefined> {
    const since = this.#clock.now() - KNOWN_MS;
    const rows = await this.#sql<{ place: string }[]>`
      SELECT place FROM known_sign_ins
      WHERE subject = ${subject} AND place = ANY (${texts(namesOf(place))}::text[]) AND seen_at > ${since}
      ORDER BY place DESC LIMIT 1`;
    return rows[0]?.place;
  }

  /**
   * Remembers where a subject has signed in. With `asBrowser` the token of the device is returned, the only time that it
   * is seen, unless the browser has one that is good.
   */
  async remember(subject: string, place: Place, asBrowser: boolean): Promise<string | undefined> {
    const now = this.#clock.now();
    const known = await this.#sql<{ place: string; seen_at: number }[]>`
      SELECT place, seen_at FROM known_sign_ins
      WHERE subject = ${subject} AND place = ANY (${texts(namesOf(place))}::text[]) AND seen_at > ${now - KNOWN_MS}`;
    const hasDevice = known.some(({ place: name }) => name.startsWith('device:'));
    const token = asBrowser && !hasDevice ? randomBytes(32).toString('base64url') : undefined;
    const names = namesOf({
      address: place.address,
      device: token ?? (hasDevice ? place.device : undefined),
    });
    const fresh = known
      .filter(({ seen_at: seenAt }) => now - seenAt < SEEN_MS)
      .map(({ place: name }) => name);
    const stale = names.filter((name) => !fresh.includes(name));
    if (stale.length > 0) await this.#write(subject, stale, now);
    return token;
  }

  async #write(subject: string, places: readonly string[], now: number): Promise<void> {
    await this.#sql`
      INSERT INTO known_sign_ins (subject, place, seen_at)
      SELECT ${subject}, place, ${now} FROM unnest(${texts([...places])}::text[]) AS p (place)
      ON CONFLICT ON CONSTRAINT known_sign_ins_pkey DO UPDATE SET seen_at = excluded.seen_at`;
    await this.#sql`
      DELETE FROM known_sign_ins WHERE subject = ${subject} AND place = ANY (ARRAY(
        SELECT place FROM known_sign_ins WHERE subject = ${subject} ORDER BY seen_at DESC, place OFFSET ${MAX_PLACES}))`;
  }

  /** Deletes places that nobody signed in from for long. */
  async cleanUp(): Promise<void> {
    await this.#sql`DELETE FROM known_sign_ins WHERE seen_at <= ${this.#clock.now() - KNOWN_MS}`;
  }
}

/** What the places of an attempt are called in the table. */
function namesOf({ address, device }: Place): string[] {
  const digest = device === undefined ? undefined : createHash('sha256').update(device).digest('base64url');
  return [`address:${networkOf(address)}`, ...(digest === undefined ? [] : [`device:${digest}`])];
}
