import { unwatch, watch } from '../kit/deadlines.ts';
import { ConnectionError, PostgresError } from './errors.ts';
import type { Begun } from './lost-commits.ts';
import type { Session } from './session.ts';
import { createSql, type Send, type SqlOptions, type TransactionSql, type WorkOptions } from './sql.ts';

/**
 * Maximum milliseconds between the server's deadline and ours: the server's error gives the reason, ours could only say
 * that it took too long.
 */
const MAX_GRACE_MS = 5_000;

/** Returns the milliseconds to wait for a statement that the server itself ends after `milliseconds`. */
export const withGrace = (milliseconds: number) => milliseconds + Math.min(MAX_GRACE_MS, milliseconds / 2);

/** The connection was lost during the COMMIT: it is not known yet whether it was executed. */
class CommitLost extends Error {
  readonly begun: Begun;
  /** Result of the transaction if it was committed. */
  readonly result: unknown;

  constructor(begun: Begun, result: unknown, cause: unknown) {
    super('the answer to a COMMIT was lost', { cause });
    this.begun = begun;
    this.result = result;
  }
}

/** Whether a statement failed because its session ended, so that it may have been executed. */
const isLoss = (error: unknown) =>
  error instanceof ConnectionError || (error instanceof PostgresError && error.isFatal);

interface TransactionTimes extends Pick<WorkOptions, 'lockMs'> {
  /** The statements' deadline on the server, if it differs from the pool's. */
  readonly long: number | undefined;
  readonly deadlineMs: number;
}

/**
 * Runs `work` in a transaction on a session. Rejects with errors of `work`, and with ConnectionError or PostgresError
 * when the transaction was not committed, or when `wasCommitted` does not confirm a COMMIT without an answer.
 */
export async function runTransaction<T>(
  session: Session,
  options: SqlOptions,
  work: (tx: TransactionSql) => T,
  times: TransactionTimes,
  wasCommitted: (begun: Begun, cause: unknown) => Promise<boolean | undefined>,
): Promise<unknown> {
  const afterCommit: AfterCommit = [];
  let result: unknown;
  try {
    result = await commit(session, options, work, times, afterCommit);
  } catch (error) {
    if (!(error instanceof CommitLost)) throw error;
    if (!(await wasCommitted(error.begun, error.cause))) throw error.cause;
    result = error.result;
  }
  for (const told of afterCommit) told();
  return result;
}

async function commit<T>(
  session: Session,
  options: SqlOptions,
  work: (tx: TransactionSql) => T,
  { long, lockMs, deadlineMs }: TransactionTimes,
  afterCommit: AfterCommit,
): Promise<unknown> {
  const inside = createSql((execution) => session.execute(execution), options);
  let left = deadlineMs;
  const clock = {
    passed(milliseconds: number) {
      left -= milliseconds;
      if (left > 0) return;
      const message = `a transaction did not finish within ${Math.round(deadlineMs / 1_000)} s`;
      session.destroy(new ConnectionError('CONNECTION_DEADLINE', message));
    },
  };
  watch(clock);
  try {
    if (long !== undefined) session.deadlineMs = withGrace(long);
    const settings = [
      options.shard ? `${options.shard.holdText}; ` : '',
      long === undefined ? '' : `SET LOCAL statement_timeout = ${long}; `,
      lockMs === undefined ? '' : `SET LOCAL lock_timeout = ${lockMs}; `,
    ].join('');
    // The transaction's number is read at the start: after a loss during the COMMIT, it is the only way to ask for the
    // outcome.
    const [begun] = await inside.unsafe<Begun[]>(
      `BEGIN; ${settings}SELECT pg_current_xact_id()::text AS xid, now()::text AS at`,
    );
    const result = await runScope(session, options, work, {
      undo: 'ROLLBACK',
      counter: { savepoints: 0 },
      afterCommit,
    });
    const { command } = await inside.unsafe('COMMIT').catch((error: unknown) => {
      throw isLoss(error) ? new CommitLost(begun!, result, error) : error;
    });
    // The server answers COMMIT like this when it has rolled back instead.
    if (command !== 'COMMIT')
      throw new ConnectionError('CONNECTION_LOST', `COMMIT was answered with ${command}`);
    return result;
  } finally {
    unwatch(clock);
  }
}

/** Functions to call after the commit. */
type AfterCommit = (() => void)[];

interface Scope {
  /** Statement that undoes the scope. */
  readonly undo: string;
  readonly counter: { savepoints: number };
  /** Receives the functions of `work` unless it was undone. */
  readonly afterCommit: AfterCommit;
}

/** Runs `work` within a transaction or a savepoint of it, and undoes it when it failed. */
async function runScope<T>(
  session: Session,
  options: SqlOptions,
  work: (tx: TransactionSql) => T,
  { undo, counter, afterCommit }: Scope,
): Promise<unknown> {
  const mine: AfterCommit = [];
  let isOver = false;
  let failure: { error: unknown } | undefined;
  const send: Send = (execution) => {
    // A lost session returns its own error.
    if (isOver && session.isOpen) {
      execution.reject(new Error('a statement was sent in a finished transaction'));
      return;
    }
    session.execute({
      ...execution,
      statement: options.shard?.write(execution.statement) ?? execution.statement,
      reject(error) {
        failure ??= { error };
        execution.reject(error);
      },
    });
  };
  const tx = Object.assign(createSql(send, options), {
    async savepoint(inner: (tx: TransactionSql) => unknown) {
      const name = `s${++counter.savepoints}`;
      await tx.unsafe(`SAVEPOINT ${name}`);
      return runScope(session, options, inner, { undo: `ROLLBACK TO ${name}`, counter, afterCommit: mine });
    },
    afterCommit: (told: () => void) => void mine.push(told),
  }) as TransactionSql;
  const { promise: gone, reject: lose } = Promise.withResolvers<never>();
  gone.catch(() => {});
  const stopWatching = session.whenLost(lose);
  try {
    // Work that waits for something else would otherwise never learn that its connection is lost.
    const result = await Promise.race([Promise.resolve(work(tx)).then(settleAll), gone]);
    // A failed statement has undone everything, even if its error was ignored or not awaited.
    if (failure) throw failure.error;
    afterCommit.push(...mine);
    return result;
  } catch (error) {
    isOver = true;
    if (session.isOpen) await undoScope(session, options, undo);
    throw isAborted(error) && failure ? failure.error : error;
  } finally {
    isOver = true;
    stopWatching();
  }
}

/** Undoes a scope. A session on which this fails is not used again. */
async function undoScope(session: Session, options: SqlOptions, undo: string): Promise<void> {
  try {
    await createSql((execution) => session.execute(execution), options).unsafe(undo);
  } catch (error) {
    session.destroy(error as Error);
  }
}

const settleAll = (result: unknown) => (Array.isArray(result) ? Promise.all(result) : result);

/** Whether a statement failed because an earlier one of the transaction had. */
function isAborted(error: unknown): boolean {
  return error instanceof PostgresError && error.code === '25P02';
}
