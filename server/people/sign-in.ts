import type { Context } from '../context.ts';
import type { Queryable, TransactionSql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import type { Attempt } from '../login-throttle/attempt.ts';
import type { LoginThrottle } from '../login-throttle/login-throttle.ts';
import { hashPassword, verifyPasswordOf } from '../passwords/hashes.ts';
import { checkPassword } from '../passwords/rules.ts';
import type { PersonLinks } from './links.ts';
import type { NoteChange } from './people.ts';
import { isSecondFactorRequired } from './people-rules.ts';
import { columnsOfPeople, lockPerson, type Person } from './person.ts';
import type { Origin, Session, Sessions } from './sessions.ts';
import type { SecondFactorSecret, SecondFactors } from './totp.ts';

interface SignInsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly sessions: Sessions;
  readonly links: PersonLinks;
  readonly throttle: LoginThrottle;
  readonly secondFactors: SecondFactors;
}

/** Somebody who has just signed in. */
export interface SignedInPerson {
  readonly person: Person;
  /** For the cookie. */
  readonly token: string;
  /** For the cookie by which the browser is known from now on; undefined: it has a good one. */
  readonly device: string | undefined;
}

const SIGN_IN = 'POST /v1/session';

/** Told who has proved who they are, or whom a link means. */
type Identify = (person: Person) => void;

/** How people sign in, and what they change about that: passwords, second factors, links that work once. */
export class SignIns {
  readonly #deps: SignInsDeps;

  constructor(deps: SignInsDeps) {
    this.#deps = deps;
  }

  /**
   * Signs in with a password and, where there is a second factor, a code. Null: the password is right and a code is
   * wanted. Throws Refusal `signed-out` for all else that is wrong (so that nobody learns who exists), Refusal
   * `wrong-code`, and what LoginThrottle.run throws.
   */
  async byPassword(
    given: { username: string; password: string; code: string | undefined },
    origin: Origin,
    identify: Identify,
  ): Promise<SignedInPerson | null> {
    const { sql, throttle } = this.#deps;
    // No user name has a NUL, which the database takes in no text.
    const username = given.username.includes('\0') ? '' : given.username;
    const [row] = await sql<(Person & { passwordHash: string | null })[]>`
      SELECT ${columnsOfPeople(sql)}, p.password_hash AS "passwordHash" FROM people p
      WHERE lower(p.username) = lower(${username})`;
    const { passwordHash = null, ...found } = row ?? {};
    const person = row && (found as Person);
    const attempt = attemptOf(SIGN_IN, given.username, person, origin);
    const { value: token } = await throttle.run(attempt, async (priority) => {
      const hash = person && !person.suspended ? passwordHash : null;
      if (!(await verifyPasswordOf(hash, given.password, priority)) || !person) throw wrong();
      if (person.secondFactor && given.code === undefined) {
        identify(person);
        return { value: null, proven: false };
      }
      return { value: await this.#begin(person, hash!, given.code, origin), proven: true };
    });
    if (token === null) return null;
    identify(person!);
    return { person: person!, token, device: await throttle.remember(attempt.who!, origin, true) };
  }

  /** Begins the session of a person whose password is right, when the code is, too. */
  async #begin(person: Person, hash: string, code: string | undefined, origin: Origin): Promise<string> {
    const { sql, throttle, secondFactors, sessions } = this.#deps;
    const begin = () =>
      sql.begin(async (tx) => {
        // A change of the password at this moment ends this session too: one waits for the other.
        await lockPerson(tx, person.id);
        const still = await tx`
          SELECT 1 FROM people WHERE id = ${person.id} AND password_hash = ${hash} AND NOT suspended`;
        if (still.length === 0) throw wrong();
        if (person.secondFactor) await secondFactors.use(tx, person.id, code!);
        return sessions.start(tx, person.id, origin);
      });
    return person.secondFactor ? throttle.runCode(SIGN_IN, person.id, begin) : begin();
  }

  /** Signs in by a link that works once. Throws Refusal `link-over`. */
  async byLink(token: string, origin: Origin, identify: Identify): Promise<SignedInPerson> {
    const { sql, links, sessions, throttle } = this.#deps;
    const begun = await sql.begin(async (tx) => {
      const { personId } = await links.use(tx, token, 'sign-in');
      const person = await personOf(tx, personId);
      identify(person);
      return { person, token: await sessions.start(tx, personId, origin) };
    });
    return { ...begun, device: await throttle.remember(subjectOf(begun.person), origin, true) };
  }

  /**
   * Sets the password by a link that works once, and ends all sessions. The browser is known from then on: `device` is for
   * its cookie, unless it has a good one. Throws Refusal `link-over` and `bad-password`.
   */
  async chooseByLink(
    token: string,
    password: string,
    origin: Origin,
    identify: Identify,
  ): Promise<{ person: Person; device: string | undefined }> {
    const { sql, links, sessions, secondFactors, throttle } = this.#deps;
    const person = await sql.begin(async (tx) => {
      const { personId, clearsSecondFactor } = await links.use(tx, token, 'password');
      const found = await personOf(tx, personId);
      identify(found);
      checkPassword(password, found.username);
      if (clearsSecondFactor) await secondFactors.remove(tx, personId);
      await tx`UPDATE people SET password_hash = ${await hashPassword(password)} WHERE id = ${personId}`;
      await sessions.endAll(tx, personId);
      return found;
    });
    return { person, device: await throttle.remember(subjectOf(person), origin, true) };
  }

  /**
   * Changes the own password: all sessions end, and the one that asked goes on under a new token, which is returned.
   * Throws Refusal `wrong-password`, Refusal `bad-password`, LoginThrottled.
   */
  async changePassword(
    { person }: Session,
    given: { current: string; password: string },
    origin: Origin,
    note: NoteChange,
  ): Promise<string> {
    const { sql, links } = this.#deps;
    checkPassword(given.password, person.username);
    await this.confirmPassword(person, given.current, origin);
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
    const { sql, sessions, links } = this.#deps;
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

  /** Begins to set up a second factor. Throws Refusal `wrong-password`, Refusal `not-now`, LoginThrottled. */
  async proposeSecondFactor(person: Person, password: string, origin: Origin): Promise<SecondFactorSecret> {
    const { sql, secondFactors } = this.#deps;
    await this.confirmPassword(person, password, origin);
    return secondFactors.propose(sql, person);
  }

  /**
   * Puts the second factor in force. All sessions end, and the one that asked goes on under a new token. Throws
   * Refusal `wrong-code`, Refusal `not-now`, LoginThrottled.
   */
  async confirmSecondFactor(
    { person }: Session,
    code: string,
    origin: Origin,
    note: NoteChange,
  ): Promise<{ recoveryCodes: string[]; token: string }> {
    const { sql, clock, secondFactors, throttle } = this.#deps;
    const confirm = () =>
      sql.begin(async (tx) => {
        await lockPerson(tx, person.id);
        const recoveryCodes = await secondFactors.confirm(tx, person.id, code, clock.now());
        await note(tx, { kind: 'people', id: person.id, after: { second_factor: true } });
        return { recoveryCodes, token: await this.#renewSession(tx, person.id, origin) };
      });
    return throttle.runCode('POST /v1/session/second-factor/confirm', person.id, confirm);
  }

  /**
   * Removes the own second factor: all sessions end, and the one that asked goes on under a new token, which is returned.
   * Throws Refusal `wrong-password`, `wrong-code`, `not-now`, LoginThrottled.
   */
  async removeSecondFactor(
    person: Person,
    given: { password: string; code: string },
    origin: Origin,
    note: NoteChange,
  ): Promise<string> {
    const { sql, secondFactors, throttle } = this.#deps;
    const remove = () =>
      sql.begin(async (tx) => {
        await lockPerson(tx, person.id);
        if (await isSecondFactorRequired(tx, person.accountId)) {
          throw new Refusal('not-now', 'the second factor is required of everybody here');
        }
        await secondFactors.use(tx, person.id, given.code);
        await secondFactors.remove(tx, person.id);
        await note(tx, { kind: 'people', id: person.id, after: { second_factor: false } });
        return this.#renewSession(tx, person.id, origin);
      });
    const endpoint = 'POST /v1/session/second-factor/remove';
    return this.#confirm(person, given.password, origin, () => throttle.runCode(endpoint, person.id, remove));
  }

  /** New recovery codes; the old ones end. Throws Refusal `wrong-password`, Refusal `not-now`, LoginThrottled. */
  async renewRecoveryCodes(
    person: Person,
    password: string,
    origin: Origin,
    note: NoteChange,
  ): Promise<string[]> {
    const { sql, secondFactors } = this.#deps;
    if (!person.secondFactor) throw new Refusal('not-now', 'there is no second factor');
    await this.confirmPassword(person, password, origin);
    return sql.begin(async (tx) => {
      await lockPerson(tx, person.id);
      const codes = await secondFactors.renewRecoveryCodes(tx, person.id);
      await note(tx, { kind: 'people', id: person.id, after: { recovery: 'renewed' } });
      return codes;
    });
  }

  /** Asks for the password again before what a found browser must not be able to do, and does `then` in the same attempt. */
  async #confirm<T>(person: Person, password: string, origin: Origin, then: () => Promise<T>): Promise<T> {
    const { sql, throttle } = this.#deps;
    const attempt = attemptOf('the own password, again', person.username, person, origin);
    return throttle.runInSession({ ...attempt, audited: false }, async () => {
      const [row] = await sql<{ password_hash: string | null }[]>`
        SELECT password_hash FROM people WHERE id = ${person.id}`;
      if (!(await verifyPasswordOf(row?.password_hash ?? null, password, 'known'))) {
        throw new Refusal('wrong-password', 'the password is wrong');
      }
      return then();
    });
  }

  /**
   * Asks for the own password before a change that a found browser must not be able to make. Throws Refusal
   * `wrong-password`, LoginThrottled.
   */
  async confirmPassword(person: Person, password: string, origin: Origin): Promise<void> {
    await this.#confirm(person, password, origin, async () => {});
  }

  /** Ends all sessions of a person and begins a new one, so that a token from before opens nothing any more. */
  async #renewSession(tx: TransactionSql, personId: number, origin: Origin): Promise<string> {
    const { sessions } = this.#deps;
    await sessions.endAll(tx, personId);
    return sessions.start(tx, personId, origin);
  }
}

async function personOf(sql: Queryable, id: number): Promise<Person> {
  const [person] = await sql<Person[]>`SELECT ${columnsOfPeople(sql)} FROM people p WHERE p.id = ${id}`;
  return person!;
}

const subjectOf = ({ id, accountId, username }: Person) => ({
  accountId: accountId ?? undefined,
  personId: id,
  username,
});

function attemptOf(endpoint: string, typed: string, person: Person | undefined, place: Origin): Attempt {
  return { endpoint, among: 'people', typed, who: person && subjectOf(person), place };
}

const wrong = () => new Refusal('signed-out', 'the user name or the password is wrong');
