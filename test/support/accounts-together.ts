import type { Sql } from '../../server/database/connection.ts';
import { isDistributed } from '../../server/database/distribution.ts';

/** Ids for accounts whose rows are in one shard, for statements about several accounts; on one PostgreSQL any. */
export async function accountsTogether(sql: Sql, count: number): Promise<[number, ...number[]]> {
  const rows = (await isDistributed(sql))
    ? await sql<{ id: number }[]>`
        SELECT id FROM generate_series(1::bigint, 1000) AS g (id)
        WHERE get_shard_id_for_distribution_column('wallets', id) = get_shard_id_for_distribution_column('wallets', 1::bigint)
        ORDER BY id LIMIT ${count}`
    : await sql<{ id: number }[]>`SELECT id FROM generate_series(1::bigint, ${count}) AS g (id)`;
  return rows.map(({ id }) => id) as [number, ...number[]];
}
