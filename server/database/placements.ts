import { BatchedLookup } from '../kit/batched-lookup.ts';
import { numbers } from './arrays.ts';
import type { Queryable, Sql } from './connection.ts';
import { FIRST_TABLE } from './define-tables.ts';
import { isDistributed } from './distribution.ts';
import { type Listener, listen } from './listener.ts';
import { ShardNodes } from './shard-nodes.ts';

/*
 * Locations of accounts. A statement may write and lock rows of several accounts if all have the same placement: on a
 * plain PostgreSQL every account has, on a distributed one (Citus) those of a shard
 * (docs/decisions/0004-groups-of-accounts.md).
 */

/** Equal for accounts that may share a statement. */
export type Placement = number;

/** Placement on a PostgreSQL that is not distributed. */
const EVERYWHERE: Placement = 0;
/**
 * Milliseconds after which a placement is queried again, since a shard may be split; the old one is used until the
 * answer.
 */
const KNOWN_MS = 60_000;
const MAX_ACCOUNTS = 50_000;
/** Channel that announces the split or move of a shard. */
const CHANGED = 'carillon_placements';

export interface Placements {
  /**
   * Returns the placement of an account: synchronously on a plain PostgreSQL and from the cache. Rejects with errors of
   * the database.
   */
  of(accountId: number): Placement | Promise<Placement>;
  /**
   * Returns the connection for statements about this account and others of its placement, instead of `sql`: on a
   * distributed PostgreSQL their node, if the placement is cached (shard-nodes.ts). The statements must use only tables
   * by account.
   */
  sqlOf(accountId: number, sql: Sql): Sql;
  /**
   * Returns a connection for statements that search tables by account over all accounts, without locks: on a
   * distributed PostgreSQL it returns the rows of each shard, from all nodes. Undefined when the statement must be sent
   * to `sql`.
   */
  everywhere(): Queryable | undefined;
  stop(): Promise<void>;
}

/** Placements of a plain PostgreSQL. */
export const onePlacement: Placements = {
  of: () => EVERYWHERE,
  sqlOf: (_, sql) => sql,
  everywhere: () => undefined,
  stop: () => Promise.resolve(),
};

/** Announces to all processes that shards were split or moved. Rejects with errors of the database. */
export async function announceMoved(sql: Sql): Promise<void> {
  await sql.notify(CHANGED, '');
}

/** Splits a list by placement. Rejects with errors of the database. */
export async function byPlacement<T>(
  placements: Placements,
  items: readonly T[],
  accountOf: (item: T) => number,
): Promise<T[][]> {
  const parts = new Map<Placement, T[]>();
  for (const item of items) {
    const known = placements.of(accountOf(item));
    const placement = typeof known === 'number' ? known : await known;
    const part = parts.get(placement);
    if (part) part.push(item);
    else parts.set(placement, [item]);
  }
  return [...parts.values()];
}

/**
 * Returns the placements of this database, distributed or not. `pools` are those whose statements may be sent to other
 * nodes. Rejects with errors of the database.
 */
export async function openPlacements(sql: Sql, pools: readonly Sql[] = [sql]): Promise<Placements> {
  if (!(await isDistributed(sql))) return onePlacement;
  const shards = new Shards(sql, new ShardNodes(pools));
  await shards.start();
  return shards;
}

/** The shards of a distributed PostgreSQL, cached in memory. */
class Shards implements Placements {
  readonly #sql: Sql;
  readonly #nodes: ShardNodes;
  readonly #known = new BatchedLookup({
    read: (accountIds: readonly number[]) => this.#read(accountIds),
    cache: { maxAgeMs: KNOWN_MS, max: MAX_ACCOUNTS },
  });
  #listener: Listener | undefined;

  constructor(sql: Sql, nodes: ShardNodes) {
    this.#sql = sql;
    this.#nodes = nodes;
  }

  async start(): Promise<void> {
    const changed = () => {
      this.#known.clear();
      // Statements sent to the wrong node until then are rejected there, and sent to the coordinator.
      this.#nodes.refresh().catch(() => {});
    };
    this.#listener = await listen(this.#sql, { [CHANGED]: changed });
    await this.#nodes.start();
  }

  async stop(): Promise<void> {
    await this.#listener?.stop();
    await this.#nodes.stop();
  }

  everywhere(): Queryable | undefined {
    return this.#nodes.everywhere();
  }

  sqlOf(accountId: number, sql: Sql): Sql {
    const shard = this.#known.peek(accountId)?.value;
    return shard === undefined ? sql : this.#nodes.sqlOf(shard, sql);
  }

  of(accountId: number): Placement | Promise<Placement> {
    const known = this.#known.peek(accountId);
    if (known?.isFresh) return known.value!;
    const shard = this.#known.get(accountId).then((found) => found!);
    if (!known) return shard;
    shard.catch(() => {});
    return known.value!;
  }

  async #read(accountIds: readonly number[]): Promise<Map<number, Placement>> {
    const rows = await this.#sql<{ account_id: number; shard: number }[]>`
      SELECT account_id, get_shard_id_for_distribution_column(${FIRST_TABLE}, account_id) AS shard
      FROM unnest(${numbers(accountIds)}::bigint[]) AS a (account_id)`;
    return new Map(rows.map(({ account_id, shard }) => [account_id, shard]));
  }
}
