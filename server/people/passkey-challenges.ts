import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { digestOf } from './sessions.ts';

/** What a challenge is signed for. */
export type PasskeyPurpose = 'register' | 'sign-in' | 'second-factor';

/** How long an authenticator has for its answer: somebody looks for the key, and types a PIN. */
export const CHALLENGE_MS = 5 * 60_000;

/** Challenges of WebAuthn. They are in the database, so that any process may get the answer, and work once. */
export class PasskeyChallenges {
  readonly #deps: Pick<Context, 'sql' | 'clock'>;

  constructor(deps: Pick<Context, 'sql' | 'clock'>) {
    this.#deps = deps;
  }

  /**
   * Makes a challenge: 256 random bits, base64url.
   *
   * @param personId who is to answer it; null: whoever signs in
   */
  async make(purpose: PasskeyPurpose, personId: number | null): Promise<string> {
    const { sql, clock } = this.#deps;
    const challenge = randomBytes(32).toString('base64url');
    await sql`
      INSERT INTO passkey_challenges (digest, purpose, person_id, expires_at)
      VALUES (${digestOf(challenge)}, ${purpose}, ${personId}, ${clock.now() + CHALLENGE_MS})`;
    return challenge;
  }

  /**
   * Whether a challenge was made for this and is neither used nor too old. It is used up whatever is said of the answer, so
   * it is not part of a transaction that may be rolled back.
   */
  async use(challenge: string, purpose: PasskeyPurpose, personId: number | null): Promise<boolean> {
    const { sql, clock } = this.#deps;
    const rows = await sql<{ good: boolean }[]>`
      DELETE FROM passkey_challenges WHERE digest = ${digestOf(challenge)}
      RETURNING purpose = ${purpose} AND person_id IS NOT DISTINCT FROM ${personId}::bigint
        AND expires_at > ${clock.now()} AS good`;
    return rows[0]?.good ?? false;
  }

  /** Deletes the challenges that nobody answered. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM passkey_challenges WHERE expires_at <= ${clock.now()}`;
  }
}
