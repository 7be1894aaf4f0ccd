import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '../errors.ts';
import { passwordHashes } from './metrics.ts';

const derive = promisify(argon2);

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane. About 25 ms.
const cost = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };

/** Hashes computed at once: half of libuv's four threads, so that files and name look-ups do not wait for passwords. */
const MAX_HASHING = 2;
/** Attempts from unknown places that wait for their turn: about half a second of work. */
const MAX_WAITING_UNKNOWN = 32;
/** Everything that waits: the rest is for sign-ins from known places and for new passwords. */
const MAX_WAITING = 128;

/** Whose turn comes first: `known` for sign-ins from known places and new passwords, `unknown` for everybody else. */
export type HashPriority = 'known' | 'unknown';

const waiting: Record<HashPriority, (() => void)[]> = { known: [], unknown: [] };
let hashing = 0;

/**
 * Throws Refusal `try-again` when too much waits to be hashed for another attempt of this priority. To be asked before an
 * attempt costs anything.
 */
export function checkHashingCapacity(priority: HashPriority): void {
  const all = waiting.known.length + waiting.unknown.length;
  if (priority === 'unknown' ? waiting.unknown.length >= MAX_WAITING_UNKNOWN : all >= MAX_WAITING) {
    throw new Refusal('try-again', 'too many sign-ins at once, try again');
  }
}

/** Runs `work` when it is its turn. Throws Refusal `try-again` when too many wait. */
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
    // The place is handed on, so that nobody who comes in this moment takes it.
    const next = waiting.known.shift() ?? waiting.unknown.shift();
    if (next) next();
    else hashing -= 1;
  }
}

/** A hash of `password` to keep, in the PHC string format. Throws Refusal `try-again` when too many wait for theirs. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await inTurn('known', () => derive('argon2id', { message: password, nonce, ...cost }));
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

/**
 * Whether `password` is the one that `hash` was made of. Throws Refusal `try-again` when too many wait for an answer.
 */
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

/** What the password of somebody unknown, or without one, is compared with: the same work as for everybody else. */
let nobody: Promise<string> | undefined;

/** As `verifyPassword`; null, for nobody or no password, takes as long and is never right. */
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
 * Passwords that were right, for a minute, so that a client which signs in with every request does not cost 25 ms each.
 * Kept by hash and client address under a key of this process: a changed password is another entry, and what a client
 * proved helps nobody at another address.
 */
export class RememberedPasswords {
  readonly #key = randomBytes(32);
  readonly #right = new Map<string, { until: number; secret: Buffer }>();

  /** Whether this password was right from this address within the last minute, and no other one was tried since. */
  has(password: string, hash: string, address: string): boolean {
    const entry = this.#right.get(this.#place(hash, address));
    return (
      entry !== undefined &&
      entry.until > performance.now() &&
      timingSafeEqual(entry.secret, this.#mac(password))
    );
  }

  add(password: string, hash: string, address: string): void {
    if (this.#right.size >= MAX_REMEMBERED) this.#right.clear();
    const until = performance.now() + REMEMBERED_MS;
    this.#right.set(this.#place(hash, address), { until, secret: this.#mac(password) });
  }

  /**
   * To be called when a password is to be checked that `has` does not know: whoever guesses beside a client at the same
   * address has one look, and then everything is counted until that client has signed in again.
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
