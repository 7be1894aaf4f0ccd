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

/** What a code can be for; one for the one purpose is none for the other. */
type MailCodePurpose = 'remove' | 'confirm';

/** What a code says. No field has a space in it. */
type MailCodeFields = readonly (string | number)[];

/**
 * Codes that say what they are for, so that none has to be stored for each mail of a campaign: encrypted, since addresses
 * stand in them, and not to be made without the key. The construction is SIV's (RFC 5297): the first half is an HMAC of
 * what is said, and the initial vector for the second.
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

  /** The code of what is said: letters, digits, - and _; about 100 of them with an address. */
  encode(purpose: MailCodePurpose, fields: MailCodeFields): string {
    const said = Buffer.from([purpose, ...fields].join(separator));
    const iv = this.#sign(said);
    const cipher = createCipheriv('aes-256-ctr', this.#aes, iv);
    return Buffer.concat([iv, cipher.update(said)]).toString('base64url');
  }

  /** What a code says; undefined for one that is not ours, or for something else. */
  decode(purpose: MailCodePurpose, code: string): string[] | undefined {
    const bytes = Buffer.from(code, 'base64url');
    // Other spellings of the same bytes are refused, so that a code has one.
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
