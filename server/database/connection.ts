import { noteStored, sendFollowed } from './after-commit.ts';
import { ConnectionError } from './errors.ts';
import { type Begun, wasCommitted } from './lost-commits.ts';
import { Pool } from './pool.ts';
import {
  type ConnectOptions,
  createSql,
  type Send,
  type Sql,
  type SqlOptions,
  type TransactionSql,
  type WorkOptions,
} from './sql.ts';
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

/** A transaction in which nothing happens for so long is ended by the server. */
const IDLE_IN_TRANSACTION_MS = 120_000;

/** What the server is told when a session begins. On Citus more is wanted (docs/architecture.md). */
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

/** The options of a session of such a pool. */
export function sessionOptions(connect: Required<ConnectOptions>) {
  return {
    application: connect.application,
    settings: sessionSettings(connect),
    deadlineMs: withGrace(connect.statementMs),
    connectMs: connect.acquireMs,
    onNotice: connect.onNotice,
  };
}

/** Opens a pool. Connections are made when first needed. */
export function connect(target: DatabaseTarget, given: ConnectOptions = {}): Sql {
  const chosen = { ...defaults, ...given };
  const session = sessionOptions(chosen);
  const pool = new Pool(target, { ...session, max: chosen.max, acquireMs: chosen.acquireMs });
  const options: SqlOptions = { target, connect: chosen };
  const sendToPool: Send = (execution) => pool.execute(execution);
  const sql = createSql((execution) => sendFollowed(execution, sendToPool), options);
  return Object.assign(sql, {
    options,
    async begin(
      first: WorkOptions | ((tx: TransactionSql) => unknown),
      second?: (tx: TransactionSql) => unknown,
    ) {
      const work = typeof first === 'function' ? first : second!;
      const { deadlineMs: long, lockMs }: WorkOptions = typeof first === 'function' ? {} : first;
      const taken = await pool.acquire();
      try {
        const times = { long, lockMs, deadlineMs: long ?? 2 * session.deadlineMs };
        const ask = (begun: Begun, cause: unknown) => wasCommitted(sql as Sql, begun, cause);
        const result = await runTransaction(taken, options, work, times, ask);
        noteStored();
        return result;
      } finally {
        pool.release(taken);
      }
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
          // With settings of its own it is nobody else's.
          if (deadlineMs !== undefined) taken.destroy(new ConnectionError('CONNECTION_ENDED', 'given back'));
          pool.release(taken);
        },
      });
    },
    async notify(channel: string, payload: string) {
      await (sql as Sql)`SELECT pg_notify(${channel}, ${payload})`;
    },
    end: ({ timeout = 5 }: { timeout?: number } = {}) => pool.end(timeout * 1_000),
  }) as unknown as Sql;
}

/**
 * A transaction in the place of a pool: `begin` makes a savepoint. Not for what reserves a session, ends the pool, or begins
 * two transactions at once.
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
