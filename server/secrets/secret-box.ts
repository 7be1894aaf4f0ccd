import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KEY_ID_BYTES, type KeySource } from './keys.ts';

/*
 * Format of an encrypted value:
 *
 *     1 byte format · 8 bytes key id · 12 bytes nonce · ciphertext · 16 bytes tag
 *
 * AES-256-GCM with the purpose's sub-key. The additional data are format, key id, purpose and row, so that a value
 * cannot be moved to another column or row. Nonces are random: NIST SP 800-38D permits 2^32 values for one sub-key.
 */
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES;

/** Bytes that encryption adds to the plaintext. */
export const SEAL_OVERHEAD = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

/**
 * A value that cannot be decrypted: the key is missing, or the value was changed or moved. The message contains no
 * secret.
 */
export class SealedValueError extends Error {}

/** Encrypts values that must not be stored in plain text. Synchronous, some microseconds for a short value. */
export class SecretBox {
  readonly #source: KeySource;

  constructor(source: KeySource) {
    this.#source = source;
  }

  /** The id of the key that encrypts now. */
  get keyId(): string {
    return this.#source.keys()[0]!.id;
  }

  /** The ids of the keys that decrypt; the first one also encrypts. */
  get keyIds(): string[] {
    return this.#source.keys().map(({ id }) => id);
  }

  /**
   * Encrypts a value for a `bytea` column. `purpose` is a constant that names the column, like `people.totp_secret`,
   * without NUL. `row` names the row, if the caller has its id. Decryption needs the same purpose and row.
   */
  seal(plaintext: string | Uint8Array, purpose: string, row: string | number = ''): Buffer {
    const key = this.#source.keys()[0]!;
    const header = Buffer.concat([Buffer.from([FORMAT]), Buffer.from(key.id, 'hex')]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key.subKey(purpose), nonce);
    cipher.setAAD(additionalData(header, purpose, row));
    const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext;
    return Buffer.concat([header, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts a value of `seal` for the same purpose and row. Throws SealedValueError. */
  open(sealed: Uint8Array, purpose: string, row: string | number = ''): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const id = keyIdOf(bytes);
    if (id === undefined) throw new SealedValueError(`${purpose}: not a sealed value`);
    const key = this.#source.keys().find((known) => known.id === id);
    if (!key)
      throw new SealedValueError(`${purpose}: sealed under the key ${id}, which this process does not have`);
    const header = bytes.subarray(0, HEADER_BYTES);
    const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key.subKey(purpose), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(additionalData(header, purpose, row));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const body = bytes.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]);
    } catch (cause) {
      throw new SealedValueError(`${purpose}: the value was changed, or belongs to another column or row`, {
        cause,
      });
    }
  }

  /** As `open`, as text. */
  openText(sealed: Uint8Array, purpose: string, row: string | number = ''): string {
    return this.open(sealed, purpose, row).toString();
  }
}

/** Returns the id of the key that encrypted a value; undefined for a value that is not encrypted. */
export function keyIdOf(sealed: Uint8Array): string | undefined {
  if (sealed.length < SEAL_OVERHEAD || sealed[0] !== FORMAT) return undefined;
  return Buffer.from(sealed.subarray(1, HEADER_BYTES)).toString('hex');
}

function additionalData(header: Uint8Array, purpose: string, row: string | number): Buffer {
  return Buffer.concat([header, Buffer.from(`${purpose}\0${row}`)]);
}
