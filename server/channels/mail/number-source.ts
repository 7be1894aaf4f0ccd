import type { Sql } from '../../database/connection.ts';

/** Numbers reserved in the database per block; unused ones are lost when the process ends. */
const BLOCK = 1_000;

/**
 * Generates the numbers of mailing lists, their users and their generations (kind `filling`), unique over all processes
 * and accounts, from 1: the first two billion fit the 32 bits in which callers of the interface store them.
 */
export class NumberSource {
  readonly #sql: Sql;
  readonly #kind: 'list' | 'user' | 'filling';
  #next = 0;
  #end = 0;

  constructor(sql: Sql, kind: 'list' | 'user' | 'filling') {
    this.#sql = sql;
    this.#kind = kind;
  }

  /** Returns `count` increasing numbers. Reserves more in the database if too few are left. */
  async take(count: number): Promise<number[]> {
    if (this.#end - this.#next < count) {
      const more = Math.max(count, BLOCK);
      const [row] = await this.#sql<{ next: number }[]>`
        INSERT INTO mail_numbers AS n (kind, next) VALUES (${this.#kind}, ${more + 1})
        ON CONFLICT ON CONSTRAINT mail_numbers_pkey DO UPDATE SET next = n.next + excluded.next - 1
        RETURNING next`;
      // Another call may have reserved numbers at the same time: each gets its own, and the rest of the last block is
      // kept.
      this.#end = row!.next;
      this.#next = row!.next - more;
    }
    const first = this.#next;
    this.#next += count;
    return Array.from({ length: count }, (_, index) => first + index);
  }
}
