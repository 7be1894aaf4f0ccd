import type { Sql } from './connection.ts';
import { FIRST_TABLE } from './define-tables.ts';
import { announceMoved } from './placements.ts';

/* Nodes of a database distributed by Citus, and the placement of its shards. */

const DEADLINE_MS = 6 * 3_600_000;
const MAX_ACCOUNTS = 10;

/** A node with shards. */
interface NodeRow {
  readonly node: string;
  readonly isActive: boolean;
  /** Number of shard groups; a group has one shard of each table by account. */
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
  /** Whether its shard contains no other account. */
  readonly isIsolated: boolean;
}

export interface NodesReport {
  readonly nodes: NodeRow[];
  /** Size of the largest node divided by the mean; 1 means even. */
  readonly skew: number;
  readonly accounts: AccountRow[];
}

/**
 * Returns the nodes with their shards, and the accounts with the most stored messages. Rejects with errors of the
 * database.
 */
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
 * Moves an account to a separate shard. Returns false when it already has one. Its writes wait during the move. Rejects
 * with errors of the database.
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

/** A shard group to move to another node. */
interface Move {
  readonly shard: number;
  readonly bytes: number;
  readonly from: string;
  readonly to: string;
}

/** Returns the moves that would spread the shard groups evenly. Rejects with errors of the database. */
export async function planMoves(sql: Sql): Promise<Move[]> {
  return sql<Move[]>`
    SELECT shardid AS shard, shard_size AS bytes, sourcename || ':' || sourceport AS from, targetname || ':' || targetport AS to
    FROM get_rebalance_table_shards_plan(${FIRST_TABLE}::regclass) WHERE table_name = ${FIRST_TABLE}::regclass`;
}

/** Makes those moves; reads and writes continue. Needs `wal_level = logical`. Rejects with errors of the database. */
export async function rebalance(sql: Sql): Promise<void> {
  const connection = await sql.reserve({ deadlineMs: DEADLINE_MS });
  try {
    await connection`SELECT rebalance_table_shards(shard_transfer_mode => 'auto')`;
  } finally {
    connection.release();
  }
  await announceMoved(sql);
}
