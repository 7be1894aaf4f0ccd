import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { SEALED, SealedText } from '../database/sealed-text.ts';

/*
 * Texts of messages, encrypted for accounts that want it (docs/data.md, "Texts"). After SEALED comes base64 of
 *
 *     4 bytes key id · 6 bytes account · 12 bytes nonce · ciphertext · 16 bytes tag
 *
 * AES-256-GCM with a key of the account, derived (HKDF-SHA256, RFC 5869) from the installation's key for texts, which
 * is itself encrypted with SECRET_KEY (installation-keys.ts): a rotation of SECRET_KEY encrypts only that row again.
 * The account is authenticated, so that a text decrypts for no other one. Nonces are random: up to 2^32 texts of an
 * account (NIST SP 800-38D).
 */
const ID_BYTES = 4;
const ACCOUNT_BYTES = 6;
const HEADER_BYTES = ID_BYTES + ACCOUNT_BYTES;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** Maximum number of account keys in memory; others are derived again, in some microseconds. */
const MAX_KEYS = 50_000;

/** Encrypts and decrypts texts with the key of an installation. */
export class TextSeal {
  readonly #key: Buffer;
  readonly #id: Buffer;
  readonly #keys = new Map<number, Buffer>();

  /** @param key the installation's key for texts */
  constructor(key: Buffer) {
    this.#key = key;
    this.#id = this.#derive('id', ID_BYTES);
  }

  seal(accountId: number, text: string): SealedText {
    const header = Buffer.allocUnsafe(HEADER_BYTES);
    this.#id.copy(header);
    header.writeUIntBE(accountId, ID_BYTES, ACCOUNT_BYTES);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(accountId), nonce);
    cipher.setAAD(header);
    const sealed = [header, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return new SealedText(SEALED + Buffer.concat(sealed).toString('base64'));
  }

  /** Decrypts the base64 after SEALED; undefined if it was encrypted with another key, or changed. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < HEADER_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
    if (bytes.compare(this.#id, 0, ID_BYTES, 0, ID_BYTES) !== 0) return undefined;
    const header = bytes.subarray(0, HEADER_BYTES);
    const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
    const key = this.#keyOf(header.readUIntBE(ID_BYTES, ACCOUNT_BYTES));
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(header);
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const body = bytes.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }

  #keyOf(accountId: number): Buffer {
    let key = this.#keys.get(accountId);
    if (key === undefined) {
      key = this.#derive(`account ${accountId}`, KEY_BYTES);
      if (this.#keys.size >= MAX_KEYS) this.#keys.clear();
      this.#keys.set(accountId, key);
    }
    return key;
  }

  #derive(info: string, length: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', `carillon/texts/${info}`, length));
  }
}
