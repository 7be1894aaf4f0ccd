import { hashPassword, verifyPassword } from '../accounts/passwords.ts';
import type { Clock } from '../clock.ts';
import type { Queryable, Sql, TransactionSql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import type { Guessing } from './guessing.ts';
import type { PersonLinks } from './links.ts';
import type { NoteChange } from './people.ts';
import { columnsOfPeople, lockPerson, type Person, type PersonRow, toPerson } from './person.ts';
import { PersonRefusal } from './problems.ts';
import type { Origin, Session, Sessions } from './sessions.ts';
import type { SecondFactorSecret, SecondFactors } from './totp.ts';

// NIST SP 800-63B: length is what counts, so there are no rules about kinds of characters.
export const PASSWORD_LENGTH = { least: 10, most: 200 };

export interface SignInsParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly links: PersonLinks;
  readonly guessing: Guessing;
  readonly secondFactors: SecondFactors;
}

/** Somebody who has just signed in. */
export interface SignedInPerson {
  readonly person: Person;
  /** For the cookie. */
  readonly token: string;
}

/** Told whom a user name or a link means, whether the attempt succeeds or not. */
export type Identify = (person: Person) => void;

/** Throws Refusal `bad-password` for a password that is too short, too long, or the user name. */
export function checkPassword(password: string, username: string): void {
  const { least, most } = PASSWORD_LENGTH;
  if (password.length < least || password.length > most) {
    throw new Refusal('bad-password', `password: ${least} to ${most} characters`);
  }
  if (password.toLowerCase() === username.toLowerCase()) {
    throw new Refusal('bad-password', 'password: must not be the user name');
  }
}

/** How people sign in, and what they change about that: passwords, second factors, links that work once. */
export class SignIns {
  readonly #parts: SignInsParts;
  /** What passwords of unknown people are compared with, so that they take as long as others. */
  readonly #nobody = hashPassword('');

  constructor(parts: SignInsParts) {
    this.#parts = parts;
  }

  /**
   * Signs in with a password and, where there is a second factor, a code. Null: the password is right and a code is
   * wanted. Throws Refusal `signed-out` for all else that is wrong (so that nobody learns who exists), PersonRefusal
   * `wrong-code`, Locked.
   */
  async byPassword(
    given: { username: string; password: string; code: string | undefined },
    origin: Origin,
    identify: Identify,
  ): Promise<SignedInPerson | null> {
    const { sql, guessing, secondFactors, sessions } = this.#parts;
    const attempt = await guessing.begin(given.username, origin.address);
    const [row] = await sql<(PersonRow & { password_hash: string | null })[]>`
      SELECT ${columnsOfPeople(sql)}, p.password_hash FROM people p
      WHERE lower(p.username) = ${given.username.toLowerCase()}`;
    const right = await verifyPassword(given.password, row?.password_hash ?? (await this.#nobody));
    const person = row && toPerson(row);
    if (person) identify(person);
    if (!person?.hasPassword || !right || person.suspended) {
      throw wrong();
    }
    const { code } = given;
    if (person.secondFactor && code === undefined) {
      await attempt.takeBack();
      return null;
    }
    const token = await sql.begin(async (tx) => {
      // A change of the password at this moment ends this session too: one waits for the other.
      await lockPerson(tx, person.id);
      const still = await tx`
        SELECT 1 FROM people WHERE id = ${person.id} AND password_hash = ${row!.password_hash} AND NOT suspended`;
      if (still.length === 0) throw wrong();
      if (person.secondFactor) await secondFactors.use(tx, person.id, code!);
      return sessions.start(tx, person.id, origin);
    });
    await attempt.succeeded();
    return { person, token };
  }

  /** Signs in by a link that works once. Throws PersonRefusal `link-over`. */
  async byLink(token: string, origin: Origin, identify: Identify): Promise<SignedInPerson> {
    const { sql, links, sessions } = this.#parts;
    return sql.begin(async (tx) => {
      const { personId } = await links.use(tx, token, 'sign-in');
      const person = await personOf(tx, personId);
      identify(person);
      return { person, token: await sessions.start(tx, personId, origin) };
    });
  }

  /** Sets the password by a link that works once, and ends all sessions. Throws PersonRefusal, Refusal `bad-password`. */
  async chooseByLink(token: string, password: string, identify: Identify): Promise<Person> {
    const { sql, links, sessions, secondFactors } = this.#parts;
    return sql.begin(async (tx) => {
      const { personId, clearsSecondFactor } = await links.use(tx, token, 'password');
      const person = await personOf(tx, personId);
      identify(person);
      checkPassword(password, person.username);
      if (clearsSecondFactor) await secondFactors.remove(tx, personId);
      await tx`UPDATE people SET password_hash = ${await hashPassword(password)} WHERE id = ${personId}`;
      await sessions.endAll(tx, personId);
      return person;
    });
  }

  /**
   * Changes the own password: all sessions end, and the one that asked goes on under a new token, which is returned.
   * Throws PersonRefusal `wrong-password`, Refusal `bad-password`, Locked.
   */
  async changePassword(
    { person }: Session,
    given: { current: string; password: string },
    origin: Origin,
    note: NoteChange,
  ): Promise<string> {
    const { sql, links } = this.#parts;
    checkPassword(given.password, person.username);
    await this.#confirm(person, given.current, origin, async () => {});
    const hash = await hashPassword(given.password);
    return sql.begin(async (tx) => {
      await lockPerson(tx, person.id);
      await tx`UPDATE people SET password_hash = ${hash} WHERE id = ${person.id}`;
      await links.endAll(tx, person.id);
      await note(tx, { kind: 'people', id: person.id });
      return this.#renewSession(tx, person.id, origin);
    });
  }

  /** Sets somebody's password without knowing the old one: for the command line. Ends all sessions and links. */
  async setPassword(person: Person, password: string, note: NoteChange): Promise<void> {
    const { sql, sessions, links } = this.#parts;
    checkPassword(password, person.username);
    const hash = await hashPassword(password);
    await sql.begin(async (tx) => {
      await lockPerson(tx, person.id);
      await tx`UPDATE people SET password_hash = ${hash} WHERE id = ${person.id}`;
      await sessions.endAll(tx, person.id);
      await links.endAll(tx, person.id);
      await note(tx, { kind: 'people', id: person.id });
    });
  }

  /** Begins to set up a second factor. Throws PersonRefusal `wrong-password`, Refusal `not-now`, Locked. */
  async proposeSecondFactor(person: Person, password: string, origin: Origin): Promise<SecondFactorSecret> {
    const { sql, secondFactors } = this.#parts;
    await this.#confirm(person, password, origin, async () => {});
    return secondFactors.propose(sql, person);
  }

  /**
   * Puts the second factor in force. All sessions end, and the one that asked goes on under a new token. Throws
   * PersonRefusal `wrong-code`, Refusal `not-now`.
   */
  async confirmSecondFactor(
    { person }: Session,
    code: string,
    origin: Origin,
    note: NoteChange,
  ): Promise<{ recoveryCodes: string[]; token: string }> {
    const { sql, clock, secondFactors } = this.#parts;
    return sql.begin(async (tx) => {
      await lockPerson(tx, person.id);
      const recoveryCodes = await secondFactors.confirm(tx, person.id, code, clock.now());
      await note(tx, { kind: 'people', id: person.id, after: { second_factor: true } });
      return { recoveryCodes, token: await this.#renewSession(tx, person.id, origin) };
    });
  }

  /**
   * Removes the own second factor: all sessions end, and the one that asked goes on under a new token, which is returned.
   * Throws PersonRefusal, Refusal `not-now`, Locked.
   */
  async removeSecondFactor(
    person: Person,
    given: { password: string; code: string },
    origin: Origin,
    note: NoteChange,
  ): Promise<string> {
    const { sql, secondFactors } = this.#parts;
    return this.#confirm(person, given.password, origin, () =>
      sql.begin(async (tx) => {
        await lockPerson(tx, person.id);
        await secondFactors.use(tx, person.id, given.code);
        await secondFactors.remove(tx, person.id);
        await note(tx, { kind: 'people', id: person.id, after: { second_factor: false } });
        return this.#renewSession(tx, person.id, origin);
      }),
    );
  }

  /** New recovery codes; the old ones end. Throws PersonRefusal `wrong-password`, Refusal `not-now`, Locked. */
  async renewRecoveryCodes(
    person: Person,
    password: string,
    origin: Origin,
    note: NoteChange,
  ): Promise<string[]> {
    const { sql, secondFactors } = this.#parts;
    if (!person.secondFactor) throw new Refusal('not-now', 'there is no second factor');
    await this.#confirm(person, password, origin, async () => {});
    return sql.begin(async (tx) => {
      await lockPerson(tx, person.id);
      const codes = await secondFactors.renewRecoveryCodes(tx, person.id);
      await note(tx, { kind: 'people', id: person.id, after: { recovery: 'renewed' } });
      return codes;
    });
  }

  /** Asks for the password again before what a found browser must not be able to do, and does `then` in the same attempt. */
  async #confirm<T>(person: Person, password: string, origin: Origin, then: () => Promise<T>): Promise<T> {
    const { sql, guessing } = this.#parts;
    const attempt = await guessing.begin(person.username, origin.address);
    const [row] = await sql<{ password_hash: string | null }[]>`
      SELECT password_hash FROM people WHERE id = ${person.id}`;
    if (!row?.password_hash || !(await verifyPassword(password, row.password_hash))) {
      throw new PersonRefusal('wrong-password', 'the password is wrong');
    }
    const done = await then();
    await attempt.succeeded();
    return done;
  }

  /** Ends all sessions of a person and begins a new one, so that a token from before opens nothing any more. */
  async #renewSession(tx: TransactionSql, personId: number, origin: Origin): Promise<string> {
    const { sessions } = this.#parts;
    await sessions.endAll(tx, personId);
    return sessions.start(tx, personId, origin);
  }
}

async function personOf(sql: Queryable, id: number): Promise<Person> {
  const [row] = await sql<PersonRow[]>`SELECT ${columnsOfPeople(sql)} FROM people p WHERE p.id = ${id}`;
  return toPerson(row!);
}

const wrong = () => new Refusal('signed-out', 'the user name or the password is wrong');
