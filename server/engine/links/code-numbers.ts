import type { Sql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import { SharedWork } from '../../kit/loop.ts';
import { CODES_A_MONTH, codeFloor } from './code-months.ts';

/** Numbers taken from the database at a time; unused ones are lost at the end of the process. */
const BLOCK = 32_768;

/**
 * Assigns the numbers of codes, each once over all processes. They increase within a month, so that the index of the
 * table of codes grows at one end. Each month has separate numbers, so that its codes can be dropped as a partition.
 */
export class CodeNumbers {
  readonly #sql: Sql;
  readonly #clock: Clock;
  #next = 0;
  #end = 0;
  #floor = -1;
  readonly #refilling = new SharedWork('link codes', () => this.#takeBlock());

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /**
   * Returns `count` numbers. Queries the database once per 32,768 numbers. Throws when those of the month are used up
   * (2³²).
   */
  async take(count: number): Promise<number[]> {
    const taken: number[] = [];
    while (taken.length < count) {
      const floor = codeFloor(this.#clock.now());
      if (this.#next === this.#end || this.#floor !== floor) {
        await this.#refilling.run();
        continue;
      }
      const end = Math.min(this.#end, this.#next + count - taken.length);
      while (this.#next < end) taken.push(this.#next++);
    }
    return taken;
  }

  async #takeBlock(): Promise<void> {
    const floor = codeFloor(this.#clock.now());
    const [row] = await this.#sql<{ next: number }[]>`
      INSERT INTO link_code_numbers AS n (floor, next) VALUES (${floor}, ${BLOCK})
      ON CONFLICT ON CONSTRAINT link_code_numbers_pkey DO UPDATE SET next = n.next + excluded.next
      RETURNING next`;
    if (row!.next > CODES_A_MONTH) throw new Error('the codes of this month are used up');
    this.#floor = floor;
    this.#end = floor + row!.next;
    this.#next = this.#end - BLOCK;
  }
}
