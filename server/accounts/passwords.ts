import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane. About 25 ms.
const cost = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };

/** A hash of `password` to keep, in the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce, ...cost });
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

/** Whether `password` is the one that `hash` was made of. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!match) return false;
  const expected = Buffer.from(match[5]!, 'base64');
  const tag = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(match[4]!, 'base64'),
    memory: Number(match[1]),
    passes: Number(match[2]),
    parallelism: Number(match[3]),
    tagLength: expected.length,
  });
  return timingSafeEqual(tag, expected);
}

/**
 * Remembers for a minute that a password was right, under a key of this process, so that a client which signs in
 * with every request does not cost 25 ms each. A changed hash is another entry.
 */
export class PasswordChecks {
  readonly #key = randomBytes(32);
  readonly #right = new Map<string, number>();

  async check(password: string, hash: string): Promise<boolean> {
    const entry = createHmac('sha256', this.#key).update(hash).update('\0').update(password).digest('base64');
    const now = performance.now();
    const until = this.#right.get(entry);
    if (until !== undefined && until > now) return true;
    if (!(await verifyPassword(password, hash))) return false;
    if (this.#right.size > 1_000) this.#right.clear();
    this.#right.set(entry, now + 60_000);
    return true;
  }
}
