import { unwatch, watch } from '../deadlines.ts';
import { currentStep } from '../owners.ts';
import { noteStored, sendFollowed } from './after-commit.ts';
import { ConnectionError, PostgresError } from './errors.ts';
import { wasCommitted } from './lost-commits.ts';
import { Pool } from './pool.ts';
import type { Execution, Session } from './session.ts';
import {
  Assignments,
  buildStatement,
  type Fragment,
  Names,
  type Statement,
  textStatement,
} from './statement.ts';
import type { DatabaseTarget } from './target.ts';
import { Json, type Parameter } from './values.ts';

export { PostgresError, violatedConstraint } from './errors.ts';
export type { DatabaseTarget } from './target.ts';

/** A row of a statement whose columns nobody has named. */
// biome-ignore lint/suspicious/noExplicitAny: what it is stands in the statement alone
export type Row = Record<string, any>;
/** What may stand in a statement. */
type Value = Parameter | Names | Assignments | Query<readonly object[]> | readonly Query<readonly object[]>[];

/** What a statement can run on: the pool, or a transaction of it. */
export interface Queryable {
  /** A statement, sent when it is awaited; or a part of another one. */
  <T extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...values: readonly Value[]): Query<T>;
  /** Names in a statement; after IN, values. */
  (names: string | readonly (string | number)[]): Names;
  /** Columns with their new values, after SET. */
  (columns: Readonly<Record<string, Parameter>>): Assignments;
  json(value: unknown): Json;
  /**
   * A text that was put together by the program, never from what a caller sent. With parameters (`$1`) one statement;
   * without any it may be several, and the rows are those of the last one that has some.
   */
  unsafe<T extends readonly object[] = Row[]>(text: string, parameters?: readonly Parameter[]): Query<T>;
}

export interface TransactionSql extends Queryable {
  /** Undoes what `work` did, and only that, when it throws. */
  savepoint<T>(work: (tx: TransactionSql) => T): Promise<Settled<T>>;
}

interface ReservedSql extends Queryable {
  /** Gives the session back to the pool. */
  release(): void;
}

/** For work that takes longer than statements may. */
interface WorkOptions {
  /** Of each statement and of the whole work, milliseconds. */
  readonly deadlineMs?: number;
  /** How long each statement of a transaction waits for a lock, milliseconds; then it fails with 55P03. */
  readonly lockMs?: number;
}

export interface Sql extends Queryable {
  /**
   * Runs `work` in a transaction: committed when it is fulfilled, rolled back when it throws or one of its statements has
   * failed. When the connection is lost with the COMMIT, the server is asked on another one whether it was done
   * (lost-commits.ts). Throws what `work` throws, and ConnectionError or PostgresError when it was not committed, or when
   * the database did not say within 10 s.
   */
  begin<T>(work: (tx: TransactionSql) => T): Promise<Settled<T>>;
  begin<T>(options: WorkOptions, work: (tx: TransactionSql) => T): Promise<Settled<T>>;
  /** A session for oneself, until `release`. */
  reserve(options?: WorkOptions): Promise<ReservedSql>;
  notify(channel: string, payload: string): Promise<void>;
  /** Closes when what runs is finished, or after `timeout` seconds (5). */
  end(options?: { timeout?: number }): Promise<void>;
  readonly options: SqlOptions;
}

/** What the pool was made with; `listen` opens a connection of its own with it. */
interface SqlOptions {
  readonly target: DatabaseTarget;
  readonly connect: Required<ConnectOptions>;
  /** Called with what the server refused. */
  refused?: ((error: PostgresError) => void) | undefined;
  /** Called with each statement before it is sent, for tests. */
  observe?: ((text: string, parameters: readonly unknown[]) => void) | undefined;
}

type Settled<T> = T extends readonly (infer U | PromiseLike<infer U>)[] ? U[] : Awaited<T>;

export interface ConnectOptions {
  /** Connections, at most. */
  max?: number;
  application?: string;
  /**
   * Commits without waiting for the disk: for leases and the removal of finished work, of which a power failure may
   * undo the last fraction of a second and nothing but repeated work comes of it.
   */
  asyncCommit?: boolean;
  /**
   * A statement may run this long on the server, milliseconds; it is given up with its connection a little later, for a
   * server or a network that is silent. A transaction has twice the time.
   */
  statementMs?: number;
  /** Called with what the server says beside its answers. */
  onNotice?: (message: string) => void;
  /** Who has no connection after so long is refused, milliseconds. A new connection may take as long. */
  acquireMs?: number;
}

const defaults: Required<ConnectOptions> = {
  max: 10,
  application: 'carillon',
  asyncCommit: false,
  statementMs: 30_000,
  acquireMs: 10_000,
  onNotice: () => {},
};

/** Between the server's own deadline and ours: it says why, we could only say that it took too long. */
const MAX_GRACE_MS = 5_000;
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

const withGrace = (milliseconds: number) => milliseconds + Math.min(MAX_GRACE_MS, milliseconds / 2);

/** Rows, with how many a statement touched. */
type Answer<T> = T & { count: number; command: string };

type Send = (execution: Execution) => void;

/** A statement that is sent when somebody waits for it, or a part of another one. */
export class Query<T extends readonly object[]> implements Promise<Answer<T>>, Fragment {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
  readonly #send: Send;
  /** A text as it is, with its own parameters. */
  readonly #isText: boolean;
  readonly #options: SqlOptions;
  readonly #origin: () => string | undefined;
  #answer: Promise<Answer<T>> | undefined;

  constructor(
    strings: readonly string[],
    args: readonly unknown[],
    how: { send: Send; isText?: boolean; options: SqlOptions },
  ) {
    this.strings = strings;
    this.args = args;
    this.#send = how.send;
    this.#isText = how.isText ?? false;
    this.#options = how.options;
    // A text has no place of its own in the program.
    this.#origin = this.#isText ? noOrigin : originOf(strings);
  }

  get [Symbol.toStringTag](): string {
    return 'Query';
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = Answer<T>, B = never>(
    fulfilled?: ((rows: Answer<T>) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.execute().then(fulfilled, rejected);
  }

  catch<B = never>(rejected?: ((error: unknown) => B | PromiseLike<B>) | null) {
    return this.execute().catch(rejected);
  }

  finally(settled?: (() => void) | null) {
    return this.execute().finally(settled);
  }

  /** Sends it now. */
  execute(): Promise<Answer<T>> {
    this.#answer ??= new Promise((resolve, reject) => {
      const statement = this.#statement();
      const step = currentStep();
      if (step?.refusal) throw step.refusal;
      if (typeof statement === 'string') this.#options.observe?.(statement, []);
      else this.#options.observe?.(statement.shape.text, statement.values);
      this.#send({
        statement,
        origin: this.#origin,
        resolve: (rows) => {
          step?.progressed();
          resolve(rows as unknown as Answer<T>);
        },
        reject: (error) => {
          if (error instanceof PostgresError) this.#options.refused?.(error);
          reject(error);
        },
      });
    });
    return this.#answer;
  }

  #statement(): Statement | string {
    if (!this.#isText) return buildStatement(this.strings, this.args, isQuery);
    return this.args.length === 0 ? this.strings[0]! : textStatement(this.strings[0]!, this.args);
  }
}

const isQuery = (value: unknown): value is Fragment => value instanceof Query;

const noOrigin = () => undefined;
const origins = new WeakMap<readonly string[], Error>();

/** The stack of the code that made a statement first: looking it up each time would cost more than sending it. */
function originOf(strings: readonly string[]): () => string | undefined {
  let known = origins.get(strings);
  if (!known) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 6;
    known = new Error();
    Error.stackTraceLimit = limit;
    origins.set(strings, known);
  }
  const error = known;
  return () =>
    error.stack
      ?.split('\n')
      .filter((line) => /^ +at /.test(line) && !line.includes(import.meta.filename))
      .join('\n');
}

/** The functions of a `sql` whose statements go to `send`. */
function createSql(send: Send, options: SqlOptions): Queryable {
  const sql = (
    first: TemplateStringsArray | string | readonly (string | number)[] | Row,
    ...values: unknown[]
  ) => {
    if (Array.isArray(first)) {
      if ('raw' in first) return new Query(first as string[], values, { send, options });
      return new Names(first);
    }
    return typeof first === 'string' ? new Names([first]) : new Assignments(first as Row);
  };
  return Object.assign(sql, {
    json: (value: unknown) => new Json(value),
    unsafe: (text: string, parameters: readonly unknown[] = []) =>
      new Query([text], parameters, { send, isText: true, options }),
  }) as unknown as Queryable;
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
      let result: unknown;
      try {
        result = await runTransaction(taken, options, work, {
          long,
          lockMs,
          deadlineMs: long ?? 2 * session.deadlineMs,
        });
      } catch (error) {
        if (!(error instanceof CommitLost)) throw error;
        if (!(await wasCommitted(sql as Sql, error.xid, error.cause))) throw error.cause;
        result = error.result;
      } finally {
        pool.release(taken);
      }
      noteStored();
      return result;
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

/** The connection was lost with the COMMIT on its way: whether it was done is not known yet. */
class CommitLost extends Error {
  readonly xid: string;
  /** What the transaction gives when it was done. */
  readonly result: unknown;

  constructor(xid: string, result: unknown, cause: unknown) {
    super('the answer to a COMMIT was lost', { cause });
    this.xid = xid;
    this.result = result;
  }
}

/** Whether a statement failed because its session is over, so that it may have been done. */
const isLoss = (error: unknown) =>
  error instanceof ConnectionError || (error instanceof PostgresError && error.isFatal);

interface TransactionTimes {
  /** The statements' deadline on the server, when it is not that of the pool. */
  readonly long: number | undefined;
  readonly lockMs: number | undefined;
  readonly deadlineMs: number;
}

async function runTransaction<T>(
  session: Session,
  options: SqlOptions,
  work: (tx: TransactionSql) => T,
  { long, lockMs, deadlineMs }: TransactionTimes,
): Promise<unknown> {
  const inside = createSql((execution) => session.execute(execution), options);
  let left = deadlineMs;
  const clock = {
    passed(milliseconds: number) {
      left -= milliseconds;
      if (left > 0) return;
      const message = `a transaction was not finished within ${Math.round(deadlineMs / 1_000)} s`;
      session.destroy(new ConnectionError('CONNECTION_DEADLINE', message));
    },
  };
  watch(clock);
  try {
    if (long !== undefined) session.deadlineMs = withGrace(long);
    const settings = [
      long === undefined ? '' : `SET LOCAL statement_timeout = ${long}; `,
      lockMs === undefined ? '' : `SET LOCAL lock_timeout = ${lockMs}; `,
    ].join('');
    // Its number is learned at the start: a server that was lost with the COMMIT can be asked for nothing else.
    const [begun] = await inside.unsafe<{ xid: string }[]>(
      `BEGIN; ${settings}SELECT pg_current_xact_id()::text AS xid`,
    );
    const result = await runScope(session, options, work, {
      undo: 'ROLLBACK',
      counter: { savepoints: 0 },
    });
    const { command } = await inside.unsafe('COMMIT').catch((error: unknown) => {
      throw isLoss(error) ? new CommitLost(begun!.xid, result, error) : error;
    });
    // What a server says to COMMIT when it has undone everything instead.
    if (command !== 'COMMIT')
      throw new ConnectionError('CONNECTION_LOST', `COMMIT was answered with ${command}`);
    return result;
  } finally {
    unwatch(clock);
  }
}

interface Scope {
  /** What undoes it. */
  readonly undo: string;
  readonly counter: { savepoints: number };
}

/** Runs `work` within a transaction or a savepoint of it, and undoes it when it failed. */
async function runScope<T>(
  session: Session,
  options: SqlOptions,
  work: (tx: TransactionSql) => T,
  { undo, counter }: Scope,
): Promise<unknown> {
  let isOver = false;
  let failure: { error: unknown } | undefined;
  const send: Send = (execution) => {
    // A session that is lost says so itself.
    if (isOver && session.isOpen) {
      execution.reject(new Error('a statement was made in a transaction that is over'));
      return;
    }
    session.execute({
      ...execution,
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
      return runScope(session, options, inner, { undo: `ROLLBACK TO ${name}`, counter });
    },
  }) as TransactionSql;
  const { promise: gone, reject: lose } = Promise.withResolvers<never>();
  gone.catch(() => {});
  const stopWatching = session.whenLost(lose);
  try {
    // Work that waits for something else would never hear that its connection is gone.
    const result = await Promise.race([Promise.resolve(work(tx)).then(settleAll), gone]);
    // One whose failure nobody waited for, or took for answered, has undone everything all the same.
    if (failure) throw failure.error;
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

/** A session on which even that fails is not used again. */
async function undoScope(session: Session, options: SqlOptions, undo: string): Promise<void> {
  try {
    await createSql((execution) => session.execute(execution), options).unsafe(undo);
  } catch (error) {
    session.destroy(error as Error);
  }
}

const settleAll = (result: unknown) => (Array.isArray(result) ? Promise.all(result) : result);

/** Whether a statement failed because one before it in the transaction had. */
function isAborted(error: unknown): boolean {
  return error instanceof PostgresError && error.code === '25P02';
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
