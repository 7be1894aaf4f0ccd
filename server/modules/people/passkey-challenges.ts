import { randomBytes } from 'node:crypto';
import type { Context } from '../../kit/context.ts';
import { digestOf } from './sessions.ts';

/** Purpose of a challenge; an answer for another purpose is refused. */
export type PasskeyPurpose = 'register' | 'sign-in' | 'second-factor';

/** Milliseconds that an authenticator has to answer: people look for the key and type a PIN. */
export const CHALLENGE_MS = 5 * 60_000;

/**
 * Challenges of WebAuthn. They are stored in the database, so that any process can receive the answer, and work once.
 */
export class PasskeyChallenges {
  readonly #deps: Pick<Context, 'sql' | 'clock'>;

  constructor(deps: Pick<Context, 'sql' | 'clock'>) {
    this.#deps = deps;
  }

  /**
   * Creates a challenge: 256 random bits, base64url.
   *
   * @param personId the person who must answer; null: anyone, for a sign-in
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
   * Whether a challenge was created for this purpose and person and is unused and recent enough. The challenge is used
   * up even if the answer is refused, so this does not run in a transaction that may roll back.
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
