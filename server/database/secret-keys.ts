import { randomBytes } from 'node:crypto';
import type { Sql } from './connection.ts';

/** Bytes of a key: the output of SHA-256, which its users compute HMACs with. */
const LENGTH = 32;

/**
 * The secret key of this installation for one purpose (`otp`, say): 32 random bytes, made at the first use by
 * whichever process comes first and kept in the table `state`. Every process gets the same. Not cached: ask once.
 *
 * @throws what the database throws, and an Error when the row holds something else than a key
 */
export async function secretKey(sql: Sql, purpose: string): Promise<Buffer> {
  const row = `secret-key.${purpose}`;
  await sql`
    INSERT INTO state (key, value) VALUES (${row}, ${sql.json(randomBytes(LENGTH).toString('base64'))})
    ON CONFLICT ON CONSTRAINT state_pkey DO NOTHING`;
  const [kept] = await sql<{ value: unknown }[]>`SELECT value FROM state WHERE key = ${row}`;
  const key = Buffer.from(typeof kept?.value === 'string' ? kept.value : '', 'base64');
  if (key.length !== LENGTH) throw new Error(`state has no usable key under ${row}`);
  return key;
}
