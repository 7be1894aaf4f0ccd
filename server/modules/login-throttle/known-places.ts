import { createHash, randomBytes } from 'node:crypto';
import { texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import { networkOf } from '../../kit/http/addresses.ts';

/** Milliseconds that a place stays known after its last sign-in. */
export const KNOWN_MS = 60 * 86_400_000;
/** Precision of the last sign-in, in milliseconds: a write for each one would cost too much. */
const SEEN_MS = 86_400_000;
/**
 * Maximum number of places of one subject (the last used), so that a subject with many places cannot fill the table.
 */
const MAX_PLACES = 20;

/** Origin of an attempt. */
export interface Place {
  /** The client's address. */
  readonly address: string;
  /** The token in the browser's device cookie; undefined without one. */
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

  /** Returns the known place of a subject, the device before the address; undefined for an unknown place. */
  async find(subject: string, place: Place): Promise<string | undefined> {
    const since = this.#clock.now() - KNOWN_MS;
    const rows = await this.#sql<{ place: string }[]>`
      SELECT place FROM known_sign_ins
      WHERE subject = ${subject} AND place = ANY (${texts(namesOf(place))}::text[]) AND seen_at > ${since}
      ORDER BY place DESC LIMIT 1`;
    return rows[0]?.place;
  }

  /**
   * Stores where a subject has signed in. With `asBrowser`, returns a new device token for the cookie, which cannot be
   * read again, unless the browser has a valid one.
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

  /** Deletes places without a sign-in for KNOWN_MS. */
  async cleanUp(): Promise<void> {
    await this.#sql`DELETE FROM known_sign_ins WHERE seen_at <= ${this.#clock.now() - KNOWN_MS}`;
  }
}

/** Returns the names of an attempt's places in the table. */
function namesOf({ address, device }: Place): string[] {
  const digest = device === undefined ? undefined : createHash('sha256').update(device).digest('base64url');
  return [`address:${networkOf(address)}`, ...(digest === undefined ? [] : [`device:${digest}`])];
}
