import type { Sql } from './connection.ts';
import { FIRST_TABLE } from './define-tables.ts';
import { announceMoved } from './placements.ts';

/* The nodes of a database distributed by Citus, and how its shards are spread over them. */

const DEADLINE_MS = 6 * 3_600_000;
const MAX_ACCOUNTS = 10;

/** A node that has shards. */
interface NodeRow {
  readonly node: string;
  readonly isActive: boolean;
  /** Shard groups: one of each table by account. */
  readonly shards: number;
  readonly bytes: number;
}

/** One of the accounts with the most messages. */
interface AccountRow {
  readonly accountId: number;
  readonly username: string;
  readonly messages: number;
  readonly shard: number;
  readonly node: string;
  /** No other account is in its shard. */
  readonly isIsolated: boolean;
}

export interface NodesReport {
  readonly nodes: NodeRow[];
  /** Of the largest node by bytes, over the mean; 1 is even. */
  readonly skew: number;
  readonly accounts: AccountRow[];
}

/** Nodes with their shards, and the accounts with the most messages that are kept. Throws what the database throws. */
export async function describeNodes(sql: Sql): Promise<NodesReport> {
  const nodes = await sql<NodeRow[]>`
    SELECT n.nodename || ':' || n.nodeport AS node, n.isactive AS "isActive",
      count(DISTINCT s.shardid) FILTER (WHERE s.table_name = ${FIRST_TABLE}::regclass) AS shards,
      coalesce(sum(s.shard_size), 0)::bigint AS bytes
    FROM pg_dist_node n LEFT JOIN citus_shards s ON s.nodename = n.nodename AND s.nodeport = n.nodeport
      AND s.citus_table_type = 'distributed'
    WHERE n.shouldhaveshards GROUP BY 1, 2 ORDER BY 1`;
  const bytes = nodes.map((node) => node.bytes);
  const mean = bytes.reduce((sum, one) => sum + one, 0) / nodes.length;
  return { nodes, skew: mean > 0 ? Math.max(...bytes) / mean : 1, accounts: await biggestAccounts(sql) };
}

async function biggestAccounts(sql: Sql): Promise<AccountRow[]> {
  const biggest = await sql<{ accountId: number; messages: number }[]>`
    SELECT account_id AS "accountId", sum(waiting + handed_over + delivered + read + failed + cancelled)::bigint AS messages
    FROM message_hours GROUP BY account_id ORDER BY messages DESC, account_id LIMIT ${MAX_ACCOUNTS}`;
  const accounts: AccountRow[] = [];
  for (const { accountId, messages } of biggest) {
    const [row] = await sql<Omit<AccountRow, 'accountId' | 'messages'>[]>`
      SELECT a.username, s.shardid AS shard, n.nodename || ':' || n.nodeport AS node,
        s.shardminvalue = s.shardmaxvalue AS "isIsolated"
      FROM accounts a
      JOIN pg_dist_shard s ON s.shardid = get_shard_id_for_distribution_column(${FIRST_TABLE}, ${accountId}::bigint)
      JOIN pg_dist_placement p ON p.shardid = s.shardid
      JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
      WHERE a.id = ${accountId}`;
    if (row) accounts.push({ accountId, messages, ...row });
  }
  return accounts;
}

/**
 * Gives an account a shard of its own; false when it has one. Its writes wait meanwhile. Throws what the database throws.
 */
export async function isolateAccount(
  sql: Sql,
  accountId: number,
  { isDryRun }: { isDryRun: boolean },
): Promise<boolean> {
  const [shard] = await sql<{ isIsolated: boolean }[]>`
    SELECT shardminvalue = shardmaxvalue AS "isIsolated" FROM pg_dist_shard
    WHERE shardid = get_shard_id_for_distribution_column(${FIRST_TABLE}, ${accountId}::bigint)`;
  if (shard!.isIsolated) return false;
  if (isDryRun) return true;
  await sql.begin({ deadlineMs: DEADLINE_MS }, async (tx) => {
    await tx`
      SELECT isolate_tenant_to_new_shard(${FIRST_TABLE}, ${accountId}::bigint, 'CASCADE',
        shard_transfer_mode => 'block_writes')`;
  });
  await announceMoved(sql);
  return true;
}

/** A shard group that is to go to another node. */
interface Move {
  readonly shard: number;
  readonly bytes: number;
  readonly from: string;
  readonly to: string;
}

/** The moves that would spread the shard groups evenly. Throws what the database throws. */
export async function planMoves(sql: Sql): Promise<Move[]> {
  return sql<Move[]>`
    SELECT shardid AS shard, shard_size AS bytes, sourcename || ':' || sourceport AS from, targetname || ':' || targetport AS to
    FROM get_rebalance_table_shards_plan(${FIRST_TABLE}::regclass) WHERE table_name = ${FIRST_TABLE}::regclass`;
}

/** Does those moves; reads and writes go on meanwhile. Needs `wal_level = logical`. Throws what the database throws. */
export async function rebalance(sql: Sql): Promise<void> {
  const connection = await sql.reserve({ deadlineMs: DEADLINE_MS });
  try {
    await connection`SELECT rebalance_table_shards(shard_transfer_mode => 'auto')`;
  } finally {
    connection.release();
  }
  await announceMoved(sql);
}
