import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { texts } from '../../database/arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import { Refusal } from '../../kit/errors.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { hasPasskey } from './person.ts';

const ISSUER = 'Carillon';
const PURPOSE = 'people.totp_secret';
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** RFC 6238, 5.2: one step of delay, and one step for a clock that is ahead. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** 140 bits in seven groups of four. OWASP ASVS 5.0, V6.5.2 requires 112 bits for codes stored as plain digests. */
const RECOVERY_LETTERS = 28;

/** The secret for a phone's authenticator app. */
export interface SecondFactorSecret {
  /** Base32, for typing. */
  readonly secret: string;
  /** `otpauth://…`, for a QR code. */
  readonly uri: string;
}

/**
 * Second factors by authenticator app (RFC 6238: SHA-1, six digits, 30 seconds, which every app supports), and recovery
 * codes for people who lost the phone. Uses the machine's clock also in the sandbox, because a phone's clock cannot be
 * moved.
 */
export class SecondFactors {
  readonly #clock: Clock;
  readonly #secrets: SecretBox;

  constructor(clock: Clock, secrets: SecretBox) {
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /**
   * Creates a secret; `confirm` enables it with one of its codes. Throws Refusal `not-now` if a secret is enabled
   * already.
   */
  async propose(tx: Queryable, person: { id: number; username: string }): Promise<SecondFactorSecret> {
    const bytes = randomBytes(SECRET_BYTES);
    const rows = await tx`
      UPDATE people SET totp_secret = ${this.#secrets.seal(bytes, PURPOSE, person.id)}, totp_step = 0
      WHERE id = ${person.id} AND totp_enabled_at IS NULL RETURNING id`;
    if (rows.length === 0)
      throw new Refusal('not-now', 'there is a second factor already', undefined, {
        reason: 'has-authenticator',
      });
    const totp = totpOf(bytes, person.username);
    return { secret: totp.secret.base32, uri: totp.toString() };
  }

  /** Enables the secret with one of its codes. Returns the recovery codes. Throws Refusal `wrong-code`, `not-now`. */
  async confirm(tx: Queryable, personId: number, code: string, now: number): Promise<string[]> {
    if (!(await this.#spendTotp(tx, personId, code, false))) throw wrongCode();
    await tx`UPDATE people SET totp_enabled_at = ${now} WHERE id = ${personId}`;
    return this.renewRecoveryCodes(tx, personId);
  }

  /**
   * Removes the authenticator app, and the recovery codes unless passkeys still need them. Returns false if no app was
   * set up.
   */
  async remove(tx: Queryable, personId: number): Promise<boolean> {
    const rows = await tx`
      UPDATE people SET totp_secret = NULL, totp_enabled_at = NULL, totp_step = 0
      WHERE id = ${personId} AND totp_secret IS NOT NULL RETURNING id`;
    await this.forgetRecoveryCodes(tx, personId);
    return rows.length === 1;
  }

  /** Removes every second factor, for a person who lost the phone and the keys. */
  async removeAll(tx: Queryable, personId: number): Promise<void> {
    await tx`DELETE FROM passkeys WHERE person_id = ${personId}`;
    await this.remove(tx, personId);
  }

  /** Removes the recovery codes of a person without a second factor. */
  async forgetRecoveryCodes(tx: Queryable, personId: number): Promise<void> {
    await tx`
      DELETE FROM recovery_codes WHERE person_id = ${personId} AND NOT EXISTS (
        SELECT FROM people p WHERE p.id = ${personId} AND (p.totp_enabled_at IS NOT NULL OR ${hasPasskey(tx)}))`;
  }

  /** Replaces the recovery codes. Returns the new ones, which cannot be read again. */
  async renewRecoveryCodes(tx: Queryable, personId: number): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const digests = texts(codes.map((code) => recoveryDigest(code).toString('hex')));
    await tx`DELETE FROM recovery_codes WHERE person_id = ${personId}`;
    await tx`
      INSERT INTO recovery_codes (person_id, digest)
      SELECT ${personId}, decode(digest, 'hex') FROM unnest(${digests}::text[]) AS d (digest)`;
    return codes;
  }

  /**
   * Uses a code of the authenticator app or a recovery code. If two requests in any processes use the same code, only
   * one succeeds. Throws Refusal `wrong-code`.
   */
  async use(tx: Queryable, personId: number, code: string): Promise<void> {
    const typed = code.replace(/[\s-]/g, '').toLowerCase();
    const right = /^\d{6}$/.test(typed)
      ? await this.#spendTotp(tx, personId, typed, true)
      : await spendRecoveryCode(tx, personId, typed);
    if (!right) throw wrongCode();
  }

  async #spendTotp(tx: Queryable, personId: number, code: string, enabled: boolean): Promise<boolean> {
    const [row] = await tx<{ totp_secret: Buffer | null; totp_enabled_at: number | null }[]>`
      SELECT totp_secret, totp_enabled_at FROM people WHERE id = ${personId}`;
    if (!row?.totp_secret || (row.totp_enabled_at !== null) !== enabled) {
      // A person who has only a passkey may still type six digits.
      if (enabled) return false;
      throw new Refusal('not-now', 'there is nothing to confirm', undefined, {
        reason: 'nothing-to-confirm',
      });
    }
    const timestamp = this.#clock.now();
    const token = code.replace(/\s/g, '');
    const totp = totpOf(this.#secrets.open(row.totp_secret, PURPOSE, personId), '');
    const delta = totp.validate({ token, timestamp, window: WINDOW });
    if (delta === null) return false;
    const step = totp.counter({ timestamp }) + delta;
    const used = await tx`
      UPDATE people SET totp_step = ${step} WHERE id = ${personId} AND totp_step < ${step} RETURNING id`;
    return used.length === 1;
  }
}

function totpOf(secret: Uint8Array, label: string): TOTP {
  const buffer = new Uint8Array(secret).buffer;
  return new TOTP({ issuer: ISSUER, label, secret: new Secret({ buffer }), period: PERIOD_SECONDS });
}

async function spendRecoveryCode(tx: Queryable, personId: number, code: string): Promise<boolean> {
  const rows = await tx`
    DELETE FROM recovery_codes WHERE person_id = ${personId} AND digest = ${recoveryDigest(code)} RETURNING person_id`;
  return rows.length === 1;
}

/** `k3vd-x7ha-…`: base32, which has no letters that look like digits. */
function newRecoveryCode(): string {
  // Each letter holds 5 bits; the last letter may hold fewer and is left out.
  const buffer = new Uint8Array(randomBytes(Math.ceil((RECOVERY_LETTERS * 5) / 8))).buffer;
  const letters = new Secret({ buffer }).base32.toLowerCase().slice(0, RECOVERY_LETTERS);
  return letters.match(/.{4}/g)!.join('-');
}

const recoveryDigest = (code: string) => createHash('sha256').update(code.replaceAll('-', '')).digest();

const wrongCode = () => new Refusal('wrong-code', 'the code is wrong, or was used already');
