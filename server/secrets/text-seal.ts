import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
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
/** Random bytes generated at a time: a call for one nonce takes longer than the encryption of a text. */
const POOL_BYTES = 512 * NONCE_BYTES;
/** Maximum number of account keys in memory; others are derived again, in some microseconds. */
const MAX_KEYS = 50_000;

/** Encrypts and decrypts texts with the key of an installation. */
export class TextSeal {
  readonly #key: Buffer;
  readonly #id: Buffer;
  /** As key objects, because a cipher copies a key from a buffer each time, which takes some microseconds. */
  readonly #keys = new Map<number, KeyObject>();
  readonly #random = Buffer.alloc(POOL_BYTES);
  #randomUsed = POOL_BYTES;

  /** @param key the installation's key for texts */
  constructor(key: Buffer) {
    this.#key = key;
    this.#id = this.#derive('id', ID_BYTES);
  }

  seal(accountId: number, text: string): SealedText {
    const nonce = this.#nonce();
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(accountId), nonce);
    // A copy of each part: a list of them, joined by Buffer.concat, takes twice as long.
    const head = Buffer.allocUnsafe(HEADER_BYTES + NONCE_BYTES);
    this.#id.copy(head);
    head.writeUIntBE(accountId, ID_BYTES, ACCOUNT_BYTES);
    nonce.copy(head, HEADER_BYTES);
    cipher.setAAD(head.subarray(0, HEADER_BYTES));
    const body = cipher.update(text, 'utf8');
    // Returns no bytes in this mode.
    cipher.final();
    const sealed = Buffer.allocUnsafe(head.length + body.length + TAG_BYTES);
    head.copy(sealed);
    body.copy(sealed, head.length);
    cipher.getAuthTag().copy(sealed, head.length + body.length);
    return new SealedText(SEALED + sealed.toString('base64'));
  }

  /** Returns random bytes that were not used before. */
  #nonce(): Buffer {
    if (this.#randomUsed === POOL_BYTES) {
      randomFillSync(this.#random);
      this.#randomUsed = 0;
    }
    const from = this.#randomUsed;
    this.#randomUsed += NONCE_BYTES;
    return this.#random.subarray(from, this.#randomUsed);
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

  #keyOf(accountId: number): KeyObject {
    let key = this.#keys.get(accountId);
    if (key === undefined) {
      key = createSecretKey(this.#derive(`account ${accountId}`, KEY_BYTES));
      if (this.#keys.size >= MAX_KEYS) this.#keys.clear();
      this.#keys.set(accountId, key);
    }
    return key;
  }

  #derive(info: string, length: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', `carillon/texts/${info}`, length));
  }
}
