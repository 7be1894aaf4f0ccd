import type { Sql } from '../../database/connection.ts';

/** Numbers taken from the database at a time; those that are left when the process ends are never used. */
const BLOCK = 1_000;

/**
 * Hands out the numbers of mailing lists, of their users and of their generations (kind `filling`), each once over all processes and accounts, from
 * 1: the first two thousand million fit the 32 bits that callers of the interface keep them in.
 */
export class MailNumbers {
  readonly #sql: Sql;
  readonly #kind: 'list' | 'user' | 'filling';
  #next = 0;
  #end = 0;

  constructor(sql: Sql, kind: 'list' | 'user' | 'filling') {
    this.#sql = sql;
    this.#kind = kind;
  }

  /** So many numbers that only grow. Asks the database when those at hand are too few. */
  async take(count: number): Promise<number[]> {
    if (this.#end - this.#next < count) {
      const more = Math.max(count, BLOCK);
      const [row] = await this.#sql<{ next: number }[]>`
        INSERT INTO mail_numbers AS n (kind, next) VALUES (${this.#kind}, ${more + 1})
        ON CONFLICT ON CONSTRAINT mail_numbers_pkey DO UPDATE SET next = n.next + excluded.next - 1
        RETURNING next`;
      // Another call may have been waiting for more, too: each has what it asked for, and the last one's rest is kept.
      this.#end = row!.next;
      this.#next = row!.next - more;
    }
    const first = this.#next;
    this.#next += count;
    return Array.from({ length: count }, (_, index) => first + index);
  }
}
