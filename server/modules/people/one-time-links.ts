import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import { Refusal } from '../../kit/errors.ts';
import type { IdSource } from '../../kit/ids.ts';
import { lockPerson } from './person.ts';
import { digestOf, newToken } from './sessions.ts';

/** Milliseconds that a link is valid, by its purpose. */
const lives = {
  /** Printed when a sandbox starts. */
  'sign-in': 3_600_000,
  /** One person sends it to another, who may read it the next morning. */
  password: 86_400_000,
};

/**
 * Token of a one-time link, returned only when it is created. The page that uses it has it after the `#` of its
 * address.
 */
export interface OneTimeLink {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface PersonLink {
  readonly personId: number;
  readonly clearsSecondFactor: boolean;
}

/** One-time links: to sign in, or to choose a password. A person has one link per purpose, the newest. */
export class PersonLinks {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #clock: Clock;

  constructor(sql: Sql, ids: IdSource, clock: Clock) {
    this.#sql = sql;
    this.#ids = ids;
    this.#clock = clock;
  }

  /** Creates a link and ends the person's earlier links for this purpose. */
  async make(
    tx: Queryable,
    personId: number,
    purpose: keyof typeof lives,
    options: { clearsSecondFactor?: boolean } = {},
  ): Promise<OneTimeLink> {
    const token = newToken();
    const expiresAt = this.#clock.now() + lives[purpose];
    await tx`DELETE FROM person_links WHERE person_id = ${personId} AND purpose = ${purpose}`;
    await tx`
      INSERT INTO person_links (id, digest, person_id, purpose, clears_second_factor, expires_at)
      VALUES (${this.#ids.next()}, ${digestOf(token)}, ${personId}, ${purpose},
        ${options.clearsSecondFactor ?? false}, ${expiresAt})`;
    return { token, expiresAt };
  }

  /** Uses a link, if the transaction commits. Throws Refusal `link-over`. */
  async use(tx: TransactionSql, token: string, purpose: keyof typeof lives): Promise<PersonLink> {
    const digest = digestOf(token);
    const [owner] = await tx<{ person_id: number }[]>`
      SELECT person_id FROM person_links WHERE digest = ${digest} AND purpose = ${purpose}`;
    if (owner) await lockPerson(tx, owner.person_id);
    const [row] = await tx<{ person_id: number; clears_second_factor: boolean }[]>`
      DELETE FROM person_links l USING people p
      WHERE l.digest = ${digest} AND l.purpose = ${purpose} AND l.expires_at > ${this.#clock.now()}
        AND p.id = l.person_id AND NOT p.suspended
      RETURNING l.person_id, l.clears_second_factor`;
    if (!row) throw new Refusal('link-over', 'the link was used already, or is too old');
    return { personId: row.person_id, clearsSecondFactor: row.clears_second_factor };
  }

  /** Ends a person's links. */
  async endAll(tx: Queryable, personId: number): Promise<void> {
    await tx`DELETE FROM person_links WHERE person_id = ${personId}`;
  }

  /** Deletes the rows of expired links. */
  async cleanUp(): Promise<void> {
    await this.#sql`DELETE FROM person_links WHERE expires_at <= ${this.#clock.now()}`;
  }
}
