import { randomBytes } from 'node:crypto';
import type { Queryable, Sql } from '../database/connection.ts';
import type { SecretBox } from './secret-box.ts';

/** Bytes of a key: the output size of SHA-256, for HMACs. */
const LENGTH = 32;
const PURPOSE = 'installation_keys.sealed';

/**
 * Returns the key of this installation for one purpose (for example `otp`): 32 random bytes, created at the first use
 * by any process, and stored encrypted in `installation_keys`. Every process gets the same key. Not cached: call it
 * once.
 *
 * @throws database errors, SealedValueError, and an Error if the row holds something other than a key
 */
export async function installationKey(sql: Sql, secrets: SecretBox, purpose: string): Promise<Buffer> {
  await sql`
    INSERT INTO installation_keys (purpose, sealed)
    VALUES (${purpose}, ${secrets.seal(randomBytes(LENGTH), PURPOSE, purpose)})
    ON CONFLICT ON CONSTRAINT installation_keys_pkey DO NOTHING`;
  return (await existingInstallationKey(sql, secrets, purpose))!;
}

/**
 * Returns the existing key of this installation for one purpose, or undefined if none was created yet. Throws as
 * `installationKey` does.
 */
export async function existingInstallationKey(
  sql: Sql,
  secrets: SecretBox,
  purpose: string,
): Promise<Buffer | undefined> {
  const [row] = await sql<{ sealed: Buffer }[]>`
    SELECT sealed FROM installation_keys WHERE purpose = ${purpose}`;
  if (!row) return undefined;
  const key = secrets.open(row.sealed, PURPOSE, purpose);
  if (key.length !== LENGTH) throw new Error(`installation_keys has no usable key for ${purpose}`);
  return key;
}

/** Deletes a key that can no longer be decrypted. The next use creates another one. */
export async function discardInstallationKey(tx: Queryable, purpose: string): Promise<void> {
  await tx`DELETE FROM installation_keys WHERE purpose = ${purpose}`;
}
