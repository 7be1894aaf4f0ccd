import { accountsOf, numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { byPlacement, type Placements } from '../../database/placements.ts';

/** Range of ids of an account's rows: `from` inclusive, `before` exclusive. */
export interface Span {
  readonly accountId: number;
  readonly from: number;
  readonly before: number;
}

/** Accounts in one statement. */
const ACCOUNTS_A_LOOK = 500;

/**
 * Returns the spans that have a row in a table by account: one primary key lookup for each account, and one statement for
 * 500 accounts of a placement.
 */
export async function withRows(
  { sql, placements }: { readonly sql: Sql; readonly placements: Placements },
  { table, key }: { readonly table: string; readonly key: string },
  spans: readonly Span[],
): Promise<Span[]> {
  const found: Span[] = [];
  for (const placed of await byPlacement(placements, spans, ({ accountId }) => accountId)) {
    for (let start = 0; start < placed.length; start += ACCOUNTS_A_LOOK) {
      const some = placed.slice(start, start + ACCOUNTS_A_LOOK);
      const rows = await sql<{ account_id: number }[]>`
        SELECT u.account_id FROM unnest(
          ${numbers(some.map(({ accountId }) => accountId))}::bigint[],
          ${numbers(some.map(({ from }) => from))}::bigint[], ${numbers(some.map(({ before }) => before))}::bigint[]
        ) AS u (account_id, first_id, before_id), LATERAL (
          SELECT account_id FROM ${sql(table)} t
          WHERE t.account_id = u.account_id AND t.account_id = ANY(${accountsOf(some)}::bigint[])
            AND t.${sql(key)} >= u.first_id AND t.${sql(key)} < u.before_id
          LIMIT 1 OFFSET 0
        ) t`;
      const accounts = new Set(rows.map((row) => row.account_id));
      found.push(...some.filter(({ accountId }) => accounts.has(accountId)));
    }
  }
  return found;
}
