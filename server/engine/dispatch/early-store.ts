import { numbers } from '../../database/arrays.ts';
import type { Row, Sql } from '../../database/connection.ts';
import { harmlessText } from '../../database/sealed-text.ts';
import type { Clock } from '../../kit/clock.ts';

/** Maximum reports of one look-up. */
const GROUP = 500;
/** Milliseconds after which reports are looked up again if the process that claimed them does not end its look-up. */
const CLAIM_MS = 60_000;

interface EarlyStoreOptions {
  readonly sql: Sql;
  readonly clock: Clock;
  /** A table with the columns `id`, `next_at` and `attempt`, and those of the report. */
  readonly table: string;
  /** First column of its key; `id` is the second one. */
  readonly owner: string;
  /** Milliseconds before each look-up. After the last one a report is dropped. */
  readonly pauses: readonly number[];
}

/** A stored report: its key and content. */
interface EarlyRow extends Row {
  readonly id: number;
}

/**
 * Reports about messages that are unknown when the report arrives, because the answer to their submission is not stored
 * yet. They are stored and looked up again with growing pauses.
 */
export class EarlyStore<T extends EarlyRow> {
  readonly #options: EarlyStoreOptions;

  constructor(options: EarlyStoreOptions) {
    this.#options = options;
  }

  /** Stores reports for the first look-up. */
  async keep(reports: readonly T[]): Promise<void> {
    if (reports.length === 0) return;
    const { sql, clock, table, pauses } = this.#options;
    const next = { next_at: clock.now() + pauses[0]!, attempt: 0 };
    const rows = reports.map((report) => ({ ...harmless(report), ...next }));
    const columns = sql(Object.keys(rows[0]!));
    await sql`
      INSERT INTO ${sql(table)} (${columns})
      SELECT ${columns} FROM jsonb_populate_recordset(NULL::${sql(table)}, ${sql.json(rows)})`;
  }

  /**
   * Looks the due reports up again, oldest first. `look` stores the reports of known messages with them, and returns
   * for each report whether its message is known. Returns the reports that are dropped after their last look-up.
   */
  async retry(look: (reports: readonly T[]) => Promise<readonly boolean[]>): Promise<readonly T[]> {
    const { sql, clock, table, owner, pauses } = this.#options;
    const now = clock.now();
    const key = sql([owner, 'id']);
    const claimed = await sql<(T & { attempt: number })[]>`
      UPDATE ${sql(table)} SET next_at = ${now + CLAIM_MS}
      WHERE (${key}) IN (
        SELECT ${key} FROM ${sql(table)} WHERE next_at <= ${now} ORDER BY next_at LIMIT ${GROUP} FOR UPDATE SKIP LOCKED)
      RETURNING *`;
    if (claimed.length === 0) return [];
    const reports = claimed.toSorted((a, b) => a.id - b.id);
    const found = await look(reports);
    const unknown = reports.filter((_, index) => !found[index]);
    const isLast = ({ attempt }: { attempt: number }) => attempt + 1 >= pauses.length;
    const [lost, later] = [unknown.filter(isLast), unknown.filter((report) => !isLast(report))];
    await this.remove([...reports.filter((_, index) => found[index]), ...lost]);
    for (const [attempt, group] of Map.groupBy(later, (report) => report.attempt)) {
      await sql`
        UPDATE ${sql(table)} SET next_at = ${now + pauses[attempt + 1]!}, attempt = ${attempt + 1}
        WHERE ${this.#among(group)}`;
    }
    return lost;
  }

  /** Deletes reports. */
  async remove(reports: readonly T[]): Promise<void> {
    if (reports.length === 0) return;
    const { sql, table } = this.#options;
    await sql`DELETE FROM ${sql(table)} WHERE ${this.#among(reports)}`;
  }

  #among(reports: readonly T[]) {
    const { sql, owner } = this.#options;
    const owners = [...new Set(reports.map((report) => report[owner] as string | number))];
    return sql`${sql(owner)} IN ${sql(owners)} AND id = ANY(${numbers(reports.map(({ id }) => id))}::bigint[])`;
  }
}

const harmless = (report: Row): Row =>
  Object.fromEntries(
    Object.entries(report).map(([column, value]) => [
      column,
      typeof value === 'string' ? harmlessText(value) : value,
    ]),
  );
