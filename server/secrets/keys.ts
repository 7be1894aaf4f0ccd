import { hkdfSync } from 'node:crypto';
import { KEY_BYTES, readKeyText } from '../text/key-text.ts';

/** Bytes of a key's id in a sealed value. */
export const KEY_ID_BYTES = 8;

/** A master key. Nothing is encrypted with it: every purpose has a sub-key of it. */
export interface MasterKey {
  /** 16 hexadecimal digits that name the key and tell nothing of it: safe in logs and in the database. */
  readonly id: string;
  /** The key that this purpose seals with; 32 bytes (HKDF-SHA256, RFC 5869). */
  subKey(purpose: string): Buffer;
}

/** The master keys of a process: the first one seals, every one opens. Never empty. */
export interface KeySource {
  /** Called for each value that is sealed or opened, so it answers from memory. */
  keys(): readonly MasterKey[];
}

/** Makes a master key of its bytes, at least 32 of them. */
function masterKey(material: Uint8Array): MasterKey {
  const derive = (info: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, '', `carillon/v1/${info}`, length));
  const subKeys = new Map<string, Buffer>();
  return {
    id: derive('key-id', KEY_ID_BYTES).toString('hex'),
    subKey(purpose) {
      let key = subKeys.get(purpose);
      if (key === undefined) {
        key = derive(`seal/${purpose}`, KEY_BYTES);
        subKeys.set(purpose, key);
      }
      return key;
    },
  };
}

/** Master keys of texts that `readKeyText` takes, each once, in their order. */
export function masterKeys(texts: readonly string[]): MasterKey[] {
  const keys = texts.map((text) => masterKey(readKeyText(text)!));
  return keys.filter(({ id }, index) => keys.findIndex((other) => other.id === id) === index);
}
