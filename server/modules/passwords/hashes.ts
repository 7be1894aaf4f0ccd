import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../kit/errors.ts';
import { passwordHashes } from './metrics.ts';

const derive = promisify(argon2);

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane. About 25 ms.
const cost = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };

/** Maximum parallel hashes: half of libuv's four threads, so that files and name look-ups do not wait for passwords. */
const MAX_HASHING = 2;
/** Maximum waiting attempts from unknown places: about half a second of work. */
const MAX_WAITING_UNKNOWN = 32;
/** Maximum waiting attempts in total: the rest is for sign-ins from known places and for new passwords. */
const MAX_WAITING = 128;

/** Order of hashing: `known`, for sign-ins from known places and new passwords, comes before `unknown`. */
export type HashPriority = 'known' | 'unknown';

const waiting: Record<HashPriority, (() => void)[]> = { known: [], unknown: [] };
let hashing = 0;

/**
 * Throws Refusal `try-again` if the queue is too long for another attempt of this priority. Call it before an attempt
 * has any cost.
 */
export function checkHashingCapacity(priority: HashPriority): void {
  const all = waiting.known.length + waiting.unknown.length;
  if (priority === 'unknown' ? waiting.unknown.length >= MAX_WAITING_UNKNOWN : all >= MAX_WAITING) {
    throw new Refusal('try-again', 'too many sign-ins at once, try again');
  }
}

/** Runs `work` in turn. Throws Refusal `try-again` if the queue is too long. */
async function inTurn<T>(priority: HashPriority, work: () => Promise<T>): Promise<T> {
  if (hashing >= MAX_HASHING) {
    checkHashingCapacity(priority);
    await new Promise<void>((resolve) => waiting[priority].push(resolve));
  } else {
    hashing += 1;
  }
  try {
    passwordHashes.inc();
    return await work();
  } finally {
    // Passes the slot directly to the next waiting attempt, so that a newcomer cannot take it.
    const next = waiting.known.shift() ?? waiting.unknown.shift();
    if (next) next();
    else hashing -= 1;
  }
}

/**
 * Returns a hash of `password` to store, in the PHC string format. Throws Refusal `try-again` if the queue is too long.
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await inTurn('known', () => derive('argon2id', { message: password, nonce, ...cost }));
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

/** Whether `password` matches `hash`. Throws Refusal `try-again` if the queue is too long. */
export async function verifyPassword(
  password: string,
  hash: string,
  priority: HashPriority = 'known',
): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!match) return false;
  const expected = Buffer.from(match[5]!, 'base64');
  const tag = await inTurn(priority, () =>
    derive('argon2id', {
      message: password,
      nonce: Buffer.from(match[4]!, 'base64'),
      memory: Number(match[1]),
      passes: Number(match[2]),
      parallelism: Number(match[3]),
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(tag, expected);
}

/** Hash for unknown names and for people without a password, so that they cost the same work. */
let nobody: Promise<string> | undefined;

/** As `verifyPassword`; null (an unknown name or no password) takes as long and never matches. */
export async function verifyPasswordOf(
  hash: string | null,
  password: string,
  priority: HashPriority,
): Promise<boolean> {
  nobody ??= hashPassword(randomBytes(16).toString('base64'));
  const right = await verifyPassword(password, hash ?? (await nobody), priority);
  return right && hash !== null;
}

const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/**
 * Right passwords, kept for a minute, so that a client that signs in with every request does not cost 25 ms each time.
 * Keyed by hash and client address, and stored under a key of this process: a changed password is another entry, and a
 * success at one address does not help at another.
 */
export class RememberedPasswords {
  readonly #key = randomBytes(32);
  readonly #right = new LRUCache<string, Buffer>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });

  /**
   * Whether this password was right from this address within the last minute, and no other password was tried since
   * then.
   */
  has(password: string, hash: string, address: string): boolean {
    const secret = this.#right.get(this.#place(hash, address));
    return secret !== undefined && timingSafeEqual(secret, this.#mac(password));
  }

  add(password: string, hash: string, address: string): void {
    this.#right.set(this.#place(hash, address), this.#mac(password));
  }

  /**
   * Call this before checking a password that `has` does not know. An attacker at the same address as a client gets one
   * free attempt; then all attempts are counted until that client has signed in again.
   */
  forget(hash: string, address: string): void {
    this.#right.delete(this.#place(hash, address));
  }

  #place(hash: string, address: string): string {
    return `${hash} ${address}`;
  }

  #mac(password: string): Buffer {
    return createHmac('sha256', this.#key).update(password).digest();
  }
}
