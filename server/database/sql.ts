import { fileURLToPath } from 'node:url';
import { currentStep } from '../kit/owners.ts';
import { PostgresError } from './errors.ts';
import type { SealedText } from './sealed-text.ts';
import type { Execution } from './session.ts';
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

/*
 * The interface with which modules write statements, and the statements themselves; connection.ts opens a pool that
 * runs them.
 */

/** A row of a statement without declared columns. */
// biome-ignore lint/suspicious/noExplicitAny: only the statement determines the columns
export type Row = Record<string, any>;
/** Values allowed in a statement. */
type Value = Parameter | Names | Assignments | Query<readonly object[]> | readonly Query<readonly object[]>[];

/** An object that runs statements: the pool, or a transaction of it. */
export interface Queryable {
  /** A statement, sent when it is awaited; or a part of another one. */
  <T extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...values: readonly Value[]): Query<T>;
  /** Names in a statement; after IN, values. */
  (names: string | readonly (string | number)[]): Names;
  /** Columns with their new values, after SET. */
  (columns: Readonly<Record<string, Parameter>>): Assignments;
  json(value: unknown): Json;
  /** Returns a text of a message before its dispatch, in the account's form of storage: plain or encrypted. */
  waitingText<T extends string | null>(accountId: number, text: T): T | SealedText;
  /**
   * Returns a text read from the database for writing it again: encrypted if it was, independent of the account's
   * present setting.
   */
  rewrittenText(accountId: number, text: string, wasSealed: boolean): string | SealedText;
  /** Returns a value with such a text, as JSON. */
  waitingJson(accountId: number, value: unknown): Json;
  /** Returns a text that is no longer needed for sending; null if the account does not store texts. */
  keptText(accountId: number, text: string): string | SealedText | null;
  /** Returns the accounts that do not store texts. */
  withoutTexts(accountIds: readonly number[]): readonly number[];
  /**
   * A text composed by the program, never from a caller's input. With parameters (`$1`) it is one statement; without
   * any it may be several, and the rows are those of the last one that has rows.
   */
  unsafe<T extends readonly object[] = Row[]>(text: string, parameters?: readonly Parameter[]): Query<T>;
}

export interface TransactionSql extends Queryable {
  /** Runs `work` and undoes only its changes when it throws. */
  savepoint<T>(work: (tx: TransactionSql) => T): Promise<Settled<T>>;
  /**
   * Calls `work` immediately after the commit, before `begin` resolves; never when the transaction, or the savepoint in
   * which this was called, is undone. It must not throw.
   */
  afterCommit(work: () => void): void;
}

interface ReservedSql extends Queryable {
  /** Returns the session to the pool. */
  release(): void;
}

/** Options for work that takes longer than statements may. */
export interface WorkOptions {
  /** Milliseconds for each statement and for the whole work. */
  readonly deadlineMs?: number;
  /** Milliseconds that each statement of a transaction waits for a lock; then it fails with 55P03. */
  readonly lockMs?: number;
}

export interface Sql extends Queryable {
  /**
   * Runs `work` in a transaction: committed when it resolves, rolled back when it throws or one of its statements has
   * failed. When the connection is lost during the COMMIT, the server is asked on another connection whether it was
   * committed (lost-commits.ts). Rejects with errors of `work`, and with ConnectionError or PostgresError when the
   * transaction was not committed, or when the database did not answer within 10 s.
   */
  begin<T>(work: (tx: TransactionSql) => T): Promise<Settled<T>>;
  begin<T>(options: WorkOptions, work: (tx: TransactionSql) => T): Promise<Settled<T>>;
  /** Returns a session for exclusive use, until `release`. */
  reserve(options?: WorkOptions): Promise<ReservedSql>;
  notify(channel: string, payload: string): Promise<void>;
  /** Closes when running statements have finished, or after `timeout` seconds (default 5). */
  end(options?: { timeout?: number }): Promise<void>;
  readonly options: SqlOptions;
}

/** Options of the pool; `listen` uses them to open a separate connection. */
export interface SqlOptions {
  readonly target: DatabaseTarget;
  readonly connect: Required<ConnectOptions>;
  /** Called with errors of the server. */
  refused?: ((error: PostgresError) => void) | undefined;
  /** How accounts store their texts (secrets/text-storage.ts); undefined means plain. */
  texts?: TextRules | undefined;
  /** Set for statements that are sent to the node of one shard. */
  readonly shard?: ShardStatements | undefined;
  /** Called with each statement before it is sent, for tests. */
  observe?: ((text: string, parameters: readonly unknown[]) => void) | undefined;
}

/** How accounts store their texts. */
export interface TextRules {
  sealed(accountId: number, text: string): SealedText;
  waiting(accountId: number, text: string): string | SealedText;
  kept(accountId: number, text: string): string | SealedText | null;
  /** Returns the accounts that do not store texts. */
  without(accountIds: readonly number[]): readonly number[];
}

/** How statements about one shard are sent to its node (shard-nodes.ts). */
export interface ShardStatements {
  readonly shard: number;
  /**
   * Statement that keeps the shard on its node until the transaction ends; it fails with an error for `isMoved` when
   * the shard is on another node.
   */
  readonly hold: Statement;
  /** The same statement as a text. */
  readonly holdText: string;
  /** Returns the statement with the tables of the shard. */
  write(statement: Statement | string): Statement | string;
  isMoved(error: unknown): boolean;
}

type Settled<T> = T extends readonly (infer U | PromiseLike<infer U>)[] ? U[] : Awaited<T>;

export interface ConnectOptions {
  /** Maximum number of connections. */
  max?: number;
  application?: string;
  /**
   * Commits without waiting for the disk: for leases and the removal of finished work. A power failure may undo the
   * last fraction of a second, which only repeats work.
   */
  asyncCommit?: boolean;
  /**
   * Maximum milliseconds of a statement on the server. It is abandoned with its connection a little later, in case the
   * server or the network is silent. A transaction has twice the time.
   */
  statementMs?: number;
  /** Called with notices of the server. */
  onNotice?: (message: string) => void;
  /** Milliseconds to wait for a free connection, and for a new connection. */
  acquireMs?: number;
}

/** Rows, and the number of rows that a statement affected. */
type Answer<T> = T & { count: number; command: string };

export type Send = (execution: Execution) => void;

/** A statement that is sent when it is awaited, or a part of another one. */
export class Query<T extends readonly object[]> implements Promise<Answer<T>>, Fragment {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
  readonly #send: Send;
  /** Whether it is a complete text with separate parameters. */
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
    // A text has no fixed location in the program.
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

/**
 * Returns the stack of the code that first made a statement: determining it each time would cost more than sending the
 * statement.
 */
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
      .filter((line) => /^ +at /.test(line) && !line.includes(fileURLToPath(import.meta.url)))
      .join('\n');
}

/** Returns the functions of a `sql` whose statements are passed to `send`. */
export function createSql(send: Send, options: SqlOptions): Queryable {
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
    waitingText: (accountId: number, text: string | null) =>
      text === null ? null : (options.texts?.waiting(accountId, text) ?? text),
    rewrittenText(accountId: number, text: string, wasSealed: boolean) {
      if (!wasSealed) return options.texts?.waiting(accountId, text) ?? text;
      if (!options.texts) throw new Error('a sealed text cannot be written without its key');
      return options.texts.sealed(accountId, text);
    },
    waitingJson(accountId: number, value: unknown) {
      const text = JSON.stringify(value);
      const stored = options.texts?.waiting(accountId, text) ?? text;
      return new Json(typeof stored === 'string' ? value : stored);
    },
    keptText: (accountId: number, text: string) =>
      options.texts ? options.texts.kept(accountId, text) : text,
    withoutTexts: (accountIds: readonly number[]) => options.texts?.without(accountIds) ?? [],
    unsafe: (text: string, parameters: readonly unknown[] = []) =>
      new Query([text], parameters, { send, isText: true, options }),
  }) as unknown as Queryable;
}
