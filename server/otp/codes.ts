import { createHmac, randomInt } from 'node:crypto';
import type { Sql } from '../database/connection.ts';
import { installationKey } from '../secrets/installation-keys.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/** Where the code goes in a text (interface, B4). */
export const PLACEHOLDER = '[code]';

/**
 * A new code: six digits, uniform over 100000 to 999999. The first is never 0, since the interface calls a code an
 * `int` and programs that take it for one would lose it.
 */
export function newCode(): string {
  return String(randomInt(100_000, 1_000_000));
}

/** How long a code may be good for, in minutes (interface, B4). */
export const MAX_MINUTES = 15;

/** What a code was made for. */
export interface CodeOwner {
  readonly accountId: number;
  readonly appId: number;
  /** E.164 digits. */
  readonly phone: string;
}

/** A code that is asked for, checked by its API. */
export interface CodeRequest extends CodeOwner {
  readonly source: string;
  /** With `[code]` where the code goes; undefined: the default. */
  readonly text: string | undefined;
  /** How often it may be guessed at. */
  readonly tries: number;
  /** How long it is good for. */
  readonly minutes: number;
}

/** Gives the digest under which a code is kept. */
export type Digest = (owner: CodeOwner, code: string) => Promise<Buffer>;

/**
 * Digests of codes: HMAC-SHA256 over owner and code with a key that this installation made for itself, so that a copy
 * of the database tells no code, and one owner's digest fits no other's. The key is read once.
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
