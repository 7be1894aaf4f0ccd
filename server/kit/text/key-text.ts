import { randomBytes } from 'node:crypto';

/** Bytes of a generated key; SECRET_KEY may have more. */
export const KEY_BYTES = 32;

/** Creates a new master key in the form of SECRET_KEY and the key file. */
export function newKeyText(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** Parses a key in base64 or base64url; undefined for an invalid key, or one of less than 32 bytes. */
export function readKeyText(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length >= KEY_BYTES ? bytes : undefined;
}
