import { type Cipheriv, createCipheriv } from 'node:crypto';

/*
 * Codes are numbers under a keyed permutation: unique without a query, and without the key a code reveals nothing about
 * any other. The permutation is a Feistel network over 62³ × 62⁴ with ten rounds of AES, after the construction of FF1
 * (NIST SP 800-38G). All numbers of a call share one call of AES per round, so a code costs about a microsecond.
 */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LEFT_LENGTH = 3;
const RIGHT_LENGTH = 4;
const LEFT = 62 ** LEFT_LENGTH;
const RIGHT = 62 ** RIGHT_LENGTH;
const ROUNDS = 10;
const BLOCK = 16;
const TWO_32 = 2 ** 32;

/** Number of characters of a code. */
export const CODE_LENGTH = LEFT_LENGTH + RIGHT_LENGTH;
/** Number of possible codes: 62⁷. */
export const CODES = LEFT * RIGHT;

const codePattern = new RegExp(`^[0-9A-Za-z]{${CODE_LENGTH}}$`);
const digitOf = new Map([...ALPHABET].map((character, digit) => [character, digit]));

/** Converts numbers to codes and back, with one key. */
export class CodeCipher {
  readonly #aes: Cipheriv;

  /** @param key 32 octets */
  constructor(key: Buffer) {
    this.#aes = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  }

  /** Returns the codes of numbers from 0 to 62⁷ − 1. Throws RangeError for other numbers. */
  encode(numbers: readonly number[]): string[] {
    const lefts = new Array<number>(numbers.length);
    const rights = new Array<number>(numbers.length);
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      if (!(number >= 0 && number < CODES))
        throw new RangeError(`${number} has no code of ${CODE_LENGTH} characters`);
      lefts[i] = Math.floor(number / RIGHT);
      rights[i] = number % RIGHT;
    }
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 2 === 0) this.#mix(round, rights, lefts, LEFT, 1);
      else this.#mix(round, lefts, rights, RIGHT, 1);
    }
    return lefts.map((left, i) => digits(left, LEFT_LENGTH) + digits(rights[i]!, RIGHT_LENGTH));
  }

  /** Returns the numbers of codes; undefined for an invalid code. */
  decode(codes: readonly string[]): (number | undefined)[] {
    const read = codes.filter((code) => codePattern.test(code));
    const lefts = read.map((code) => value(code.slice(0, LEFT_LENGTH)));
    const rights = read.map((code) => value(code.slice(LEFT_LENGTH)));
    for (let round = ROUNDS - 1; round >= 0; round--) {
      if (round % 2 === 0) this.#mix(round, rights, lefts, LEFT, -1);
      else this.#mix(round, lefts, rights, RIGHT, -1);
    }
    let next = 0;
    return codes.map((code) => {
      if (!codePattern.test(code)) return undefined;
      const number = lefts[next]! * RIGHT + rights[next]!;
      next++;
      return number;
    });
  }

  /** Adds the AES output for each number in `from` to its counterpart in `changed` (subtracts it with `sign` -1). */
  #mix(round: number, from: readonly number[], changed: number[], modulus: number, sign: 1 | -1): void {
    const blocks = Buffer.alloc(from.length * BLOCK);
    for (let i = 0; i < from.length; i++) {
      blocks.writeUInt32LE(from[i]!, i * BLOCK);
      blocks[i * BLOCK + 4] = round;
    }
    const mixed = this.#aes.update(blocks);
    for (let i = 0; i < from.length; i++) {
      // 48 bits: the modulus favours no value by more than 2⁻²⁴.
      const random = mixed.readUInt32LE(i * BLOCK) + mixed.readUInt16LE(i * BLOCK + 4) * TWO_32;
      const sum = changed[i]! + sign * (random % modulus);
      changed[i] = sum < 0 ? sum + modulus : sum % modulus;
    }
  }
}

function digits(number: number, length: number): string {
  let text = '';
  for (let rest = number, i = 0; i < length; i++, rest = Math.floor(rest / 62))
    text = ALPHABET[rest % 62]! + text;
  return text;
}

function value(text: string): number {
  let number = 0;
  for (const character of text) number = number * 62 + digitOf.get(character)!;
  return number;
}
