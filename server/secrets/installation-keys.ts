import { randomBytes } from 'node:crypto';
import type { Queryable, Sql } from '../database/connection.ts';
import type { SecretBox } from './secret-box.ts';

/** Bytes of a key: the output of SHA-256, which its users compute HMACs with. */
const LENGTH = 32;
const PURPOSE = 'installation_keys.sealed';

/**
 * The key of this installation for one purpose (`otp`, say): 32 random bytes, made at the first use by whichever process
 * comes first, and kept sealed in `installation_keys`. Every process gets the same. Not cached: ask once.
 *
 * @throws what the database throws, SealedValueError, and an Error when the row holds something else than a key
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

/** Takes away a key that cannot be opened any more: the next use makes another one. */
export async function discardInstallationKey(tx: Queryable, purpose: string): Promise<void> {
  await tx`DELETE FROM installation_keys WHERE purpose = ${purpose}`;
}
