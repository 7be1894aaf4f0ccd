import { inStatements, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { sortInSlices, TimeSlice } from '../../kit/time-slices.ts';
import { ANY_NUMBER, hasPart } from './number-part.ts';
import type { Suppressions } from './suppressions.ts';

const PAGE = 2_000;

export interface BlacklistEntry {
  readonly phone: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface BlacklistDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly events: Events;
  readonly suppressions: Pick<Suppressions, 'remove'>;
}

/** Numbers that an account does not send to. */
export class Blacklist {
  readonly #deps: BlacklistDeps;

  constructor(deps: BlacklistDeps) {
    this.#deps = deps;
  }

  /** Returns those of these numbers (E.164 digits) that are on the list. */
  async has(accountId: number, phones: readonly string[]): Promise<Set<string>> {
    const there = new Set<string>();
    for (const some of inStatements(phones)) {
      const rows = await this.#deps.sql<{ phone: string }[]>`
        SELECT phone FROM blacklist WHERE account_id = ${accountId} AND phone = ANY(${texts(some)}::text[])`;
      for (const { phone } of rows) there.add(phone);
    }
    return there;
  }

  /** Adds numbers. Returns those that were not on the list before and records an event for each. */
  async add(accountId: number, phones: readonly string[]): Promise<string[]> {
    return this.#deps.sql.begin((tx) => this.addWithin(tx, accountId, phones));
  }

  /** As `add`, in the caller's transaction. */
  async addWithin(tx: TransactionSql, accountId: number, phones: readonly string[]): Promise<string[]> {
    const now = this.#deps.clock.now();
    // Sorted, so that two requests that add the same thousands of numbers do not wait for each other.
    const sorted = await sortInSlices(phones);
    const ordered = sorted.filter((phone, index) => phone !== sorted[index - 1]);
    const wanted = this.#deps.events.wants(accountId, 'blacklist.added');
    const added: string[] = [];
    for (const some of inStatements(ordered)) {
      const rows = await tx<{ phone: string }[]>`
        INSERT INTO blacklist (account_id, phone, created_at)
        SELECT w.account_id, u.phone, ${now} FROM wallets w, unnest(${texts(some)}::text[]) AS u (phone)
        WHERE w.account_id = ${accountId}
        ON CONFLICT ON CONSTRAINT blacklist_pkey DO NOTHING
        RETURNING phone`;
      for (const { phone } of rows) added.push(phone);
      if (!wanted || rows.length === 0) continue;
      const happened = rows.map(({ phone }) => ({
        type: 'blacklist.added' as const,
        at: now,
        data: { phone },
      }));
      await this.#deps.events.record(tx, accountId, happened);
    }
    return added;
  }

  /** Removes numbers from the list and stores the reason. Returns those that were on it. */
  async remove(accountId: number, phones: readonly string[], reason: string): Promise<string[]> {
    return this.#deps.sql.begin(async (tx) => {
      const removed: string[] = [];
      for (const some of inStatements(phones)) {
        const rows = await tx<{ phone: string }[]>`
          DELETE FROM blacklist WHERE account_id = ${accountId} AND phone = ANY(${texts(some)}::text[]) RETURNING phone`;
        // After an erasure, only a digest shows that a number was on the list.
        const back = await this.#deps.suppressions.remove(tx, accountId, some);
        const gone = [...new Set([...rows.map(({ phone }) => phone), ...back])];
        if (gone.length === 0) continue;
        await tx`
          INSERT INTO blacklist_removals (account_id, id, phones, reason, at)
          VALUES (${accountId}, ${this.#deps.ids.next()}, ${texts(gone)}::text[], ${reason}, ${this.#deps.clock.now()})`;
        for (const phone of gone) removed.push(phone);
      }
      return removed;
    });
  }

  /**
   * Returns up to `limit` entries, ordered by phone, after `afterPhone` ('' for the first page), filtered by a part of
   * the number.
   */
  async page(
    accountId: number,
    afterPhone: string,
    limit: number,
    part = ANY_NUMBER,
  ): Promise<BlacklistEntry[]> {
    const { sql } = this.#deps;
    const rows = await sql<{ phone: string; created_at: number }[]>`
      SELECT phone, created_at FROM blacklist
      WHERE account_id = ${accountId} AND phone > ${afterPhone} AND ${hasPart(sql, sql`phone`, part)}
      ORDER BY phone LIMIT ${limit}`;
    return rows.map((row) => ({ phone: row.phone, at: row.created_at }));
  }

  /** Yields entries added between two times (milliseconds since the epoch, both inclusive), page by page. */
  async *between(accountId: number, from: number, to: number): AsyncGenerator<BlacklistEntry[]> {
    let after = { at: from, phone: '' };
    for (;;) {
      const rows = await this.#deps.sql<{ phone: string; created_at: number }[]>`
        SELECT phone, created_at FROM blacklist
        WHERE account_id = ${accountId} AND created_at <= ${to} AND (created_at, phone) > (${after.at}, ${after.phone})
        ORDER BY created_at, phone LIMIT ${PAGE}`;
      if (rows.length > 0) yield rows.map((row) => ({ phone: row.phone, at: row.created_at }));
      if (rows.length < PAGE) return;
      const last = rows.at(-1)!;
      after = { at: last.created_at, phone: last.phone };
    }
  }
}

const NOT_A_PHONE = 'too short, too long or not a phone number';

/**
 * Reads phone numbers from callers. Returns the valid ones (E.164 digits, without duplicates) and, for each invalid
 * one, a line with the place and value from `nameOf`. Throws Refusal `bad-blacklist-entry` if none is valid.
 */
export async function readEntries(
  values: readonly (string | undefined)[],
  numbers: Pick<NumberReader, 'parse'>,
  nameOf: (index: number, value: string | undefined) => string,
): Promise<{ digits: string[]; errors: string[] }> {
  const slice = new TimeSlice();
  const digits = new Set<string>();
  const errors: string[] = [];
  let firstBad: string | undefined;
  for (const [index, value] of values.entries()) {
    if (slice.isOver) await slice.rest();
    const number = value === undefined ? null : numbers.parse(value);
    if (number) digits.add(number.digits);
    else {
      const name = nameOf(index, value);
      firstBad ??= name;
      errors.push(`${name}: ${NOT_A_PHONE}`);
    }
  }
  if (digits.size === 0) throw new Refusal('bad-blacklist-entry', NOT_A_PHONE, firstBad);
  return { digits: [...digits], errors };
}
