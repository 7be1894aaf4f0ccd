import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * Marks name a mail outside of this service: in its return path and Message-ID, in the address of its image and of its
 * links. They are signed, so that nobody can speak for a mail that he does not have; and in lower-case letters and digits
 * alone, since mail servers do not keep the case of addresses.
 *
 *     7 octets account · 7 octets message · 1 octet what for · 8 octets of HMAC-SHA-256
 */
const ID = 7;
const BODY = 2 * ID + 1;
const SIGNATURE = 8;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const digits = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/** Characters of a mark: 5 bits each. */
export const MARK_LENGTH = Math.ceil(((BODY + SIGNATURE) * 8) / 5);
const pattern = new RegExp(`^[a-z2-7]{${MARK_LENGTH}}$`);

/** What a mark that is not of a link is for. */
export const markOf = { mail: 255, open: 254 } as const;
/** Links of a mail, at most: the n-th has the mark of `n`. */
export const LINKS_MOST = 250;

export interface Marked {
  readonly accountId: number;
  readonly messageId: number;
  /** Of `markOf`, or the number of a link. */
  readonly what: number;
}

/** Makes and reads marks. `key` is a secret of the installation (secrets/installation-keys.ts). */
export class Marks {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  write({ accountId, messageId, what }: Marked): string {
    const octets = Buffer.alloc(BODY + SIGNATURE);
    putId(octets, accountId, 0);
    putId(octets, messageId, ID);
    octets[2 * ID] = what;
    this.#sign(octets).copy(octets, BODY);
    return base32(octets);
  }

  /** What a text marks, in either case of letters; undefined when it is no mark of ours. */
  read(text: string): Marked | undefined {
    const lower = text.toLowerCase();
    if (!pattern.test(lower)) return undefined;
    const octets = fromBase32(lower);
    // The last letter has a bit to spare: of its two spellings one is ours.
    if (base32(octets) !== lower) return undefined;
    if (!timingSafeEqual(octets.subarray(BODY), this.#sign(octets))) return undefined;
    return { accountId: idAt(octets, 0), messageId: idAt(octets, ID), what: octets[2 * ID]! };
  }

  #sign(octets: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(octets.subarray(0, BODY)).digest().subarray(0, SIGNATURE);
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

function fromBase32(text: string): Buffer {
  const octets = Buffer.alloc(BODY + SIGNATURE);
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
