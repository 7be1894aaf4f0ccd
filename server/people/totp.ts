import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Clock } from '../clock.ts';
import { texts } from '../database/arrays.ts';
import type { Queryable } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { hasPasskey } from './person.ts';

const ISSUER = 'Carillon';
const PURPOSE = 'people.totp_secret';
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** RFC 6238, 5.2: one step of delay, and one of a clock that is ahead. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** 140 bits (OWASP ASVS 5.0 wants 112 of codes that are kept as plain digests, V6.5.2), in seven groups of four. */
const RECOVERY_LETTERS = 28;

/** What a phone's authenticator is given. */
export interface SecondFactorSecret {
  /** Base32, to be typed. */
  readonly secret: string;
  /** `otpauth://…`, to be shown as a QR code. */
  readonly uri: string;
}

/**
 * Second factors (RFC 6238: SHA-1, six digits, 30 seconds, which is what every authenticator knows) and the recovery
 * codes for who has lost the phone. The clock is the machine's, also in the sandbox: a phone's cannot be moved on.
 */
export class SecondFactors {
  readonly #clock: Clock;
  readonly #secrets: SecretBox;

  constructor(clock: Clock, secrets: SecretBox) {
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /** Makes a secret, which is in force when `confirm` has seen a code of it. Throws Refusal `not-now` when one is. */
  async propose(tx: Queryable, person: { id: number; username: string }): Promise<SecondFactorSecret> {
    const bytes = randomBytes(SECRET_BYTES);
    const rows = await tx`
      UPDATE people SET totp_secret = ${this.#secrets.seal(bytes, PURPOSE, person.id)}, totp_step = 0
      WHERE id = ${person.id} AND totp_enabled_at IS NULL RETURNING id`;
    if (rows.length === 0) throw new Refusal('not-now', 'there is a second factor already');
    const totp = totpOf(bytes, person.username);
    return { secret: totp.secret.base32, uri: totp.toString() };
  }

  /** Puts the secret in force by a code of it; the recovery codes. Throws Refusal `wrong-code`, `not-now`. */
  async confirm(tx: Queryable, personId: number, code: string, now: number): Promise<string[]> {
    if (!(await this.#spendTotp(tx, personId, code, false))) throw wrongCode();
    await tx`UPDATE people SET totp_enabled_at = ${now} WHERE id = ${personId}`;
    return this.renewRecoveryCodes(tx, personId);
  }

  /**
   * Takes the codes of the phone away, and the recovery codes unless they are still for passkeys. False when there were none.
   */
  async remove(tx: Queryable, personId: number): Promise<boolean> {
    const rows = await tx`
      UPDATE people SET totp_secret = NULL, totp_enabled_at = NULL, totp_step = 0
      WHERE id = ${personId} AND totp_secret IS NOT NULL RETURNING id`;
    await this.forgetRecoveryCodes(tx, personId);
    return rows.length === 1;
  }

  /** Takes every second factor away, for who has lost the phone and the keys. */
  async removeAll(tx: Queryable, personId: number): Promise<void> {
    await tx`DELETE FROM passkeys WHERE person_id = ${personId}`;
    await this.remove(tx, personId);
  }

  /** Takes the recovery codes away from a person without a second factor. */
  async forgetRecoveryCodes(tx: Queryable, personId: number): Promise<void> {
    await tx`
      DELETE FROM recovery_codes WHERE person_id = ${personId} AND NOT EXISTS (
        SELECT FROM people p WHERE p.id = ${personId} AND (p.totp_enabled_at IS NOT NULL OR ${hasPasskey(tx)}))`;
  }

  /** New recovery codes in the place of the old ones, the only time that they are seen. */
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
   * Uses a code up, of the phone or a recovery code. Of two that come with the same code at once, to whatever process,
   * one is right. Throws Refusal `wrong-code`.
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
      // Who has a passkey alone may type digits all the same.
      if (enabled) return false;
      throw new Refusal('not-now', 'there is nothing to confirm');
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

/** `k3vd-x7ha-…`: base32, which has no letters that are taken for digits. */
function newRecoveryCode(): string {
  // Each letter has 5 bits; the last one of the bytes may have fewer, and is left out.
  const buffer = new Uint8Array(randomBytes(Math.ceil((RECOVERY_LETTERS * 5) / 8))).buffer;
  const letters = new Secret({ buffer }).base32.toLowerCase().slice(0, RECOVERY_LETTERS);
  return letters.match(/.{4}/g)!.join('-');
}

const recoveryDigest = (code: string) => createHash('sha256').update(code.replaceAll('-', '')).digest();

const wrongCode = () => new Refusal('wrong-code', 'the code is wrong, or was used already');
