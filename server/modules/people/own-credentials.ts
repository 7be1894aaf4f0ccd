import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { LoginThrottle } from '../login-throttle/login-throttle.ts';
import { hashPassword } from '../passwords/hashes.ts';
import { checkPassword } from '../passwords/rules.ts';
import type { PersonLinks } from './one-time-links.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { Passkey, Passkeys } from './passkeys.ts';
import type { NoteChange } from './people.ts';
import { isSecondFactorRequired } from './people-rules.ts';
import { lockPerson, type Person } from './person.ts';
import type { Proofs } from './proofs.ts';
import type { Origin, Session, Sessions } from './sessions.ts';
import type { SecondFactorSecret, SecondFactors } from './totp.ts';

interface OwnCredentialsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly sessions: Sessions;
  readonly links: PersonLinks;
  readonly throttle: LoginThrottle;
  readonly secondFactors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly proofs: Proofs;
}

/** Fields of a session that changes of credentials need. */
type OwnSession = Pick<Session, 'id' | 'person' | 'provider' | 'proofAgeMs'>;

/** A session that continues with a new token. */
interface Renewed {
  readonly token: string;
}

/**
 * Changes that people make to their own credentials: password, second factor, recovery codes, passkeys. Each change
 * ends all sessions; the calling one continues with a new token.
 */
export class OwnCredentials {
  readonly #deps: OwnCredentialsDeps;

  constructor(deps: OwnCredentialsDeps) {
    this.#deps = deps;
  }

  /** Changes the caller's own password. Throws Refusal `wrong-password`, Refusal `bad-password`, LoginThrottled. */
  async changePassword(
    session: OwnSession,
    given: { current: string; password: string },
    origin: Origin,
    note: NoteChange,
  ): Promise<string> {
    const { sql, links, proofs } = this.#deps;
    const { person } = session;
    checkPassword(given.password, person.username);
    await proofs.byPassword(session, given.current, origin);
    const hash = await hashPassword(given.password);
    return sql.begin(async (tx) => {
      await lockPerson(tx, person.id);
      await tx`UPDATE people SET password_hash = ${hash} WHERE id = ${person.id}`;
      await links.endAll(tx, person.id);
      await note(tx, { kind: 'people', id: person.id });
      return this.#renewSession(tx, session, 0, origin);
    });
  }

  /** Begins the setup of a phone's authenticator app. Throws Refusal `not-now`, and errors of `Proofs.confirm`. */
  async proposeSecondFactor(
    session: OwnSession,
    password: string | undefined,
    origin: Origin,
  ): Promise<SecondFactorSecret> {
    const { sql, secondFactors, proofs } = this.#deps;
    await proofs.confirm(session, password, origin);
    return secondFactors.propose(sql, session.person);
  }

  /** Enables the authenticator app of a phone. Throws Refusal `wrong-code`, Refusal `not-now`, LoginThrottled. */
  async confirmSecondFactor(
    session: OwnSession,
    code: string,
    origin: Origin,
    note: NoteChange,
  ): Promise<Renewed & { recoveryCodes: string[] }> {
    const { sql, clock, secondFactors, throttle } = this.#deps;
    const { person, proofAgeMs } = session;
    const confirm = () =>
      sql.begin(async (tx) => {
        await lockPerson(tx, person.id);
        const recoveryCodes = await secondFactors.confirm(tx, person.id, code, clock.now());
        await note(tx, { kind: 'people', id: person.id, after: { second_factor: true } });
        return { recoveryCodes, token: await this.#renewSession(tx, session, proofAgeMs, origin) };
      });
    return throttle.runCode('POST /v1/session/second-factor/confirm', person.id, confirm);
  }

  /**
   * Removes the authenticator app; `code` is one of its codes, or a recovery code. Throws Refusal `wrong-code`, Refusal
   * `not-now` for the last second factor where one is required, and errors of `Proofs.confirm`.
   */
  async removeSecondFactor(
    session: OwnSession,
    given: { password: string | undefined; code: string },
    origin: Origin,
    note: NoteChange,
  ): Promise<string> {
    const { sql, secondFactors, throttle, proofs } = this.#deps;
    const { person } = session;
    const remove = () =>
      sql.begin(async (tx) => {
        await lockPerson(tx, person.id);
        await secondFactors.use(tx, person.id, given.code);
        if (!(await secondFactors.remove(tx, person.id))) {
          throw new Refusal('not-now', 'there are no codes of a phone', undefined, {
            reason: 'no-authenticator',
          });
        }
        await keepRequired(tx, person);
        await note(tx, { kind: 'people', id: person.id, after: { second_factor: false } });
        return this.#renewSession(tx, session, age, origin);
      });
    const age = await proofs.confirm(session, given.password, origin);
    return throttle.runCode('POST /v1/session/second-factor/remove', person.id, remove);
  }

  /** Creates new recovery codes and ends the old ones. Throws Refusal `not-now`, and errors of `Proofs.confirm`. */
  async renewRecoveryCodes(
    session: OwnSession,
    password: string | undefined,
    origin: Origin,
    note: NoteChange,
  ): Promise<string[]> {
    const { sql, secondFactors, proofs } = this.#deps;
    const { person } = session;
    if (!person.secondFactor)
      throw new Refusal('not-now', 'there is no second factor', undefined, { reason: 'no-second-factor' });
    await proofs.confirm(session, password, origin);
    return sql.begin(async (tx) => {
      await lockPerson(tx, person.id);
      const codes = await secondFactors.renewRecoveryCodes(tx, person.id);
      await note(tx, { kind: 'people', id: person.id, after: { recovery: 'renewed' } });
      return codes;
    });
  }

  /** Begins to add a passkey. Throws Refusal `not-now`, and errors of `Proofs.confirm`. */
  async proposePasskey(
    session: OwnSession,
    password: string | undefined,
    site: PasskeySite,
    origin: Origin,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    await this.#deps.proofs.confirm(session, password, origin);
    return this.#deps.passkeys.creationOptions(session.person, site);
  }

  /**
   * Adds the passkey that a browser has created; the first second factor comes with recovery codes. Throws Refusal
   * `wrong-code`, Refusal `not-now`, LoginThrottled.
   */
  async addPasskey(
    session: OwnSession,
    given: { name: string; credential: RegistrationResponseJSON },
    site: PasskeySite,
    origin: Origin,
    note: NoteChange,
  ): Promise<Renewed & { passkey: Passkey; recoveryCodes: string[] }> {
    const { sql, secondFactors, passkeys, throttle } = this.#deps;
    const { person, proofAgeMs } = session;
    return throttle.runCode('POST /v1/session/passkeys', person.id, async () => {
      const store = await passkeys.register(person, site, given.credential);
      return sql.begin(async (tx) => {
        await lockPerson(tx, person.id);
        const isFirst = !(await hasSecondFactor(tx, person.id));
        const passkey = await store(tx, given.name);
        const recoveryCodes = isFirst ? await secondFactors.renewRecoveryCodes(tx, person.id) : [];
        await note(tx, { kind: 'passkeys', id: passkey.id, after: { name: passkey.name } });
        const token = await this.#renewSession(tx, session, proofAgeMs, origin);
        return { passkey, recoveryCodes, token };
      });
    });
  }

  /**
   * Removes a passkey. Returns null if no passkey has this id. Throws Refusal `not-now` for the last second factor
   * where one is required, and errors of `Proofs.confirm`.
   */
  async removePasskey(
    session: OwnSession,
    id: number,
    password: string | undefined,
    origin: Origin,
    note: NoteChange,
  ): Promise<string | null> {
    const { sql, secondFactors, passkeys, proofs } = this.#deps;
    const { person } = session;
    const age = await proofs.confirm(session, password, origin);
    return sql.begin(async (tx) => {
      await lockPerson(tx, person.id);
      if (!(await passkeys.remove(tx, person.id, id))) return null;
      await keepRequired(tx, person);
      await secondFactors.forgetRecoveryCodes(tx, person.id);
      await note(tx, { kind: 'passkeys', id });
      return this.#renewSession(tx, session, age, origin);
    });
  }

  /** Ends all sessions of a person and begins a new one with the proof of the old one, so that no earlier token is valid. */
  async #renewSession(
    tx: TransactionSql,
    { person, provider }: OwnSession,
    proofAgeMs: number | null,
    origin: Origin,
  ): Promise<string> {
    const { sessions } = this.#deps;
    await sessions.endAll(tx, person.id);
    return sessions.start(tx, person.id, origin, { provider, proofAgeMs });
  }
}

async function hasSecondFactor(tx: TransactionSql, personId: number): Promise<boolean> {
  const [row] = await tx<{ has: boolean }[]>`
    SELECT totp_enabled_at IS NOT NULL OR EXISTS (SELECT FROM passkeys k WHERE k.person_id = p.id) AS has
    FROM people p WHERE p.id = ${personId}`;
  return row?.has ?? false;
}

/** Throws Refusal `not-now` if a person has no second factor left although one is required. */
async function keepRequired(tx: TransactionSql, { id, accountId }: Person): Promise<void> {
  if (!(await isSecondFactorRequired(tx, accountId)) || (await hasSecondFactor(tx, id))) return;
  throw new Refusal('not-now', 'a second factor is required', undefined, { reason: 'second-factor-kept' });
}
