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
import type { Context } from '../context.ts';
import { texts } from '../database/arrays.ts';
import { type Queryable, type TransactionSql, violatedConstraint } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import { CHALLENGE_MS, type PasskeyChallenges, type PasskeyPurpose } from './passkey-challenges.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { Person } from './person.ts';

/** The name of the service in the dialogs of browsers. */
const NAME = 'Carillon';
/** A person has at most so many: keys, phones and computers. */
export const MAX_PASSKEYS = 20;
/** ES256, RS256 (Windows Hello) and EdDSA, which every authenticator has one of (WebAuthn 3, 5.4). */
const ALGORITHMS = [-8, -7, -257];

/** A passkey as its person sees it. */
export interface Passkey {
  readonly id: number;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** null: never. */
  readonly usedAt: number | null;
  /** It is kept on several devices. */
  readonly synced: boolean;
}

interface PasskeysDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly challenges: PasskeyChallenges;
}

/** A passkey with whose it is and what its answers are checked by. */
interface StoredPasskey {
  readonly id: number;
  readonly personId: number;
  readonly publicKey: Buffer;
}

/** Passkeys of people (WebAuthn Level 3): made, listed, and the answers of authenticators checked. */
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

  /** What a browser needs to make a passkey. Throws Refusal `not-now` when there are too many. */
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
      // Discoverable and with a PIN or biometrics, so that it signs in by itself.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
  }

  /**
   * Checks what an authenticator made. Returns what stores it in a transaction, which throws Refusal `not-now` when there
   * are too many. Throws Refusal `wrong-code` when it is not good.
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

  /** What a browser needs to sign somebody in by a passkey, whoever it is: the authenticator knows. */
  async signInOptions(site: PasskeySite): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.#requestOptions(site, 'sign-in', null, 'required', []);
  }

  /** What a browser needs to prove a second factor by a passkey of this person; null without one. */
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

  /** Whose passkey an answer names; undefined for one that nobody has. Nothing is proven by that. */
  async ownerOf(response: AuthenticationResponseJSON): Promise<number | undefined> {
    return (await this.#find(response))?.personId;
  }

  /**
   * Checks the answer of an authenticator, which has verified its user when `purpose` is a sign-in. Returns what writes down
   * its use, in the transaction of what is done by it; that throws Refusal `wrong-code` for a passkey that was copied. Throws
   * Refusal `wrong-code`.
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
        // The counter is judged with the row, below.
        credential: { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      }),
    );
    return (tx) => this.#used(tx, passkey, authenticationInfo.newCounter);
  }

  /** Writes down a use. An authenticator that counts does so upwards: of one and its copy, one falls behind. */
  async #used(tx: TransactionSql, { id, personId }: StoredPasskey, counter: number): Promise<void> {
    const { clock, log } = this.#deps;
    const rows = await tx`
      UPDATE passkeys SET counter = ${counter}, used_at = ${clock.now()}
      WHERE id = ${id} AND (counter = 0 OR counter < ${counter}) RETURNING id`;
    if (rows.length === 1) return;
    log.warn({ personId, passkeyId: id }, 'passkey counter decreased: the passkey may have been copied');
    throw wrongAnswer();
  }

  /** Uses up the challenge that an answer is for. Throws Refusal `wrong-code` for one that is not good. */
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

  /** Gives a passkey another name. False when the person has none with this id. */
  async rename(tx: Queryable, personId: number, id: number, name: string): Promise<boolean> {
    const rows = await tx`
      UPDATE passkeys SET name = ${name} WHERE id = ${id} AND person_id = ${personId} RETURNING id`;
    return rows.length === 1;
  }

  /** Removes a passkey. False when the person has none with this id. */
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

/** What a verification says. The library throws an Error for each thing that can be wrong. */
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

/** The challenge that an answer is for; undefined where it says none. */
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

/** What authenticators know a person by: their id, which says nothing of them (WebAuthn 3, 14.6.1). */
const handleOf = (personId: number) => Buffer.from(String(personId));

const tooMany = () => new Refusal('not-now', `there are ${MAX_PASSKEYS} passkeys already`);
const wrongAnswer = () => new Refusal('wrong-code', 'the passkey was not accepted');
