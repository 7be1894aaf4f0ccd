import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { timeOfId } from '../../kit/ids.ts';

/*
 * Signed tokens identify an email outside of this service: in its return path and Message-ID, and in the addresses of
 * its image and links. The signature prevents forged tokens for emails that the sender does not have. They consist of
 * lower-case letters and digits, because mail servers do not preserve the case of addresses.
 *
 *     7 octets account · 7 octets message · 1 octet purpose · 16 octets of HMAC-SHA-256 Earlier versions wrote 8 octets
 *     of the HMAC. Such tokens are valid only for emails from before the update, and expire with them.
 */
const ID = 7;
const BODY = 2 * ID + 1;
const SIGNATURE = 16;
const EARLIER_SIGNATURE = 8;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const digits = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/** Characters of a token whose signature has this many octets: 5 bits each. */
const lengthWith = (signature: number) => Math.ceil(((BODY + signature) * 8) / 5);
export const TOKEN_LENGTH = lengthWith(SIGNATURE);
const EARLIER_TOKEN_LENGTH = lengthWith(EARLIER_SIGNATURE);
const LETTERS = /^[a-z2-7]+$/;

/** Purposes of tokens, other than links. */
export const tokenFor = { mail: 255, open: 254, reply: 253 } as const;
/** Maximum number of links of an email: the n-th has the token of `n`. */
export const MAX_LINKS = 250;

export interface SignedToken {
  readonly accountId: number;
  readonly messageId: number;
  /** A purpose of `tokenFor`, or the number of a link. */
  readonly what: number;
}

/** Creates and reads signed tokens. `key` is a secret of the installation (secrets/installation-keys.ts). */
export class SignedTokens {
  readonly #key: KeyObject;
  readonly #earlierUntil: number;

  /**
   * `earlierUntil`: emails from before this time, in milliseconds since the epoch, may have tokens of earlier versions.
   */
  constructor(key: Buffer, { earlierUntil = 0 }: { readonly earlierUntil?: number } = {}) {
    // A buffer would be imported for each token, which costs six times as much as the rest.
    this.#key = createSecretKey(key);
    this.#earlierUntil = earlierUntil;
  }

  write({ accountId, messageId, what }: SignedToken): string {
    const octets = Buffer.alloc(BODY + SIGNATURE);
    putId(octets, accountId, 0);
    putId(octets, messageId, ID);
    octets[2 * ID] = what;
    this.#sign(octets, SIGNATURE).copy(octets, BODY);
    return base32(octets);
  }

  /** Reads a token in upper or lower case; undefined for an invalid one. */
  read(text: string): SignedToken | undefined {
    const lower = text.toLowerCase();
    const isEarlier = lower.length === EARLIER_TOKEN_LENGTH;
    if (!(isEarlier || lower.length === TOKEN_LENGTH) || !LETTERS.test(lower)) return undefined;
    const signature = isEarlier ? EARLIER_SIGNATURE : SIGNATURE;
    const octets = fromBase32(lower, BODY + signature);
    // The last letter has unused bits: only one of its spellings is valid.
    if (base32(octets) !== lower) return undefined;
    if (!timingSafeEqual(octets.subarray(BODY), this.#sign(octets, signature))) return undefined;
    const messageId = idAt(octets, ID);
    if (isEarlier && timeOfId(messageId) >= this.#earlierUntil) return undefined;
    return { accountId: idAt(octets, 0), messageId, what: octets[2 * ID]! };
  }

  #sign(octets: Buffer, length: number): Buffer {
    return createHmac('sha256', this.#key).update(octets.subarray(0, BODY)).digest().subarray(0, length);
  }
}

function putId(octets: Buffer, id: number, at: number): void {
  octets.writeUIntBE(Math.floor(id / 2 ** 32), at, 3);
  octets.writeUInt32BE(id % 2 ** 32, at + 3);
}

const idAt = (octets: Buffer, at: number) => octets.readUIntBE(at, 3) * 2 ** 32 + octets.readUInt32BE(at + 3);

function base32(octets: Buffer): string {
  let text = '';
  let rest = 0;
  let bits = 0;
  for (const octet of octets) {
    rest = (rest << 8) | octet;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(rest >> bits) & 31];
    }
    rest &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(rest << (5 - bits)) & 31] : text;
}

function fromBase32(text: string, length: number): Buffer {
  const octets = Buffer.alloc(length);
  let rest = 0;
  let bits = 0;
  let at = 0;
  for (const letter of text) {
    rest = (rest << 5) | digits.get(letter)!;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      if (at < octets.length) octets[at++] = (rest >> bits) & 255;
    }
    rest &= (1 << bits) - 1;
  }
  return octets;
}
