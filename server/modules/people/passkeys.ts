import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { texts } from '../../database/arrays.ts';
import { type Queryable, type TransactionSql, violatedConstraint } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { CHALLENGE_MS, type PasskeyChallenges, type PasskeyPurpose } from './passkey-challenges.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { Person } from './person.ts';

/** The name of the service in the dialogs of browsers. */
const NAME = 'Carillon';
/** Maximum number of passkeys per person: keys, phones and computers. */
export const MAX_PASSKEYS = 20;
/**
 * COSE numbers of EdDSA, ES256 and RS256 (Windows Hello). Every authenticator supports one of them (WebAuthn 3, 5.4).
 */
const ALGORITHMS = [-8, -7, -257];

/** A passkey as its person sees it. */
export interface Passkey {
  readonly id: number;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** null: never used. */
  readonly usedAt: number | null;
  /** The passkey is synchronised between several devices. */
  readonly synced: boolean;
}

interface PasskeysDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly challenges: PasskeyChallenges;
}

/** A passkey with its owner and the data that verify its answers. */
interface StoredPasskey {
  readonly id: number;
  readonly personId: number;
  readonly publicKey: Buffer;
}

/** Passkeys of people (WebAuthn Level 3): registration, list, and verification of answers. */
export class Passkeys {
  readonly #deps: PasskeysDeps;

  constructor(deps: PasskeysDeps) {
    this.#deps = deps;
  }

  /** A person's passkeys, the oldest first. */
  async list(personId: number): Promise<Passkey[]> {
    return this.#deps.sql<Passkey[]>`
      SELECT id, name, created_at AS "createdAt", used_at AS "usedAt", synced FROM passkeys
      WHERE person_id = ${personId} ORDER BY id`;
  }

  /**
   * Returns the options with which a browser creates a passkey. Throws Refusal `not-now` if the person has
   * MAX_PASSKEYS.
   */
  async creationOptions(person: Person, site: PasskeySite): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const known = await this.#credentialsOf(person.id);
    if (known.length >= MAX_PASSKEYS) throw tooMany();
    return generateRegistrationOptions({
      rpName: NAME,
      rpID: site.host,
      userName: person.username,
      userDisplayName: person.name,
      userID: new Uint8Array(handleOf(person.id)),
      challenge: bytesOf(await this.#deps.challenges.make('register', person.id)),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      excludeCredentials: known,
      // Discoverable and with a PIN or biometrics, so that the passkey signs in without user name and password.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
  }

  /**
   * Checks a new passkey. Returns a function that stores it in a transaction and throws Refusal `not-now` if the person
   * has MAX_PASSKEYS. Throws Refusal `wrong-code` if the passkey is invalid.
   */
  async register(
    person: Person,
    site: PasskeySite,
    response: RegistrationResponseJSON,
  ): Promise<(tx: TransactionSql, name: string) => Promise<Passkey>> {
    const { ids, clock } = this.#deps;
    const expectedChallenge = await this.#spendChallenge(response, 'register', person.id);
    const { registrationInfo: made } = await judged(() =>
      verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin: site.origin,
        expectedRPID: site.host,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    );
    const { credential, credentialBackedUp: synced } = made!;
    return async (tx, name) => {
      const known = await tx`SELECT 1 FROM passkeys WHERE person_id = ${person.id}`;
      if (known.length >= MAX_PASSKEYS) throw tooMany();
      const row = { id: ids.next(), name, createdAt: clock.now(), usedAt: null, synced };
      try {
        await tx`
          INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, synced, name, created_at)
          VALUES (${row.id}, ${person.id}, ${bufferOf(credential.id)}, ${Buffer.from(credential.publicKey)},
            ${credential.counter}, ${texts(credential.transports ?? [])}::text[], ${synced}, ${name}, ${row.createdAt})`;
      } catch (error) {
        if (violatedConstraint(error) === 'passkeys_credential_key') throw wrongAnswer();
        throw error;
      }
      return row;
    };
  }

  /**
   * Returns the options with which a browser signs in by a passkey. They name no person: the authenticator offers its
   * passkeys.
   */
  async signInOptions(site: PasskeySite): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.#requestOptions(site, 'sign-in', null, 'required', []);
  }

  /**
   * Returns the options with which a browser proves a second factor by a passkey of this person; null if the person has
   * no passkey.
   */
  async secondFactorOptions(
    personId: number,
    site: PasskeySite,
  ): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
    const known = await this.#credentialsOf(personId);
    if (known.length === 0) return null;
    return this.#requestOptions(site, 'second-factor', personId, 'discouraged', known);
  }

  async #requestOptions(
    site: PasskeySite,
    purpose: PasskeyPurpose,
    personId: number | null,
    userVerification: 'required' | 'discouraged',
    allowCredentials: { id: string; transports: string[] }[],
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return generateAuthenticationOptions({
      rpID: site.host,
      challenge: bytesOf(await this.#deps.challenges.make(purpose, personId)),
      timeout: CHALLENGE_MS,
      userVerification,
      ...(allowCredentials.length > 0 && { allowCredentials }),
    });
  }

  /**
   * Returns the owner of the passkey that an answer names; undefined if the passkey is unknown. This proves nothing.
   */
  async ownerOf(response: AuthenticationResponseJSON): Promise<number | undefined> {
    return (await this.#find(response))?.personId;
  }

  /**
   * Checks the answer of an authenticator, which must have verified its user if `purpose` is a sign-in. Returns a
   * function that records the use in a transaction and throws Refusal `wrong-code` for a copied passkey. Throws Refusal
   * `wrong-code`.
   */
  async check(
    personId: number,
    purpose: 'sign-in' | 'second-factor',
    site: PasskeySite,
    response: AuthenticationResponseJSON,
  ): Promise<(tx: TransactionSql) => Promise<void>> {
    const expectedChallenge = await this.#spendChallenge(
      response,
      purpose,
      purpose === 'sign-in' ? null : personId,
    );
    const passkey = await this.#find(response);
    const { userHandle } = response.response;
    const isOther =
      passkey?.personId !== personId ||
      (userHandle !== undefined && !bufferOf(userHandle).equals(handleOf(personId)));
    if (!passkey || isOther) throw wrongAnswer();
    const { authenticationInfo } = await judged(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: site.origin,
        expectedRPID: site.host,
        requireUserVerification: purpose === 'sign-in',
        // 0, because `#used` compares the counter with the locked row.
        credential: { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      }),
    );
    return (tx) => this.#used(tx, passkey, authenticationInfo.newCounter);
  }

  /** Records a use. The counter of an authenticator only grows: an older value means that a copy exists. */
  async #used(tx: TransactionSql, { id, personId }: StoredPasskey, counter: number): Promise<void> {
    const { clock, log } = this.#deps;
    const rows = await tx`
      UPDATE passkeys SET counter = ${counter}, used_at = ${clock.now()}
      WHERE id = ${id} AND (counter = 0 OR counter < ${counter}) RETURNING id`;
    if (rows.length === 1) return;
    log.warn({ personId, passkeyId: id }, 'passkey counter decreased: the passkey may have been copied');
    throw wrongAnswer();
  }

  /** Uses the challenge of an answer. Throws Refusal `wrong-code` for an invalid challenge. */
  async #spendChallenge(
    { response }: { readonly response: { readonly clientDataJSON: string } },
    purpose: PasskeyPurpose,
    personId: number | null,
  ): Promise<string> {
    const challenge = challengeOf(response.clientDataJSON);
    const isGood = challenge !== undefined && (await this.#deps.challenges.use(challenge, purpose, personId));
    if (!isGood) throw wrongAnswer();
    return challenge;
  }

  /** Renames a passkey. Returns false if the person has no passkey with this id. */
  async rename(tx: Queryable, personId: number, id: number, name: string): Promise<boolean> {
    const rows = await tx`
      UPDATE passkeys SET name = ${name} WHERE id = ${id} AND person_id = ${personId} RETURNING id`;
    return rows.length === 1;
  }

  /** Removes a passkey. Returns false if the person has no passkey with this id. */
  async remove(tx: Queryable, personId: number, id: number): Promise<boolean> {
    const rows = await tx`DELETE FROM passkeys WHERE id = ${id} AND person_id = ${personId} RETURNING id`;
    return rows.length === 1;
  }

  async #credentialsOf(personId: number): Promise<{ id: string; transports: string[] }[]> {
    const rows = await this.#deps.sql<{ credential_id: Buffer; transports: string[] }[]>`
      SELECT credential_id, transports FROM passkeys WHERE person_id = ${personId} ORDER BY id`;
    return rows.map(({ credential_id: id, transports }) => ({ id: id.toString('base64url'), transports }));
  }

  async #find({ id }: AuthenticationResponseJSON): Promise<StoredPasskey | undefined> {
    const [row] = await this.#deps.sql<StoredPasskey[]>`
      SELECT id, person_id AS "personId", public_key AS "publicKey" FROM passkeys
      WHERE credential_id = ${bufferOf(id)}`;
    return row;
  }
}

/** Runs a verification. The library throws an Error for each possible fault; all of them become one refusal. */
async function judged<T extends { verified: boolean }>(verify: () => Promise<T>): Promise<T> {
  let verdict: T;
  try {
    verdict = await verify();
  } catch {
    throw wrongAnswer();
  }
  if (!verdict.verified) throw wrongAnswer();
  return verdict;
}

/** Returns the challenge of an answer; undefined if the answer names no challenge. */
function challengeOf(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(bufferOf(clientDataJson).toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

const bufferOf = (base64url: string) => Buffer.from(base64url, 'base64url');
const bytesOf = (base64url: string) => new Uint8Array(bufferOf(base64url));

/** User handle for authenticators: the id of the person, which reveals nothing about them (WebAuthn 3, 14.6.1). */
const handleOf = (personId: number) => Buffer.from(String(personId));

const tooMany = () =>
  new Refusal('not-now', `there are ${MAX_PASSKEYS} passkeys already`, undefined, {
    reason: 'limit-reached',
    params: { max: MAX_PASSKEYS },
  });
const wrongAnswer = () => new Refusal('wrong-code', 'the passkey was not accepted');
