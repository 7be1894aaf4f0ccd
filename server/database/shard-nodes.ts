import {
  connect,
  type DatabaseTarget,
  onAll,
  onShard,
  PostgresError,
  type Queryable,
  type Sql,
} from './connection.ts';
import { FIRST_TABLE } from './define-tables.ts';
import type { ShardStatements } from './sql.ts';
import { type Statement, textStatement } from './statement.ts';

/*
 * Sends statements about accounts of one shard directly to its node, past the coordinator
 * (docs/decisions/0006-rounds-by-shard.md). They name the tables of the shard itself, so that the node plans and runs
 * them like any other PostgreSQL. `carillon_hold_shard` keeps the shard on the node during the statement, with the lock
 * that Citus itself takes for a write.
 */

/** Milliseconds between two attempts to reach unavailable nodes. */
const PROBE_MS = 5_000;

/** SQLSTATE of `carillon_hold_shard` when another node has the shard. */
const ELSEWHERE = 'SHARD';

/** The function that `carillon database distribute` creates on every node. */
export const HOLD_FUNCTION = `
  CREATE OR REPLACE FUNCTION carillon_hold_shard(shard bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    -- A share lock: what moves or splits the shard waits for it, and was waited for.
    PERFORM lock_shard_metadata(5, ARRAY[shard]);
    IF NOT EXISTS (SELECT FROM pg_dist_placement
        WHERE shardid = shard AND groupid = (SELECT groupid FROM pg_dist_local_group)) THEN
      RAISE EXCEPTION 'shard % is not on this node', shard USING ERRCODE = '${ELSEWHERE}';
    END IF;
  END $$`;

/**
 * A table with the beginning of its alias (SQL keywords are always in capitals, so a following lower-case word is one),
 * or a constraint of the table in an INSERT.
 */
const NAME = /\b(FROM|JOIN|INTO|UPDATE|USING|ON CONSTRAINT)(\s+)([a-z_]+)\b(\s+(?:AS\b|[a-z]))?/g;

/** Errors after which a statement is sent to the coordinator instead: the shard, or its tables, are on another node. */
const movedCodes = new Set([ELSEWHERE, '42P01']);

/** The tables of a shard, and their node. */
interface Group {
  readonly node: string;
  /** The names of its tables. */
  readonly tables: string;
  readonly statements: ShardStatements;
}

/** A node, by `host:port`, and its connection pools, keyed by the coordinator's pool that each replaces. */
interface Node {
  readonly host: string;
  readonly port: number;
  readonly pools: Map<Sql, Sql>;
  isUp: boolean;
}

interface ShardRow {
  readonly name: string;
  readonly shard: number;
  /** Equal for colocated shards of all tables. */
  readonly together: string;
  readonly host: string;
  readonly port: number;
}

/** The nodes of a distributed PostgreSQL, with connections to each. */
export class ShardNodes {
  readonly #coordinators: readonly Sql[];
  readonly #nodes = new Map<string, Node>();
  #groups = new Map<number, Group>();
  /** Connections by the coordinator's pool, and the shard. */
  #made = new Map<Sql, Map<number, Sql>>();
  /** Statements with the tables of all shards of a node. */
  #unions = new WeakMap<Statement['shape'], Map<string, Statement['shape']>>();
  #refreshing: Promise<void> | undefined;
  #probe: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param coordinators the pools whose statements may be sent to the nodes */
  constructor(coordinators: readonly Sql[]) {
    this.#coordinators = coordinators;
  }

  /** Looks up shards and nodes. Rejects with errors of the database; unreachable nodes are tried repeatedly. */
  async start(): Promise<void> {
    await this.refresh();
    await this.#tryNodes();
    this.#probe = setInterval(() => void this.#tryNodes(), PROBE_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#probe);
    await this.#refreshing?.catch(() => {});
    await Promise.all([...this.#nodes.values()].map(closeNode));
  }

  /**
   * Returns the connection for statements about accounts of a shard, instead of `sql`: its node, or `sql` itself when
   * the node is unknown or was just unreachable. Such statements must use only tables by account.
   */
  sqlOf(shard: number, sql: Sql): Sql {
    const group = this.#groups.get(shard);
    const node = group && this.#nodes.get(group.node);
    const pool = node?.pools.get(sql);
    if (!group || !node?.isUp || !pool) return sql;
    let made = this.#made.get(sql);
    if (!made) {
      made = new Map();
      this.#made.set(sql, made);
    }
    let known = made.get(shard);
    if (!known) {
      known = onShard(pool, sql, group.statements, (error) => this.#instead(node, error));
      made.set(shard, known);
    }
    return known;
  }

  /**
   * Returns a connection for statements that each shard answers separately: each node gets one statement with the
   * tables of all its shards. There is no lock, so a shard that is being moved may be read on both nodes, or on
   * neither. Undefined while a node is unreachable.
   */
  everywhere(): Queryable | undefined {
    const nodes = [...new Set([...this.#groups.values()].map(({ node }) => node))];
    if (nodes.length === 0 || !nodes.every((name) => this.#nodes.get(name)!.isUp)) return undefined;
    const [first] = this.#coordinators;
    return onAll(first!.options, ({ shape, values }) => {
      return nodes.map((name) => [
        this.#nodes.get(name)!.pools.get(first!)!,
        { shape: this.#writtenFor(name, shape), values },
      ]);
    });
  }

  #writtenFor(node: string, shape: Statement['shape']): Statement['shape'] {
    let known = this.#unions.get(shape);
    if (!known) {
      known = new Map();
      this.#unions.set(shape, known);
    }
    let union = known.get(node);
    if (!union) {
      const groups = [...this.#groups.values()].filter((group) => group.node === node);
      // The parentheses let a statement have its own ORDER BY and LIMIT.
      const text = groups.map(({ statements }) => `(${statements.write(shape.text)})`).join('\nUNION ALL\n');
      union = { text, types: shape.types };
      known.set(node, union);
    }
    return union;
  }

  /** Looks up the locations of shards; simultaneous calls share one query. */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#read().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #read(): Promise<void> {
    const [first] = this.#coordinators;
    const rows = await first!<ShardRow[]>`
      SELECT c.relname AS name, s.shardid AS shard, s.shardminvalue AS together, n.nodename AS host, n.nodeport AS port
      FROM pg_dist_partition t JOIN pg_class c ON c.oid = t.logicalrelid AND NOT c.relispartition
      JOIN pg_dist_shard s ON s.logicalrelid = t.logicalrelid
      JOIN pg_dist_placement p ON p.shardid = s.shardid
      JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
      WHERE t.colocationid = (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = ${FIRST_TABLE}::regclass)
        AND to_regprocedure('carillon_hold_shard(bigint)') IS NOT NULL`;
    if (this.#isStopped) return;
    const groups = new Map<number, Group>();
    for (const tables of Map.groupBy(rows, ({ together }) => together).values()) {
      const { shard, host, port } = tables.find(({ name }) => name === FIRST_TABLE)!;
      const node = `${host}:${port}`;
      const names = new Map(tables.map((one) => [one.name, `${one.name}_${one.shard}`]));
      const known = this.#groups.get(shard);
      // Sessions keep their prepared statements if nothing changed.
      const isSame = known?.node === node && known.tables === [...names.values()].join();
      groups.set(
        shard,
        isSame ? known : { node, tables: [...names.values()].join(), statements: statementsOf(shard, names) },
      );
      if (!this.#nodes.has(node)) this.#nodes.set(node, this.#connect(host, port));
    }
    this.#groups = groups;
    this.#made = new Map();
    this.#unions = new WeakMap();
    const named = new Set([...groups.values()].map(({ node }) => node));
    for (const [name, node] of this.#nodes) {
      if (named.has(name)) continue;
      this.#nodes.delete(name);
      void closeNode(node);
    }
  }

  #connect(host: string, port: number): Node {
    const pools = this.#coordinators.map((sql) => {
      const { target, connect: options } = sql.options;
      return [sql, connect(targetOf(target, host, port), options)] as const;
    });
    return { host, port, pools: new Map(pools), isUp: false };
  }

  /** Tries nodes that are not known to answer, at their current addresses. */
  async #tryNodes(): Promise<void> {
    const isDown = ({ isUp }: Node) => !isUp;
    // A standby that replaced a node has another address.
    if ([...this.#nodes.values()].some(isDown)) await this.refresh().catch(() => {});
    const down = [...this.#nodes.values()].filter(isDown);
    await Promise.all(
      down.map(async (node) => {
        const [pool] = node.pools.values();
        node.isUp = await pool!`SELECT 1`.then(
          () => true,
          () => false,
        );
      }),
    );
  }

  /** Called when a statement was sent to the coordinator instead of a node. */
  #instead(node: Node, error: unknown): void {
    if (this.#isStopped) return;
    if (isMoved(error)) this.refresh().catch(() => {});
    else node.isUp = false;
  }
}

async function closeNode({ pools }: Node): Promise<void> {
  await Promise.all([...pools.values()].map((sql) => sql.end({ timeout: 2 })));
}

/** Whether a statement failed without any effect because the shard is on another node. */
const isMoved = (error: unknown): boolean => error instanceof PostgresError && movedCodes.has(error.code);

/** Returns the target of the same database and user on another node. */
function targetOf(target: DatabaseTarget, host: string, port: number): DatabaseTarget {
  if (!('url' in target)) return { ...target, host, port };
  const url = new URL(target.url);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = String(port);
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  return { url: url.href };
}

/** Returns statements with the tables of a shard instead of the distributed ones. */
export function statementsOf(shard: number, names: ReadonlyMap<string, string>): ShardStatements {
  const written = new WeakMap<Statement['shape'], Statement['shape']>();
  const rewrite = (text: string) => {
    // Constraints of a shard end with the number of its table, like the table's name.
    let suffix = '';
    return text.replace(
      NAME,
      (whole, word: string, space: string, name: string, alias: string | undefined) => {
        if (word === 'ON CONSTRAINT') return whole + suffix;
        const own = names.get(name);
        if (word === 'INTO') suffix = own?.slice(name.length) ?? '';
        return own === undefined ? whole : `${word}${space}${own}${alias ?? ` AS ${name}`}`;
      },
    );
  };
  const holdText = `SELECT carillon_hold_shard(${shard})`;
  return {
    // Without a parameter: Citus has a call with one planned again each time.
    hold: textStatement(holdText, []),
    isMoved,
    shard,
    holdText,
    write(statement) {
      if (typeof statement === 'string') return rewrite(statement);
      let shape = written.get(statement.shape);
      if (!shape) {
        shape = { text: rewrite(statement.shape.text), types: statement.shape.types };
        written.set(statement.shape, shape);
      }
      return { shape, values: statement.values };
    },
  };
}
