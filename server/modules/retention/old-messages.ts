import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import type { Tables } from '../../database/define-tables.ts';
import { hourFloor, hourOf } from '../../engine/messages/hours.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { Span } from './spans.ts';
import { isOver } from './texts.ts';

const BATCH = 1_000;
const HOURS_A_WINDOW = 24;

interface Deps {
  readonly sql: Sql;
  readonly tables: Pick<Tables, 'ofShipments'>;
  /** Called with the number of deleted rows after each statement. */
  readonly removed: (count: number) => void;
  readonly isStopping: () => boolean;
}

/**
 * Deletes the messages of an account with ids in a span, then shipments without messages and their related rows.
 *
 * While a message waits, or its receipt may still arrive, all messages of its shipment and of its hour stay: the counts of
 * both are computed from the messages and would be wrong. Hourly statistics and the ledger stay.
 */
export async function deleteMessages(deps: Deps, span: Span, now: number): Promise<void> {
  const { sql, isStopping } = deps;
  const { accountId, before } = span;
  for (let from = span.from; !isStopping(); ) {
    const [first] = await sql<{ id: number }[]>`
      SELECT id FROM messages WHERE account_id = ${accountId} AND id >= ${from} AND id < ${before} ORDER BY id LIMIT 1`;
    if (!first) break;
    const end = Math.min(before, hourFloor(hourOf(timeOfId(first.id)) + HOURS_A_WINDOW));
    await deleteWindow(deps, { accountId, from: first.id, before: end }, now);
    from = end;
  }
  await deleteShipments(deps, span);
}

async function deleteWindow(
  { sql, removed, isStopping }: Deps,
  { accountId, from, before }: Span,
  now: number,
): Promise<void> {
  const open = await sql<{ id: number; shipment_id: number }[]>`
    SELECT id, shipment_id FROM messages m
    WHERE account_id = ${accountId} AND id >= ${from} AND id < ${before} AND NOT ${isOver(sql, now)}`;
  const shipments = numbers([...new Set(open.map((row) => row.shipment_id))]);
  const hours = [...new Set(open.map(({ id }) => hourOf(timeOfId(id))))];
  const firsts = numbers(hours.map((hour) => hourFloor(hour)));
  const ends = numbers(hours.map((hour) => hourFloor(hour + 1)));
  for (let count = BATCH; count === BATCH && !isStopping(); ) {
    const deleted = await sql`
      DELETE FROM messages
      WHERE account_id = ${accountId} AND id >= ${from} AND id < ${before} AND id = ANY(ARRAY(
        SELECT id FROM messages
        WHERE account_id = ${accountId} AND id >= ${from} AND id < ${before}
          AND shipment_id <> ALL(${shipments}::bigint[])
          AND NOT EXISTS (
            SELECT FROM unnest(${firsts}::bigint[], ${ends}::bigint[]) AS h (first_id, end_id)
            WHERE id >= h.first_id AND id < h.end_id)
        ORDER BY id LIMIT ${BATCH}))`;
    count = deleted.count;
    removed(count);
  }
}

async function deleteShipments({ sql, tables, removed, isStopping }: Deps, span: Span): Promise<void> {
  const { accountId, from, before } = span;
  for (let after = from - 1, count = BATCH; count === BATCH && !isStopping(); ) {
    const rows = await sql<{ id: number; isEmpty: boolean }[]>`
      SELECT id, NOT EXISTS (
          SELECT FROM messages m WHERE m.account_id = ${accountId} AND m.id >= s.first_id AND m.id <= s.last_id
            AND m.shipment_id = s.id
        ) AND NOT EXISTS (
          SELECT FROM campaigns c WHERE c.account_id = ${accountId} AND c.id = s.id AND c.finished_at IS NULL
        ) AS "isEmpty"
      FROM shipments s WHERE account_id = ${accountId} AND id > ${after} AND id < ${before} ORDER BY id LIMIT ${BATCH}`;
    count = rows.length;
    after = rows.at(-1)?.id ?? after;
    const ids = numbers(rows.flatMap((row) => (row.isEmpty ? [row.id] : [])));
    if (ids === '{}') continue;
    for (const { table, manyBy } of tables.ofShipments) {
      if (manyBy !== undefined)
        await deleteMany({ sql, tables, removed, isStopping }, accountId, { table, key: manyBy }, ids);
    }
    removed(
      await sql.begin(async (tx) => {
        let deleted = 0;
        for (const { table, column, manyBy } of tables.ofShipments) {
          if (manyBy !== undefined) continue;
          const { count: some } = await tx`
            DELETE FROM ${tx(table)} WHERE account_id = ${accountId} AND ${tx(column)} = ANY(${ids}::bigint[])`;
          deleted += some;
        }
        return deleted;
      }),
    );
  }
}

/** Deletes rows of shipments in statements of 1,000. */
async function deleteMany(
  { sql, removed, isStopping }: Deps,
  accountId: number,
  { table, key: by }: { readonly table: string; readonly key: string },
  ids: string,
): Promise<void> {
  const key = sql`${sql(by)}`;
  for (let count = BATCH; count === BATCH && !isStopping(); ) {
    const rows = await sql<{ key: number }[]>`
      SELECT ${key} AS key FROM ${sql(table)}
      WHERE account_id = ${accountId} AND shipment_id = ANY(${ids}::bigint[]) ORDER BY 1 LIMIT ${BATCH}`;
    count = rows.length;
    if (count === 0) return;
    const { count: deleted } = await sql`
      DELETE FROM ${sql(table)} WHERE account_id = ${accountId} AND ${key} = ANY(${numbers(rows.map((row) => row.key))}::bigint[])`;
    removed(deleted);
  }
}
