import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { Sql } from '../../database/connection.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

const IV = 16;
const separator = ' ';

/** Purpose of a code. A code for one purpose is invalid for another. */
type MailCodePurpose = 'remove' | 'confirm';

/** Content of a code. Fields must not contain spaces. */
type MailCodeFields = readonly (string | number)[];

/**
 * Self-contained codes, so that none has to be stored for each email of a campaign. They are encrypted, because they
 * contain addresses, and cannot be forged without the key. The construction is that of SIV (RFC 5297): the first half
 * is an HMAC of the content, and the initialization vector for the second.
 */
export class MailCodes {
  readonly #mac: KeyObject;
  readonly #aes: KeyObject;

  private constructor(key: Buffer) {
    const derive = (purpose: string) => createSecretKey(createHmac('sha256', key).update(purpose).digest());
    this.#mac = derive('authenticate');
    this.#aes = derive('encrypt');
  }

  static async open(sql: Sql, secrets: SecretBox): Promise<MailCodes> {
    return new MailCodes(await installationKey(sql, secrets, 'mail-codes'));
  }

  /** Returns the code for a purpose and fields: letters, digits, - and _; about 100 characters with an address. */
  encode(purpose: MailCodePurpose, fields: MailCodeFields): string {
    const said = Buffer.from([purpose, ...fields].join(separator));
    const iv = this.#sign(said);
    const cipher = createCipheriv('aes-256-ctr', this.#aes, iv);
    return Buffer.concat([iv, cipher.update(said)]).toString('base64url');
  }

  /** Returns the content of a code; undefined for an invalid code, or one for another purpose. */
  decode(purpose: MailCodePurpose, code: string): string[] | undefined {
    const bytes = Buffer.from(code, 'base64url');
    // Refuses other spellings of the same bytes, so that a code has a single spelling.
    if (bytes.length <= IV || bytes.toString('base64url') !== code) return undefined;
    const iv = bytes.subarray(0, IV);
    const said = createDecipheriv('aes-256-ctr', this.#aes, iv).update(bytes.subarray(IV));
    if (!timingSafeEqual(this.#sign(said), iv)) return undefined;
    const [first, ...fields] = said.toString().split(separator);
    return first === purpose ? fields : undefined;
  }

  #sign(said: Buffer): Buffer {
    return createHmac('sha256', this.#mac).update(said).digest().subarray(0, IV);
  }
}
