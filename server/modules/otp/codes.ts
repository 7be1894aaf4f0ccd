import { createHmac, randomInt } from 'node:crypto';
import type { Sql } from '../../database/connection.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

/** Placeholder of the code in a text (interface, B4). */
export const PLACEHOLDER = '[code]';

/**
 * Returns a new code: six digits, uniform over 100000 to 999999. The first digit is never 0: the interface calls a code
 * an `int`, and programs that parse it as one would lose a leading zero.
 */
export function newCode(): string {
  return String(randomInt(100_000, 1_000_000));
}

/** Maximum validity of a code, in minutes (interface, B4). */
export const MAX_MINUTES = 15;

/** The account, application and phone that a code belongs to. */
export interface CodeOwner {
  readonly accountId: number;
  readonly appId: number;
  /** E.164 digits. */
  readonly phone: string;
}

/** A checked code request. */
export interface CodeRequest extends CodeOwner {
  readonly source: string;
  /** Contains `[code]` in place of the code; undefined: the default text. */
  readonly text: string | undefined;
  /** Number of attempts to verify it. */
  readonly tries: number;
  /** Validity of the code, in minutes. */
  readonly minutes: number;
}

/** Computes the stored digest of a code. */
export type Digest = (owner: CodeOwner, code: string) => Promise<Buffer>;

/**
 * Creates the digest of codes: HMAC-SHA256 over owner and code with a key that this installation generated, so that a
 * copy of the database reveals no code, and a digest is valid for one owner only. The key is read once.
 */
export function createDigest(sql: Sql, secrets: SecretBox): Digest {
  let key: Promise<Buffer> | undefined;
  return async ({ accountId, appId, phone }, code) => {
    key ??= installationKey(sql, secrets, 'otp').catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return createHmac('sha256', await key)
      .update(`${accountId}/${appId}/${phone}/${code}`)
      .digest();
  };
}
