import { noteStored, sendFollowed } from './after-commit.ts';
import { ConnectionError } from './errors.ts';
import { type Begun, noteServer, wasCommitted } from './lost-commits.ts';
import { Pool } from './pool.ts';
import { type Execution, Rows } from './session.ts';
import {
  type ConnectOptions,
  createSql,
  type Queryable,
  type Send,
  type ShardStatements,
  type Sql,
  type SqlOptions,
  type TransactionSql,
  type WorkOptions,
} from './sql.ts';
import type { Statement } from './statement.ts';
import type { DatabaseTarget } from './target.ts';
import { runTransaction, withGrace } from './transaction.ts';

export { PostgresError, violatedConstraint } from './errors.ts';
export type { ConnectOptions, Query, Queryable, Row, Sql, TransactionSql } from './sql.ts';
export type { DatabaseTarget } from './target.ts';

const defaults: Required<ConnectOptions> = {
  max: 10,
  application: 'carillon',
  asyncCommit: false,
  statementMs: 30_000,
  acquireMs: 10_000,
  onNotice: () => {},
};

/** Milliseconds after which the server ends a transaction without activity. */
const IDLE_IN_TRANSACTION_MS = 120_000;

/** Settings of a new session. Citus needs more of them (docs/decisions/0005-sql-that-can-be-distributed.md). */
function sessionSettings({
  asyncCommit,
  statementMs,
}: Required<ConnectOptions>): Record<string, string | number> {
  return {
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    ...(asyncCommit && { synchronous_commit: 'off' }),
  };
}

/** Returns the options of a pool's sessions. */
export function sessionOptions(connect: Required<ConnectOptions>) {
  return {
    application: connect.application,
    settings: sessionSettings(connect),
    deadlineMs: withGrace(connect.statementMs),
    connectMs: connect.acquireMs,
    onNotice: connect.onNotice,
  };
}

/** The pools behind the `sql` functions that modules use. */
const pools = new WeakMap<object, Pool>();

/** Opens a pool. It makes connections when they are first needed. */
export function connect(target: DatabaseTarget, given: ConnectOptions = {}): Sql {
  const chosen = { ...defaults, ...given };
  const session = sessionOptions(chosen);
  const pool = new Pool(target, { ...session, max: chosen.max, acquireMs: chosen.acquireMs });
  const options: SqlOptions = { target, connect: chosen };
  const sendToPool: Send = (execution) => pool.execute(execution);
  const sql = createSql((execution) => sendFollowed(execution, sendToPool), options);
  Object.assign(sql, {
    options,
    begin: (...given: BeginArguments) => {
      const [times, work] = argumentsOf(given);
      return beginOn(
        pool,
        { options, times, ask: (begun, cause) => wasCommitted(sql as Sql, begun, cause) },
        work,
      );
    },
    async reserve({ deadlineMs }: WorkOptions = {}) {
      const taken = await pool.acquire();
      const own = createSql((execution) => taken.execute(execution), options);
      if (deadlineMs !== undefined) {
        taken.deadlineMs = withGrace(deadlineMs);
        await own.unsafe(`SET statement_timeout = ${deadlineMs}`);
      }
      return Object.assign(own, {
        release() {
          // A session with changed settings must not be reused.
          if (deadlineMs !== undefined) taken.destroy(new ConnectionError('CONNECTION_ENDED', 'given back'));
          pool.release(taken);
        },
      });
    },
    async notify(channel: string, payload: string) {
      await (sql as Sql)`SELECT pg_notify(${channel}, ${payload})`;
    },
    end: ({ timeout = 5 }: { timeout?: number } = {}) => pool.end(timeout * 1_000),
  });
  pools.set(sql, pool);
  return sql as Sql;
}

/** Stands for all shards of a node: their common statement prefers a session that has planned it. */
const ALL_SHARDS = 0;

/**
 * Returns a `sql` function that sends each statement to several pools, rewritten by `written` for each. It returns the
 * rows of all, or fails with the error of one.
 */
export function onAll(options: SqlOptions, written: (statement: Statement) => [Sql, Statement][]): Queryable {
  return createSql((execution) => {
    const parts = written(execution.statement as Statement).map(
      ([sql, statement]) =>
        new Promise<Rows<object>>((resolve, reject) => {
          pools.get(sql)!.executeOn(ALL_SHARDS, { ...execution, statement, resolve, reject }, reject);
        }),
    );
    Promise.all(parts).then(
      (rows) => execution.resolve(Rows.from(rows.flat()) as Rows<object>),
      execution.reject,
    );
  }, options);
}

type Work = (tx: TransactionSql) => unknown;
type BeginArguments = [work: Work] | [options: WorkOptions, work: Work];

const argumentsOf = (given: BeginArguments): [WorkOptions, Work] =>
  given.length === 1 ? [{}, given[0]] : given;

interface BeginOptions {
  readonly options: SqlOptions;
  readonly times: WorkOptions;
  readonly ask: (begun: Begun, cause: unknown) => Promise<boolean | undefined>;
}

/** Runs a transaction on a session of the pool. */
async function beginOn(pool: Pool, { options, times, ask }: BeginOptions, work: Work): Promise<unknown> {
  const { deadlineMs: long, lockMs } = times;
  const taken = await pool.acquire(options.shard?.shard);
  try {
    const deadlineMs = long ?? 2 * pool.options.deadlineMs;
    const result = await runTransaction(taken, options, work, { long, lockMs, deadlineMs }, ask);
    noteStored();
    return result;
  } finally {
    pool.release(taken);
  }
}

/**
 * Returns the connection for statements about accounts of one shard. They use `node`, the pool of the shard's node, and
 * `coordinator` when the node could not be reached (nothing was sent) or no longer has the shard (nothing was done).
 * `instead` is called with the reason.
 */
export function onShard(
  node: Sql,
  coordinator: Sql,
  shard: ShardStatements,
  instead: (error: unknown) => void,
): Sql {
  const [pool, others] = [pools.get(node)!, pools.get(coordinator)!];
  // Options set later on the coordinator apply here too.
  const options: SqlOptions = Object.assign(Object.create(coordinator.options), { shard });
  const noted = (execution: Execution, server: Sql): Execution['reject'] => {
    return (error) => {
      noteServer(error, server);
      execution.reject(error);
    };
  };
  const send: Send = (execution) => {
    const sendInstead = (error: unknown) => {
      instead(error);
      others.execute({ ...execution, reject: noted(execution, coordinator) });
    };
    const reject = noted(execution, node);
    pool.executeOn(
      shard.shard,
      {
        ...execution,
        statement: shard.write(execution.statement),
        before: shard.hold,
        reject: (error) => (shard.isMoved(error) ? sendInstead(error) : reject(error)),
      },
      sendInstead,
    );
  };
  const sql = createSql((execution) => sendFollowed(execution, send), options);
  return Object.assign(sql, {
    options,
    async begin(...given: BeginArguments) {
      const [times, work] = argumentsOf(given);
      let isBegun = false;
      const begun: Work = (tx) => {
        isBegun = true;
        return work(tx);
      };
      try {
        const ask: BeginOptions['ask'] = (transaction, cause) => wasCommitted(node, transaction, cause);
        return await beginOn(pool, { options, times, ask }, begun);
      } catch (error) {
        noteServer(error, node);
        if (isBegun) throw error;
        instead(error);
        return coordinator.begin(times, work);
      }
    },
    reserve: coordinator.reserve,
    notify: coordinator.notify,
    end: () => Promise.resolve(),
  }) as unknown as Sql;
}

/**
 * Returns a transaction that can be used like a pool: `begin` creates a savepoint. Not for code that reserves a
 * session, ends the pool, or begins two transactions at the same time.
 */
export function asSql(tx: TransactionSql, pool: Sql): Sql {
  const call = (...given: unknown[]) => (tx as unknown as (...all: unknown[]) => unknown)(...given);
  return Object.assign(call, tx, {
    options: pool.options,
    begin: (...given: unknown[]) => tx.savepoint(given.at(-1) as (inner: TransactionSql) => unknown),
    async notify(channel: string, payload: string) {
      await tx`SELECT pg_notify(${channel}, ${payload})`;
    },
  }) as unknown as Sql;
}
