import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { KEY_BYTES, readKeyText } from '../kit/text/key-text.ts';

/** Bytes of a key id in an encrypted value. */
export const KEY_ID_BYTES = 8;

/** A master key. It encrypts nothing itself: each purpose has a sub-key. */
export interface MasterKey {
  /** 16 hexadecimal digits that identify the key without revealing it: safe in logs and in the database. */
  readonly id: string;
  /** Returns the 32-byte key for a purpose (HKDF-SHA256, RFC 5869). A cipher copies a key from a buffer each time. */
  subKey(purpose: string): KeyObject;
}

/** The master keys of a process. The first one encrypts, all of them decrypt. Never empty. */
export interface KeySource {
  /** Called for each encryption and decryption, so it answers from memory. */
  keys(): readonly MasterKey[];
}

/** Creates a master key from at least 32 bytes. */
function masterKey(material: Uint8Array): MasterKey {
  const derive = (info: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, '', `carillon/v1/${info}`, length));
  const subKeys = new Map<string, KeyObject>();
  return {
    id: derive('key-id', KEY_ID_BYTES).toString('hex'),
    subKey(purpose) {
      let key = subKeys.get(purpose);
      if (key === undefined) {
        key = createSecretKey(derive(`seal/${purpose}`, KEY_BYTES));
        subKeys.set(purpose, key);
      }
      return key;
    },
  };
}

/** Returns the master keys of texts that `readKeyText` accepts, without duplicates, in their order. */
export function masterKeys(texts: readonly string[]): MasterKey[] {
  const keys = texts.map((text) => masterKey(readKeyText(text)!));
  return keys.filter(({ id }, index) => keys.findIndex((other) => other.id === id) === index);
}
