import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Queryable } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Attempt } from '../login-throttle/attempt.ts';
import type { LoginThrottle } from '../login-throttle/login-throttle.ts';
import { hashPassword, verifyPasswordOf } from '../passwords/hashes.ts';
import { checkPassword } from '../passwords/rules.ts';
import type { PersonLinks } from './one-time-links.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { Passkeys } from './passkeys.ts';
import type { NoteChange } from './people.ts';
import { columnsOfPeople, lockPerson, type Person } from './person.ts';
import type { Origin, Session, Sessions } from './sessions.ts';
import type { SecondFactors } from './totp.ts';

interface SignInsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly sessions: Sessions;
  readonly links: PersonLinks;
  readonly throttle: LoginThrottle;
  readonly secondFactors: SecondFactors;
  readonly passkeys: Passkeys;
}

/** A person who has just signed in. */
export interface SignedInPerson {
  readonly person: Person;
  /** The session token, for the cookie. */
  readonly token: string;
  /** Device token for the cookie that identifies the browser from now on; undefined if the browser has a valid one. */
  readonly device: string | undefined;
}

/** Proof of a second factor: a code of the authenticator app, a recovery code, or the answer of a passkey. */
export interface SecondFactorProof {
  readonly code: string | undefined;
  readonly passkey: AuthenticationResponseJSON | undefined;
}

/** The password was right, and a second factor is required. */
export interface SecondFactorWanted {
  /** Options for a proof by passkey; null for a person without a passkey. */
  readonly passkey: PublicKeyCredentialRequestOptionsJSON | null;
}

const SIGN_IN = 'POST /v1/session';
const PROVE = 'POST /v1/session/second-factor/prove';
const PASSKEY_SIGN_IN = 'POST /v1/session/passkey';

/** Called with the person who has proved their identity, or whom a link names. */
type Identify = (person: Person) => void;

/** Sign-in of people: with passwords and second factors, passkeys, and one-time links. */
export class SignIns {
  readonly #deps: SignInsDeps;

  constructor(deps: SignInsDeps) {
    this.#deps = deps;
  }

  /**
   * Signs in with a password and, if the person has one, a second factor. Returns SecondFactorWanted if the password is
   * right and the second factor is missing. Throws Refusal `signed-out` for everything else that is wrong (so that
   * nobody learns who exists), Refusal `wrong-code`, and errors of LoginThrottle.run.
   *
   * @param siteOf returns the site that passkeys are bound to; throws if passkeys are not possible
   */
  async byPassword(
    given: { username: string; password: string } & SecondFactorProof,
    origin: Origin,
    identify: Identify,
    siteOf: () => PasskeySite,
  ): Promise<SignedInPerson | SecondFactorWanted> {
    const { sql, throttle, passkeys } = this.#deps;
    // No user name contains NUL, and PostgreSQL rejects NUL in text.
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
      await refuseOfProvider(sql, person);
      if (person.secondFactor && given.code === undefined && given.passkey === undefined) {
        identify(person);
        return { value: null, proven: false };
      }
      return { value: await this.#begin(person, hash!, given, origin, siteOf), proven: true };
    });
    if (token !== null) {
      identify(person!);
      return { person: person!, token, device: await throttle.remember(attempt.who!, origin, true) };
    }
    const { id, hasPasskey } = person!;
    return { passkey: hasPasskey ? await passkeys.secondFactorOptions(id, siteOf()) : null };
  }

  /** Begins the session of a person with the right password, if the second factor is right too. */
  async #begin(
    person: Person,
    hash: string,
    proof: SecondFactorProof,
    origin: Origin,
    siteOf: () => PasskeySite,
  ): Promise<string> {
    const { sql, throttle, secondFactors, sessions, passkeys } = this.#deps;
    const begin = async () => {
      const used =
        person.secondFactor && proof.passkey
          ? await passkeys.check(person.id, 'second-factor', siteOf(), proof.passkey)
          : undefined;
      return sql.begin(async (tx) => {
        // A password change at this moment also ends this session, because both lock the person.
        await lockPerson(tx, person.id);
        const still = await tx`
          SELECT 1 FROM people WHERE id = ${person.id} AND password_hash = ${hash} AND NOT suspended`;
        if (still.length === 0) throw wrong();
        await refuseOfProvider(tx, person);
        if (used) await used(tx);
        else if (person.secondFactor) await secondFactors.use(tx, person.id, proof.code!);
        return sessions.start(tx, person.id, origin);
      });
    };
    return person.secondFactor ? throttle.runCode(SIGN_IN, person.id, begin) : begin();
  }

  /**
   * Signs in by a passkey that has verified its user, which counts as a second factor. Throws Refusal `signed-out` for
   * everything that is wrong, and errors of LoginThrottle.run.
   */
  async byPasskey(
    credential: AuthenticationResponseJSON,
    site: PasskeySite,
    origin: Origin,
    identify: Identify,
  ): Promise<SignedInPerson> {
    const { sql, throttle, passkeys, sessions } = this.#deps;
    const id = await passkeys.ownerOf(credential);
    const found = id === undefined ? undefined : await personOf(sql, id);
    const attempt = attemptOf(PASSKEY_SIGN_IN, credential.id, found, origin);
    const { value } = await throttle.run(attempt, async () => {
      if (!found) throw wrong();
      const used = await passkeys.check(found.id, 'sign-in', site, credential).catch(asWrong);
      const token = await sql.begin(async (tx) => {
        await lockPerson(tx, found.id);
        const person = await personOf(tx, found.id);
        if (person.suspended) throw wrong();
        await refuseOfProvider(tx, person);
        await used(tx).catch(asWrong);
        return sessions.start(tx, person.id, origin);
      });
      return { value: token, proven: true };
    });
    identify(found!);
    return { person: found!, token: value, device: await throttle.remember(attempt.who!, origin, true) };
  }

  /**
   * Proves the second factor in a session that began by a provider without one. Returns the new token of the session.
   * Throws Refusal `wrong-code`, Refusal `not-now` if no proof is pending, LoginThrottled.
   */
  async proveSecondFactor(
    { id, person, provider, secondFactorPending }: Session,
    proof: SecondFactorProof,
    origin: Origin,
    siteOf: () => PasskeySite,
  ): Promise<string> {
    const { sql, throttle, secondFactors, sessions, passkeys } = this.#deps;
    if (!secondFactorPending)
      throw new Refusal('not-now', 'there is nothing to prove', undefined, { reason: 'nothing-to-confirm' });
    return throttle.runCode(PROVE, person.id, async () => {
      const used =
        proof.passkey && (await passkeys.check(person.id, 'second-factor', siteOf(), proof.passkey));
      return sql.begin(async (tx) => {
        await lockPerson(tx, person.id);
        if (used) await used(tx);
        else await secondFactors.use(tx, person.id, proof.code ?? '');
        const ended = await tx`DELETE FROM sessions WHERE id = ${id} RETURNING id`;
        if (ended.length === 0) throw new Refusal('signed-out', 'the session has ended');
        return sessions.start(tx, person.id, origin, { provider });
      });
    });
  }

  /** Signs in by a one-time link. Throws Refusal `link-over`. */
  async byLink(token: string, origin: Origin, identify: Identify): Promise<SignedInPerson> {
    const { sql, links, sessions, throttle } = this.#deps;
    const begun = await sql.begin(async (tx) => {
      const { personId } = await links.use(tx, token, 'sign-in');
      const person = await personOf(tx, personId);
      identify(person);
      await refuseOfProvider(tx, person);
      return { person, token: await sessions.start(tx, personId, origin) };
    });
    return { ...begun, device: await throttle.remember(subjectOf(begun.person), origin, true) };
  }

  /**
   * Sets the password by a one-time link, and ends all sessions. The browser is then a known device: `device` is for
   * its cookie, unless it has a valid one. Throws Refusal `link-over` and `bad-password`.
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
      if (clearsSecondFactor) await secondFactors.removeAll(tx, personId);
      await tx`UPDATE people SET password_hash = ${await hashPassword(password)} WHERE id = ${personId}`;
      await leaveProvider(tx, personId);
      await sessions.endAll(tx, personId);
      return found;
    });
    return { person, device: await throttle.remember(subjectOf(person), origin, true) };
  }

  /** Sets a person's password without the old one, for the command line. Ends all sessions and links. */
  async setPassword(person: Person, password: string, note: NoteChange): Promise<void> {
    const { sql, sessions, links } = this.#deps;
    checkPassword(password, person.username);
    const hash = await hashPassword(password);
    await sql.begin(async (tx) => {
      await lockPerson(tx, person.id);
      await tx`UPDATE people SET password_hash = ${hash} WHERE id = ${person.id}`;
      await leaveProvider(tx, person.id);
      await sessions.endAll(tx, person.id);
      await links.endAll(tx, person.id);
      await note(tx, { kind: 'people', id: person.id });
    });
  }
}

/**
 * Throws Refusal `not-allowed` for a person who can sign in only by a provider. The person has proved their identity by
 * then, so the refusal reveals nothing to strangers.
 */
async function refuseOfProvider(sql: Queryable, { id, accountId }: Person): Promise<void> {
  const rows = await sql`
    SELECT 1 FROM person_identities WHERE person_id = ${id}
    UNION ALL SELECT 1 FROM people_rules WHERE account_id = ${accountId} AND provider_only`;
  if (rows.length > 0)
    throw new Refusal('not-allowed', 'you sign in by the sign-in provider of your account');
}

/** A person who gets a password is no longer linked to a provider. */
async function leaveProvider(tx: Queryable, id: number): Promise<void> {
  await tx`DELETE FROM person_identities WHERE person_id = ${id}`;
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

/** A failed sign-in by passkey says only that the passkey was wrong: the owner of the passkey is not proven. */
function asWrong(error: unknown): never {
  if (error instanceof Refusal && error.code === 'wrong-code') {
    throw new Refusal('signed-out', 'the passkey was not accepted');
  }
  throw error;
}
